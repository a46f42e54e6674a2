// SPDX-License-Identifier: Apache-2.0
// Programs: kernels with their sizes, geometry, data, reference and expected findings, declared once. The tool's
// --help, list, test and bench come from the declaration.
//
//   void run_double(simt::run& r) {
//     const auto n = r.option<std::int64_t>("n");
//     auto x = r.input("x", std::vector<double>(n, 1.0));            // a buffer with these values
//     r.launch([&] { simt::launch<times_two>(r.stream(), r.geometry({.grid = 8, .block = 32}), x); });
//     r.expect(x, std::vector<double>(n, 2.0));
//   }
//   const simt::program times_two_program{{.name = "double", .summary = "...", .options = {{"n", "elements", 256}}},
//   run_double};
//
// The body runs on the host, once a run. Host only.
#pragma once

#include <cmath>
#include <concepts>
#include <functional>
#include <initializer_list>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <simt/module.hpp>
#include <simt/simt.hpp>

namespace simt {

// One option of a program, its type taken from the default value.
struct option_declaration {
  program_option option;
  template <std::integral Integer>
  option_declaration(std::string name, std::string help, Integer value, std::int64_t minimum = 0)
      : option{std::move(name), std::move(help), program_option::type::integer, std::to_string(value),
               static_cast<double>(minimum)} {}
  option_declaration(std::string name, std::string help, double value)
      : option{std::move(name), std::move(help), program_option::type::real, std::to_string(value), {}} {}
  option_declaration(std::string name, std::string help, const char* value)
      : option{std::move(name), std::move(help), program_option::type::text, value, {}} {}
};

// What --check all must find; see program_expectation.
struct expected {
  std::string rule;
  std::string object;
  bool warning = false;
  bool may_be_missing = false;
};

// Every member has a default, so that a declaration names only what it needs.
struct program_declaration {
  std::string name = {};
  std::string summary = {};       // one line
  std::string group = "example";  // heading in `simrun list`
  std::vector<option_declaration> options = {};
  std::string geometry = {};  // for --help: "grid 64, block 64"
  std::vector<expected> findings = {};
  result_status result = result_status::match;
  bool result_may_vary = false;
  bool plots = false;
};

class run;

// Registers a program with its module; define at namespace scope.
class program {
 public:
  program(program_declaration declaration, void (*body)(run&));
};

namespace detail {
// One output or input buffer of a run, type-erased.
struct array_record {
  std::string name;
  std::string type;
  std::vector<std::int64_t> extents;
  bool output = false;
  bool as_expected = false;        // compared with expect(): what nobody wrote is right as it is
  std::function<void()> upload;    // initial values to the device; empty: the array starts uninitialised
  std::function<void()> download;  // device to the host copy below
  std::function<output_summary()> summary;
  std::function<std::vector<unsigned char>()> bytes;
  const void* device = nullptr;
  std::size_t element_bytes = 1;
  double tolerance = 0;
};
}  // namespace detail

// What a program's body works with: options, geometry, buffers, launches, expectations.
class run {
 public:
  run(const run_request& request, const program_info& info, run_report& report)
      : request_(request), info_(info), report_(report) {}

  // Value of a declared option: std::int64_t, int, double, float or std::string.
  template <class T = std::int64_t>
  T option(const std::string& name) const {
    const std::string text = option_text(name);
    if constexpr (std::is_same_v<T, std::string>)
      return text;
    else if constexpr (std::is_floating_point_v<T>)
      return static_cast<T>(std::stod(text));
    else
      return static_cast<T>(option_integer(name, text));
  }

  // Value of a declared option that is a number of elements; refused if so many cannot fit memory.
  std::int64_t size(const std::string& name) const { return elements({option(name)}); }
  // Product of these extents; refused if so many elements cannot fit memory.
  static std::int64_t elements(std::initializer_list<std::int64_t> extents);

