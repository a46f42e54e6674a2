// SPDX-License-Identifier: Apache-2.0
#include "phrase_atomic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "combining.hpp"
#include "counted.hpp"
#include "phrase_order.hpp"

namespace simt {
namespace {

struct atomic_call {
  std::string_view update, in_api, in_cuda;
  bool negates = false;
  bool of_floats = true;
};
constexpr atomic_call kAtomics[] = {
    {"+=", "atomic_add", "atomicAdd"},
    {"++", "atomic_add", "atomicAdd"},
    {"-=", "atomic_add", "atomicAdd", true},
    {"--", "atomic_add", "atomicAdd", true},
    {"|=", "atomic_or", "atomicOr"},
    {"&=", "atomic_and", "atomicAnd"},
    {"^=", "atomic_xor", "atomicXor"},
    {">", "atomic_max", "atomicMax", false, false},
    {"<", "atomic_min", "atomicMin", false, false},
    {"=", "atomic_exch", "atomicExch"},
};

constexpr std::array<std::string_view, 2> kFloats = {"float", "double"};
constexpr std::array<std::string_view, 4> kHalfPairs = {"__half2", "half2", "__nv_bfloat162", "nv_bfloat162"};
// Integers of 8 bytes that CUDA's functions take as unsigned long long only.
constexpr std::array<std::string_view, 6> kLong = {"long",     "long long", "unsigned long",
                                                   "long int", "size_t",    "int64_t"};

bool is_one_of(std::span<const std::string_view> list, const std::string& type) {
  return std::ranges::find(list, type) != list.end();
}

// lock of (volatile int*)lock: atomic functions take no pointer to volatile, and the cast was only there for the
// access.
std::string_view without_volatile(std::string_view pointer) {
  const std::string_view bare = without_brackets(pointer);
  const std::size_t close = bare.find(')');
  if (!bare.starts_with('(') || close == std::string_view::npos) return pointer;
  const std::string_view cast = bare.substr(1, close - 1), rest = bare.substr(close + 1);
  const std::size_t star = cast.find_last_not_of(' '), from = rest.find_first_not_of(' ');
  const bool is_one = cast.find("volatile") != std::string_view::npos && cast.find('(') == std::string_view::npos &&
                      cast[star] == '*' && from != std::string_view::npos;
  return is_one ? rest.substr(from) : pointer;
}

// What the first argument is: "&bins[b]", "ctr" of *ctr, "bins[b]" in the API.
std::string place_of(const std::string& target, const std::string& type, dialect d) {
  if (d == dialect::api) return target;
  const std::string_view word = without_brackets(target);  // of (*left)--
  const std::string pointer =
      word.starts_with('*') ? std::string(without_volatile(word.substr(1))) : fmt::format("&{}", word);
  const bool casts = is_one_of(kLong, type) || type.ends_with('*');
  return casts ? "(unsigned long long*)" + pointer : pointer;
}

std::string_view swap_call(dialect d) { return d == dialect::cuda ? "atomicCAS" : "atomic_cas"; }

std::string swap_loop(const std::string& target, const std::string& type, dialect d) {
  if (d == dialect::cuda && is_one_of(kFloats, type))
    return fmt::format("a loop with atomicCAS on the bits of {} ({})", target,
                       type == "float" ? "__float_as_int" : "__double_as_longlong");
  if (d == dialect::cuda && is_one_of(kHalfPairs, type))
    return fmt::format("a loop with atomicCAS on the bits of {}, as an unsigned int", target);
  return fmt::format("a loop with {}({}, ...)", swap_call(d), place_of(target, type, d));
}

// "atomicAdd(&bins[b], 1)"
std::string call_of(const line_update& u, const std::string& type, dialect d) {
  const auto* call = std::ranges::find(kAtomics, u.operation.empty() ? "+=" : u.operation, &atomic_call::update);
  if (call == std::end(kAtomics) || (!call->of_floats && d == dialect::cuda && is_one_of(kFloats, type)))
    return swap_loop(u.target, type, d);
  const bool steps = u.operation == "++" || u.operation == "--";
  std::string operand = steps ? "1" : u.operand.empty() ? "..." : u.operand;
  if (call->negates)
    operand = operand.find_first_of(" +-*/?") != std::string::npos ? "-(" + operand + ")" : "-" + operand;
  if (d == dialect::cuda && type.ends_with('*')) operand = "(unsigned long long)" + operand;
  const std::string text = fmt::format("{}({}, {})", d == dialect::cuda ? call->in_cuda : call->in_api,
                                       place_of(u.target, type, d), operand);
  return u.value_used ? text + (call->negates ? " - 1" : " + 1") : text;
}

// What the kernel calls it, which has its own name for the host's buffer; else the host's name.
line_update update_of(const finding& f) {
  const facts& v = f.facts;
  return {v.update_line, v.target.empty() ? element_of(f) : v.target, v.update, v.operand, v.value_used};
}

// The element's type, where the access is one of a whole element.
std::string type_of(const finding& f) { return f.bytes < 4 || f.type != "char" ? f.type : std::string(); }

std::string updates_made_atomic(const finding& f, dialect d) {
  const facts& v = f.facts;
  const line_update first = update_of(f);
  const std::string call = call_of(first, type_of(f), d);
  if (v.plain_update != 0) return fmt::format("make the update at line {} atomic, too: {}", v.plain_update, call);
  if (v.other_updates.empty()) return "make the update one atomic operation: " + call;
  std::vector<line_update> all = v.other_updates;
  all.push_back(first);
  std::ranges::sort(all, {}, &line_update::line);
  std::string list;
  for (const line_update& u : all)
    list += fmt::format("{}{} at line {}", list.empty() ? "" : ", ", call_of(u, type_of(f), d), u.line);
  return "make each of these updates one atomic operation: " + list;
}

std::string lines_of_step(const one_step& s, std::string_view read) {
  if (s.read_line == s.write_line) return fmt::format("the {} and the write", read);
  return fmt::format("the {} at line {} and the write at line {}", read, s.read_line, s.write_line);
}

std::string test_made_atomic(const finding& f, dialect d) {
  const facts& v = f.facts;
  const std::string type = type_of(f), both = lines_of_step(v.step, "test");
  const bool compares = v.update == ">" || v.update == "<";
  if (compares && v.step.does_more)
    return fmt::format(
        "hold a lock around the test at line {} and all that depends on it, or pack what is written there into one "
        "64-bit word and update that by {}: an atomic operation on {} alone does not keep the other statements in step",
        v.step.read_line,
        d == dialect::cuda ? (v.update == ">" ? "atomicMax" : "atomicMin")
                           : (v.update == ">" ? "atomic_max" : "atomic_min"),
        update_of(f).target);
  if (compares) return fmt::format("make {} one atomic operation: {}", both, call_of(update_of(f), type, d));
  if (v.update == "=")
    return fmt::format("make {} one atomic operation: test what {}({}, ..., {}) gives, the value that was there before",
                       both, swap_call(d), place_of(v.target, type, d), v.operand);
  return fmt::format("make {} one atomic operation: {}", both, swap_loop(update_of(f).target, type, d));
}

std::string step_made_atomic(const finding& f, dialect d) {
  const facts& v = f.facts;
  const one_step& s = v.step;
  if (!s.call.empty())
    return fmt::format("take the value from the atomic operation at line {} instead of reading it at line {}: {} = {}",
                       s.write_line, s.read_line, s.result, s.call);
  if (s.is_test) return test_made_atomic(f, d);
  line_update update = update_of(f);
  update.value_used = false;  // wanted is what was there before
  const bool is_known = !v.update.empty();
  const std::string type = type_of(f);
  std::string call = is_known ? call_of(update, type, d) : swap_loop(update.target, type, d);
  const bool gives = is_known && (s.two_statements || s.read_line != s.write_line) && call.starts_with("atomic");
  if (gives && !s.result.empty()) call = s.result + " = " + call;
  return fmt::format("make {} one atomic operation: {}{}", lines_of_step(s, "read"), call,
                     gives && s.result.empty() ? ", which gives the value that was there before" : "");
}

std::string flag_made_atomic(const finding& f, dialect d) {
  const facts& v = f.facts;
  const auto line_of = [&](access_kind k) { return std::ranges::find(f.accesses, k, &access::kind)->line; };
  const bool is_set_so = std::ranges::find(f.accesses, access_kind::atomic, &access::kind) != f.accesses.end();
  if (is_set_so)
    return fmt::format(
        "read it at line {} by an atomic operation, too: {}({}, 0), with {} behind it, before what it tells of is used",
        line_of(access_kind::read), d == dialect::cuda ? "atomicAdd" : "atomic_add", place_of(v.target, type_of(f), d),
        word_of("fence", d));
  const std::string value = v.operand == "true" ? "1" : v.operand == "false" ? "0" : v.operand;
  const std::string place = place_of(v.target, type_of(f), d);
  return fmt::format("use the flag by atomic operations: {}({}, {}) at line {}, and {}({}, 0) to read it at line {}",
                     d == dialect::cuda ? "atomicExch" : "atomic_exch", place, value, line_of(access_kind::write),
                     d == dialect::cuda ? "atomicAdd" : "atomic_add", place, line_of(access_kind::read));
}

// "atomicExch(&lock, 0)", of a lock or of a flag that others wait for.
std::string lock_given_back(const finding& f, dialect d) {
  const facts& v = f.facts;
  const auto looks = std::ranges::find(f.accesses, access_kind::atomic, &access::kind);
  return fmt::format(
      "write it at line {} by an atomic operation, too: {}({}, {}), with {} in front of it, and another behind "
      "the operation {}",
      v.unlock_line, d == dialect::cuda ? "atomicExch" : "atomic_exch", place_of(v.target, type_of(f), d), v.operand,
      word_of("fence", d),
      looks != f.accesses.end() && looks->line > 0 ? fmt::format("at line {}", looks->line) : "that takes it");
}

}  // namespace

std::string of_a_word(const finding& f, dialect d) {
  const bool small = d == dialect::cuda && (f.bytes == 1 || (f.bytes == 2 && f.type.find("half") == std::string::npos &&
                                                             f.type.find("bfloat") == std::string::npos));
  return small ? fmt::format(" (make {} of type int for that: CUDA has no such operation of {})",
                             f.object.empty() ? "it" : f.object, counted(f.bytes, "byte"))
               : std::string();
}

std::string atomic_update(const line_update& u, dialect d) { return call_of(u, "", d); }

bool wants_atomic(const facts& v) { return v.in_place || v.both_update || v.unlock_line != 0 || v.step.read_line != 0; }

std::string made_atomic(const finding& f, dialect d) {
  const facts& v = f.facts;
  if (v.in_place || v.both_update) return updates_made_atomic(f, d) + of_a_word(f, d);
  if (v.unlock_line != 0) return lock_given_back(f, d) + of_a_word(f, d);
  if (v.step.read_line != 0) return step_made_atomic(f, d) + of_a_word(f, d);
  return flag_made_atomic(f, d) + of_a_word(f, d);
}

}  // namespace simt
