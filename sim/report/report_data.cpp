// SPDX-License-Identifier: Apache-2.0
// Writing and reading reports by the walk of report_fields.hpp.
#include "report_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "names.hpp"
#include "packed_trail.hpp"
#include "phrasebook.hpp"
#include "report_fields.hpp"

namespace simt {
namespace data {
namespace {

constexpr double kLargestExactInteger = 9007199254740992.0;  // 2^53

class writer {
 public:
  writer(json& out, const dialect* phrased) : out_(out), phrased_(phrased) {}

  template <class T>
  void operator()(const char* key, const T& v) {
    out_[key] = value(v);
  }
  template <class T>
  void optional(const char* key, const T& v) {
    if (!(v == T{})) out_[key] = value(v);
  }
  template <class T>
  void passed_on(const char* key, const T& v) {
    if (phrased_ == nullptr) optional(key, v);
  }
  template <class F>
  void object(const char* key, F&& fields) {
    json inner = json::object();
    writer w(inner, phrased_);
    fields(w);
    out_[key] = std::move(inner);
  }
  void position(const char* key, const index3& v) {
    if (is_known(v)) out_[key] = value(v);
  }
  // Integers are written as integers while a double holds them exactly.
  void number(const char* key, double v, bool integral) { out_[key] = number(v, integral); }
  void numbers(const char* key, const std::vector<double>& v, bool integral) {
    json all = json::array();
    for (const double d : v) all.push_back(number(d, integral));
    out_[key] = std::move(all);
  }
  void said(const finding& f) {
    if (phrased_ == nullptr) return;
    phrases p = phrase(f, *phrased_);
    out_["message"] = std::move(p.message);
    out_["why"] = std::move(p.why);
    out_["fix"] = std::move(p.fix);
  }
  void said(const access& a) {
    if (phrased_ == nullptr) return;
    out_["agent"] = a.agent == actor::stream ? "stream " + a.stream : std::string(name(a.agent));
    if (const std::string what = doing(a); !what.empty()) out_["state"] = what;
  }

  template <class T>
  json value(const T& v) {
    if constexpr (walked<T>) {
      json inner = json::object();
      writer w(inner, phrased_);
      walk(w, v);
      return inner;
    } else if constexpr (std::is_same_v<T, index3>) {
      return json::array({v.x, v.y, v.z});
    } else if constexpr (std::is_same_v<T, check_set>) {
      return names(v);
    } else if constexpr (std::is_same_v<T, counters>) {
      return v.values;
    } else if constexpr (std::is_enum_v<T>) {
      return name_of(v);
    } else {
      return v;
    }
  }
  template <class T>
  json value(const std::vector<T>& v) {
    json all = json::array();
    for (const T& e : v) all.push_back(value(e));
    return all;
  }
  json value(const std::vector<explored_step>& v) { return json::binary(packed(v)); }
  json value(const std::map<std::string, output_summary>& v) {
    json all = json::object();
    for (const auto& [key, e] : v) all[key] = value(e);
    return all;
  }

 private:
  static json number(double v, bool integral) {
    if (integral && std::abs(v) <= kLargestExactInteger) return static_cast<std::int64_t>(v);
    return v;
  }
  template <class E>
  static std::string_view name_of(E e) {
    return names_of<E>()[static_cast<std::size_t>(e)];
  }
  json& out_;
  const dialect* phrased_;
};

class reader {
 public:
  explicit reader(const json& in) : in_(in) {}

  template <class T>
  void operator()(const char* key, T& v) {
    read(in_.at(key), v);
  }
  template <class T>
  void optional(const char* key, T& v) {
    if (const auto at = in_.find(key); at != in_.end()) read(*at, v);
  }
  template <class T>
  void passed_on(const char* key, T& v) {
    optional(key, v);
  }
  template <class F>
  void object(const char* key, F&& fields) {
    reader inner(in_.at(key));
    fields(inner);
  }
  void position(const char* key, index3& v) {
    v = kUnknownPosition;
    optional(key, v);
  }
  void number(const char* key, double& v, bool) { read(in_.at(key), v); }
  void numbers(const char* key, std::vector<double>& v, bool) { read(in_.at(key), v); }
  template <class T>
  void said(T&) {}