  // The launch configuration: the program's own unless --grid, --block or --shared say otherwise. Axes: how many axes
  // of the geometry the kernel looks at; more are refused, because threads along the others would repeat its work.
  template <int Axes = 3>
  launch_config geometry(launch_config own) const {
    return own_or_given(std::move(own), Axes);
  }
  // Blocks of `block` threads (or --block) that cover n elements (or --grid): per axis.
  template <int Axes = 3>
  launch_config cover(dim3 n, dim3 block) const {
    return covering(n, block, Axes);
  }
  // The same launch with at least `bytes` of dynamic shared memory; refused if --shared asks for less.
  launch_config with_shared(launch_config config, std::int64_t bytes) const;
  // Throws: --block was given and is not `block`, the only one that the program's kernel works with; `why` ends the
  // message.
  void only_block(dim3 block, const std::string& why) const;
  // True if the user set it.
  bool grid_given() const { return request_.grid.has_value(); }
  bool block_given() const { return request_.block.has_value(); }
  std::int64_t block_or(std::int64_t own) const { return request_.block ? (*request_.block)[0] : own; }

  const simt::stream& stream() const { return stream_; }
  const run_request& request() const { return request_; }

  // A buffer with these values, uploaded before the launch. Extents default to one axis.
  template <class T>
  buffer<T> input(const std::string& name, std::vector<T> values, std::vector<std::int64_t> extents = {}) {
    return add<T>(name, std::move(values), std::move(extents), false, true);
  }
  // A buffer whose result is reported; starts with these values.
  template <class T>
  buffer<T> output(const std::string& name, std::vector<T> values, std::vector<std::int64_t> extents = {}) {
    return add<T>(name, std::move(values), std::move(extents), true, true);
  }
  // A buffer whose result is reported; starts uninitialised.
  template <class T>
  buffer<T> output(const std::string& name, std::int64_t size) {
    return add<T>(name, std::vector<T>(static_cast<std::size_t>(checked_size(name, size))), {}, true, false);
  }
  template <class T>
  buffer<T> output(const std::string& name, std::vector<std::int64_t> extents) {
    std::int64_t n = 1;
    for (const std::int64_t e : extents)
      if (__builtin_mul_overflow(n, e, &n)) n = std::numeric_limits<std::int64_t>::max();
    return add<T>(name, std::vector<T>(static_cast<std::size_t>(checked_size(name, n))), std::move(extents), true,
                  false);
  }
  // Device memory that the kernels use among themselves: neither copied nor reported.
  template <class T>
  buffer<T> scratch(const std::string& name, std::int64_t size) {
    return buffer<T>(size, name);
  }

  // The launches of one run. Called once; under bench several times, each time from the initial values, and timed.
  // Everything that resets scratch memory for the launches belongs into the function too.
  void launch(const std::function<void()>& launches);

  // Compares an output (after launch) with the host's reference: bit for bit, or within the relative tolerance, where
  // the difference is taken against max(|wanted|, floor).
  template <class T>
  void expect(const buffer<T>& got, const std::vector<T>& wanted, double tolerance = 0, double floor = 0);
  // For results that cannot be compared element by element.
  void expect(bool ok, const std::string& detail);
  // No reference: the result is reported as unchecked.
  void unchecked(const std::string& why);

  void plot(plot_data p) { report_.plot = std::move(p); }
  // Host copy of an output after the launch.
  template <class T>
  std::vector<T> result(const buffer<T>& b) const {
    return *std::static_pointer_cast<std::vector<T>>(host_.at(b.data()));
  }

  // After the body: outputs that nobody wrote become findings. They may rightly keep what they held, so one is only
  // named where the comparison with the reference has not shown it to be right.
  void report_unwritten();

  const std::vector<detail::array_record>& arrays() const { return arrays_; }
  run_report& report() { return report_; }

 private:
  std::string option_text(const std::string& name) const;
  std::int64_t option_integer(const std::string& name, const std::string& text) const;
  static std::int64_t checked_size(const std::string& name, std::int64_t n);
  launch_config own_or_given(launch_config own, int axes) const;
  launch_config covering(dim3 n, dim3 block, int axes) const;
  void mismatch(const std::string& detail);
  static bool unwritten_among(const detail::array_record& a, const std::vector<std::size_t>& elements);
  void matched();
  void run_once(const std::function<void()>& launches);

  template <class T>
  buffer<T> add(const std::string& name, std::vector<T> values, std::vector<std::int64_t> extents, bool output,
                bool initialised);

