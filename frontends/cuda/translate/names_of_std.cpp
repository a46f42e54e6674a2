// SPDX-License-Identifier: Apache-2.0
// `using namespace std;` and a variable, type or kernel of the program that has the name of something that our headers
// bring into std and NVIDIA's do not: `int count;` would be ambiguous. The program's own gets another name. The driver
// takes this text only where the source does not compile otherwise, so overloads of such a name are left alone where
// they work.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "translate.hpp"

namespace simt::cuda_source {
namespace {

// Sorted.
constexpr std::string_view kNames[] = {
    "accumulate", "adjacent_difference", "adjacent_find", "adopt_lock", "advance", "align", "all_of",
    "allocate_shared", "allocator", "allocator_arg", "allocator_traits", "any", "any_of", "apply", "array",
    "assignable_from", "assume_aligned", "atomic", "auto_ptr", "bad_cast", "bad_exception", "bad_optional_access",
    "bad_typeid", "bad_weak_ptr", "barrier", "bidirectional_iterator", "binary_function", "binary_negate",
    "binary_search", "bind1st", "bind2nd", "binder1st", "binder2nd", "bit_and", "bit_cast", "bit_ceil", "bit_floor",
    "bit_not", "bit_or", "bit_width", "bit_xor", "bitset", "boolalpha", "btowc", "call_once", "cbegin", "cend",
    "centi", "clamp", "collate", "collate_byname", "complex", "const_pointer_cast", "construct_at",
    "constructible_from", "contiguous_iterator", "convertible_to", "copy_constructible", "copy_if", "copy_n",
    "copyable", "count", "count_if", "counted_iterator", "countl_one", "countl_zero", "countr_one", "countr_zero",
    "crbegin", "cref", "crend", "ctype", "ctype_base", "ctype_byname", "current_exception", "data", "dec", "deca",
    "deci", "declare_no_pointers", "declare_reachable", "default_delete", "default_initializable", "defaultfloat",
    "defer_lock", "deque", "derived_from", "destroy", "destroy_at", "destroy_n", "destroying_delete", "destructible",
    "distance", "divides", "domain_error", "dynamic_pointer_cast", "emit_on_flush", "empty",
    "enable_shared_from_this", "endian", "endl", "ends", "equal_range", "equal_to", "equality_comparable",
    "equivalence_relation", "erase", "erase_if", "errc", "error_category", "error_code", "error_condition", "exa",
    "exception_ptr", "exclusive_scan", "fgetwc", "fgetws", "filebuf", "find", "find_end", "find_first_of", "find_if",
    "find_if_not", "fixed", "floating_point", "flush", "flush_emit", "for_each", "for_each_n", "forward_as_tuple",
    "forward_iterator", "fpos", "fputwc", "fputws", "fstream", "function", "fwide", "fwprintf", "fwscanf", "gcd",
    "generate", "generate_n", "generic_category", "get_deleter", "get_pointer_safety", "get_temporary_buffer",
    "get_terminate", "getline", "getwc", "getwchar", "giga", "greater", "greater_equal", "has_facet",
    "has_single_bit", "hash", "hecto", "hex", "hexfloat", "identity", "ifstream", "ignore", "in_range", "includes",
    "inclusive_scan", "incrementable", "incrementable_traits", "inner_product", "inplace_merge", "input_iterator",
    "input_or_output_iterator", "integral", "internal", "invalid_argument", "invocable", "io_errc", "ios", "ios_base",
    "iostream", "iostream_category", "iota", "is_bounded_array", "is_constant_evaluated", "is_eq",
    "is_error_code_enum", "is_error_condition_enum", "is_gt", "is_gteq", "is_heap", "is_heap_until",
    "is_layout_compatible", "is_lt", "is_lteq", "is_neq", "is_partitioned", "is_sorted", "is_sorted_until",
    "is_unbounded_array", "isalnum", "isalpha", "isblank", "iscntrl", "isdigit", "isgraph", "islower", "isprint",
    "ispunct", "isspace", "istream", "istringstream", "isupper", "iswalnum", "iswalpha", "iswblank", "iswcntrl",
    "iswctype", "iswdigit", "iswgraph", "iswlower", "iswprint", "iswpunct", "iswspace", "iswupper", "iswxdigit",
    "isxdigit", "kill_dependency", "kilo", "latch", "lcm", "lconv", "left", "length_error", "less", "less_equal",
    "lexicographical_compare_three_way", "list", "locale", "localeconv", "lock", "lock_guard", "logic_error",
    "logical_and", "logical_not", "logical_or", "make_error_code", "make_error_condition", "make_exception_ptr",
    "make_from_tuple", "make_heap", "make_optional", "make_shared", "make_tuple", "make_unique", "map", "max_element",
    "mbrlen", "mbrtowc", "mbsinit", "mbsrtowcs", "mega", "mem_fun", "mem_fun_ref", "memory_order",
    "memory_order_acq_rel", "memory_order_acquire", "memory_order_consume", "memory_order_relaxed",
    "memory_order_release", "memory_order_seq_cst", "merge", "mergeable", "messages", "messages_base",
    "messages_byname", "micro", "milli", "min_element", "minmax", "minmax_element", "minus", "modulus", "money_base",
    "money_get", "money_put", "moneypunct", "moneypunct_byname", "movable", "move_constructible", "move_sentinel",
    "multimap", "multiplies", "mutex", "nano", "negate", "nested_exception", "next", "next_permutation",
    "noboolalpha", "noemit_on_flush", "none_of", "noshowbase", "noshowpoint", "noshowpos", "noskipws", "not1", "not2",
    "not_equal_to", "nounitbuf", "nouppercase", "nth_element", "nullopt", "num_get", "num_put", "numpunct",
    "numpunct_byname", "oct", "ofstream", "once_flag", "optional", "ostream", "ostringstream", "osyncstream",
    "out_of_range", "output_iterator", "overflow_error", "owner_less", "partial_order", "partial_ordering",
    "partial_sort", "partial_sort_copy", "partial_sum", "partition", "partition_copy", "partition_point",
    "permutable", "peta", "pico", "plus", "pointer_safety", "pointer_to_binary_function", "pointer_to_unary_function",
    "pop_heap", "popcount", "predicate", "prev", "prev_permutation", "projected", "ptr_fun", "push_heap", "putwc",
    "putwchar", "queue", "random_access_iterator", "random_shuffle", "range_error", "ranges", "ratio",
    "raw_storage_iterator", "rbegin", "recursive_mutex", "recursive_timed_mutex", "reduce", "ref", "regular",
    "regular_invocable", "reinterpret_pointer_cast", "relation", "remove_copy", "remove_copy_if", "remove_cvref",
    "remove_if", "rend", "replace", "replace_copy", "replace_copy_if", "replace_if", "rethrow_exception",
    "rethrow_if_nested", "return_temporary_buffer", "reverse", "reverse_copy", "right", "rotate", "rotate_copy",
    "rotl", "rotr", "runtime_error", "same_as", "sample", "scientific", "scoped_lock", "search", "search_n",
    "semiregular", "set", "set_difference", "set_intersection", "set_symmetric_difference", "set_terminate",
    "set_union", "setlocale", "shared_ptr", "shift_left", "shift_right", "showbase", "showpoint", "showpos",
    "shuffle", "signed_integral", "size", "skipws", "sort", "sort_heap", "sortable", "span", "ssize",
    "stable_partition", "stable_sort", "stack", "static_pointer_cast", "stod", "stof", "stoi", "stol", "stold",
    "stoll", "stoul", "stoull", "streambuf", "streamoff", "streampos", "streamsize", "strict_weak_order", "string",
    "string_view", "stringbuf", "stringstream", "strong_order", "strong_ordering", "swappable", "swprintf", "swscanf",
    "syncbuf", "system_category", "system_error", "tera", "terminate", "terminate_handler", "thread",
    "three_way_comparable", "throw_with_nested", "tie", "time_base", "time_get", "time_get_byname", "time_put",
    "time_put_byname", "timed_mutex", "to_address", "to_array", "to_integer", "to_string", "to_wstring", "tolower",
    "totally_ordered", "toupper", "towctrans", "towlower", "towupper", "transform", "transform_exclusive_scan",
    "transform_inclusive_scan", "transform_reduce", "try_lock", "try_to_lock", "tuple_cat", "type_identity",
    "type_info", "unary_function", "unary_negate", "uncaught_exception", "uncaught_exceptions",
    "undeclare_no_pointers", "undeclare_reachable", "underflow_error", "unexpected", "unexpected_handler", "ungetwc",
    "uniform_int_distribution", "uniform_random_bit_generator", "unique", "unique_copy", "unique_lock", "unique_ptr",
    "unitbuf", "unordered_map", "unreachable_sentinel", "unsigned_integral", "unwrap_ref_decay", "unwrap_reference",
    "upper_bound", "uppercase", "use_facet", "uses_allocator", "uses_allocator_construction_args", "valarray",
    "variant", "vector", "vfwprintf", "vfwscanf", "visit", "vswprintf", "vswscanf", "vwprintf", "vwscanf",
    "weak_order",
};

bool is_of_std(const token& t) {
  return t.is_name() && std::binary_search(std::begin(kNames), std::end(kNames), t.text);
}

bool has_using_directive(const unit& u) {
  for (position p = 0; p < u.tokens.size(); ++p)
    if (u.tokens[p].is("using") && u.at(u.next(p)).is("namespace") && u.at(u.next(u.next(p))).is("std")) return true;
  return false;
}

// Whether a declaration of the name at p is what stands there: `int x;`, `T* x[3]`, `struct x {`, `void x(`.
bool is_declared_at(const unit& u, position p) {
  const position previous = u.previous(p);
  if (previous == kNowhere) return false;
  const token &before = u.at(previous), &behind = u.at(u.next(p));
  for (const char* w : {"return", "new", "delete", "else", "using", "namespace", "goto", "throw", "case"})
    if (before.is(w)) return before.is("using") && behind.is("=");
  const bool typed = before.is_name() || before.is("*") || before.is("&") || before.is(">") || before.is(",") ||
                     (before.is("}") && !behind.is("("));
  return typed && (behind.is(";") || behind.is("=") || behind.is("[") || behind.is(",") || behind.is("{") ||
                   behind.is("(") || behind.is(":") || behind.is("<"));
}

// Names of the table that the program declares at namespace scope of its own, those of enumerators among them.
std::set<std::string_view> declared_names(const unit& u) {
  std::set<std::string_view> found;
  bool of_enum = false;  // since the last declaration ended
  for (position p = 0; p < u.tokens.size(); ++p) {
    const token& t = u.tokens[p];
    if (t.is("enum")) of_enum = !u.at(u.next(p)).is("class") && !u.at(u.next(p)).is("struct");
    if (t.is(";")) of_enum = false;
    const bool bracket = t.is("{") || t.is("(") || t.is("[");
    if (bracket && u.mate(p) != kNowhere) {
      if (t.is("{") && of_enum)
        for (position q = p; q < u.mate(p); ++q)
          if (is_of_std(u.tokens[q])) found.insert(u.tokens[q].text);
      p = u.mate(p);
    } else if (is_of_std(t) && is_declared_at(u, p)) {
      found.insert(t.text);
    }
  }
  return found;
}

// A member of that name would have to be renamed with all its uses, some of which may be of the library's classes.
bool is_member(const unit& u, std::string_view name) {
  for (position p = 0; p < u.tokens.size(); ++p)
    if (u.tokens[p].is_name() && u.tokens[p].text == name && u.previous(p) != kNowhere &&
        (u.at(u.previous(p)).is(".") || u.at(u.previous(p)).is("->")))
      return true;
  return false;
}

// std::count, cub::array: of another namespace or class; ::count is the program's.
bool is_qualified(const unit& u, position p) {
  const position colons = u.previous(p);
  if (colons == kNowhere || !u.at(colons).is("::")) return colons != kNowhere && u.at(colons).is(".");
  const position scope = u.previous(colons);
  return scope != kNowhere && !u.at(scope).is("return") && (u.at(scope).is_name() || u.at(scope).is(">"));
}

std::map<std::string_view, std::string> names_to_change(const unit& u) {
  std::map<std::string_view, std::string> all;
  if (!has_using_directive(u)) return all;
  for (const std::string_view name : declared_names(u))
    if (!is_member(u, name)) all.emplace(name, std::string(name) + "_of_program");
  return all;
}

}  // namespace

bool has_names_of_std(const unit& u) { return !names_to_change(u).empty(); }

void rename_names_of_std(unit& u) {
  const std::map<std::string_view, std::string> all = names_to_change(u);
  for (position p = 0; p < u.tokens.size(); ++p) {
    if (!is_of_std(u.tokens[p])) continue;
    const auto found = all.find(u.tokens[p].text);
    if (found != all.end() && !is_qualified(u, p)) u.rename(p, found->second);
  }
}

}  // namespace simt::cuda_source