 private:
  template <class T>
  static void read(const json& from, T& v) {
    if constexpr (walked<T>) {
      reader inner(from);
      walk(inner, v);
    } else if constexpr (std::is_same_v<T, index3>) {
      v = {from.at(0), from.at(1), from.at(2)};
    } else if constexpr (std::is_same_v<T, counters>) {
      from.get_to(v.values);
    } else if constexpr (std::is_same_v<T, check_set>) {
      v = {};
      for (const json& word : from)
        if (const std::string unknown = turn_on(word.get<std::string>(), v); !unknown.empty())
          throw report_error(fmt::format("it names a check \"{}\"", unknown));
    } else if constexpr (std::is_enum_v<T>) {
      const auto known = names_of<T>();
      const auto at = std::ranges::find(known, from.get<std::string>());
      if (at == known.end()) throw report_error(fmt::format("it holds an unknown word, {}", from.dump()));
      v = static_cast<T>(at - known.begin());
    } else if constexpr (std::is_same_v<T, double>) {
      v = from.is_null() ? std::numeric_limits<double>::quiet_NaN() : from.get<double>();
    } else {
      v = from.get<T>();
    }
  }
  template <class T>
  static void read(const json& from, std::vector<T>& v) {
    v.clear();
    for (const json& e : from) read(e, v.emplace_back());
  }
  static void read(const json& from, std::vector<explored_step>& v) { v = unpacked(from.get_binary()); }
  static void read(const json& from, std::map<std::string, output_summary>& v) {
    v.clear();
    for (const auto& [key, e] : from.items()) read(e, v[key]);
  }
  const json& in_;
};

}  // namespace

json written(const run_report& report, bool phrased) {
  json out = {{"schema", kReportSchema}};
  writer w(out, phrased ? &report.dialect : nullptr);
  walk(w, report);
  return out;
}

namespace {

recorded_order read_order(const json& in) {
  recorded_order order;
  try {
    reader r(in);
    walk(r, order);
  } catch (const json::exception& e) {
    throw report_error(fmt::format("a recorded order in it is not whole: {}", e.what()));
  }
  if (order.digest != digest_of(order))
    throw report_error("a recorded order in it is not the one that was written: its digest does not fit");
  return order;
}

}  // namespace

std::vector<recorded_order> orders_in(const json& report) {
  std::vector<recorded_order> orders;
  for (const json& order : report.value("orders", json::array())) orders.push_back(read_order(order));
  return orders;
}

}  // namespace data

std::string order_text(const recorded_order& order) {
  data::json out;
  data::writer w(out, nullptr);
  data::walk(w, order);
  return out.dump();
}

recorded_order order_from_text(std::string_view text) {
  const data::json in = data::json::parse(text, nullptr, false);
  if (in.is_discarded()) throw report_error("it is not JSON");
  return data::read_order(in);
}

std::string steps_text(const step_request& steps) {
  data::json departures = data::json::array();
  for (const schedule_departure& d : steps.departures)
    departures.push_back({d.step, d.thread, d.older, d.later.thread, d.later.value, d.later.scope});
  data::json switches = data::json::array();
  for (const schedule_switch& s : steps.switches)
    switches.push_back({s.thread, s.own_step, s.to, s.older, s.later.thread, s.later.value, s.later.scope});
  const data::json out = {{"departures", departures},
                          {"switches", switches},
                          {"keeps_trail", steps.keeps_trail},
                          {"places", steps.places ? *steps.places : std::vector<std::uint64_t>{}},
                          {"depth", steps.depth},
                          {"steps", steps.steps},
                          {"weak_memory", steps.weak_memory},
                          {"draws_older", steps.draws_older},
                          {"tells_others", steps.tells_others},
                          {"unit", static_cast<int>(steps.unit)}};
  return out.dump();
}

step_request steps_from_text(std::string_view text) {
  try {
    const data::json in = data::json::parse(text);
    step_request out;
    for (const data::json& d : in.at("departures"))
      out.departures.push_back({d.at(0), d.at(1), d.at(2), {d.at(3), d.at(4), d.at(5)}});
    out.places = std::make_shared<const std::vector<std::uint64_t>>(in.at("places").get<std::vector<std::uint64_t>>());
    for (const data::json& s : in.at("switches"))
      out.switches.push_back({s.at(0), s.at(1), s.at(2), s.at(3), {s.at(4), s.at(5), s.at(6)}});
    out.keeps_trail = in.at("keeps_trail");
    out.depth = in.at("depth");
    out.steps = in.at("steps");
    out.weak_memory = in.at("weak_memory");
    out.draws_older = in.at("draws_older");
    out.tells_others = in.at("tells_others");
    out.unit = static_cast<schedule_unit>(in.at("unit").get<int>());
    return out;
  } catch (const data::json::exception& e) {
    throw report_error(e.what());
  }
}

namespace {
// parse() reads the whole text. Throws report_error where that is no report of ours.
template <class Parse>
run_report read_report(const Parse& parse) {
  try {
    const data::json in = parse();
    if (in.at("schema") != data::kReportSchema)
      throw report_error(fmt::format("its schema is {}", in.at("schema").dump()));
    run_report out;
    data::reader r(in);
    data::walk(r, out);
    return out;
  } catch (const data::json::exception& e) {
    throw report_error(e.what());
  }
}
}  // namespace

run_report report_from_json(std::string_view text) {
  return read_report([&] { return data::json::parse(text); });
}

std::string report_bytes(const run_report& report) {
  std::string out;
  data::json::to_cbor(data::written(report, false), out);
  return out;
}

run_report report_from_bytes(std::string_view bytes) {
  return read_report([&] { return data::json::from_cbor(bytes); });
}

}  // namespace simt