  const run_request& request_;
  const program_info& info_;
  run_report& report_;
  simt::stream stream_ = simt::stream::default_stream();
  std::vector<detail::array_record> arrays_;
  std::vector<std::int64_t> unwritten_;  // elements of each of arrays_, after the launches
  std::map<const void*, std::shared_ptr<void>> host_;
};

template <class T>
buffer<T> run::add(const std::string& name, std::vector<T> values, std::vector<std::int64_t> extents, bool output,
                   bool initialised) {
  if (extents.empty()) extents = {static_cast<std::int64_t>(values.size())};
  buffer<T> b(extents, name);
  auto host = std::make_shared<std::vector<T>>(std::move(values));
  // The handle shared by the records below refers to the same memory; the program keeps the owner.
  const auto flat = b.view();
  detail::array_record record;
  record.name = name;
  record.type = std::string(type_name<T>());
  record.extents = extents;
  record.output = output;
  record.device = b.data();
  record.element_bytes = sizeof(T);
  const std::size_t bytes = b.bytes();
  const simt::stream s = stream_;
  if (initialised) {
    auto initial = std::make_shared<const std::vector<T>>(*host);
    record.upload = [=] {
      backend::copy(flat.data_handle(), initial->data(), bytes, copy_kind::host_to_device, s.handle(), true);
    };
    record.upload();
  }
  if (output) {
    record.download = [=] {
      backend::copy(host->data(), flat.data_handle(), bytes, copy_kind::device_to_host, s.handle(), true);
    };
    record.summary = [=] {
      output_summary sum;
      sum.count = static_cast<std::int64_t>(host->size());
      if constexpr (std::is_arithmetic_v<T>) {
        sum.integral = std::is_integral_v<T>;
        for (const T& v : *host) sum.sum += static_cast<double>(v);
        sum.hash = 0xcbf29ce484222325;  // FNV-1a, of the values
        for (const T& v : *host) sum.hash = (sum.hash ^ std::hash<T>()(v)) * 0x100000001b3;
        for (std::size_t i = 0; i < host->size() && i < 8; ++i) sum.head.push_back(static_cast<double>((*host)[i]));
      }
      return sum;
    };
    record.bytes = [=] {
      const auto* p = reinterpret_cast<const unsigned char*>(host->data());
      return std::vector<unsigned char>(p, p + bytes);
    };
  }
  arrays_.push_back(std::move(record));
  host_[b.data()] = host;
  return b;
}

template <class T>
void run::expect(const buffer<T>& got, const std::vector<T>& wanted, double tolerance, double floor) {
  const std::vector<T>& values = *std::static_pointer_cast<std::vector<T>>(host_.at(got.data()));
  for (auto& a : arrays_)
    if (a.name == got.name()) a.tolerance = tolerance;
  if (values.size() != wanted.size())
    return mismatch(got.name() + " has " + std::to_string(values.size()) + " elements, the reference " +
                    std::to_string(wanted.size()));
  std::size_t wrong = 0, first = 0;
  std::vector<std::size_t> differing;  // the first ones
  for (std::size_t i = 0; i < values.size(); ++i) {
    bool same;
    if constexpr (std::is_floating_point_v<T>) {
      const double a = values[i], b = wanted[i];
      same = a == b || (std::isnan(a) && std::isnan(b)) ||
             (tolerance > 0 && std::abs(a - b) <= tolerance * std::max(std::abs(b), floor));
    } else {
      same = __builtin_memcmp(&values[i], &wanted[i], sizeof(T)) == 0;
    }
    if (same) continue;
    if (wrong++ == 0) first = i;
    if (differing.size() < 64) differing.push_back(i);
  }
  for (auto& a : arrays_)
    if (a.device == got.data()) a.as_expected = !unwritten_among(a, differing);
  if (wrong == 0) return matched();
  std::string detail =
      got.name() + ": " + std::to_string(wrong) + " of " + std::to_string(values.size()) + " elements differ";
  if constexpr (std::is_arithmetic_v<T>)
    detail += "; first " + got.name() + "[" + std::to_string(first) + "] = " + std::to_string(values[first]) +
              ", wanted " + std::to_string(wanted[first]);
  mismatch(detail);
}

}  // namespace simt
