// SPDX-License-Identifier: Apache-2.0
#include "host_functions.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Demangle/Demangle.h>

#include <cstdint>
#include <cstdlib>

namespace simt::compile {

using namespace llvm;

namespace {

constexpr std::string_view kRandom = "draw numbers with cuRAND (curand_kernel.h), or on the host";
constexpr std::string_view kOutput = "write with printf";
constexpr std::string_view kFiles = "read and write files on the host, and copy the data";
constexpr std::string_view kEnd = "return from the kernel, or call __trap()";
constexpr std::string_view kClock = "read clock64(), or measure on the host with events";
constexpr std::string_view kText = "work on text on the host, and pass what comes out";
constexpr std::string_view kMemory = "write a loop, or use memcpy, memset, malloc and free";
constexpr std::string_view kHost = "call it on the host, and pass what comes out";
constexpr std::string_view kContainer = "pass a pointer to memory of cudaMalloc; a small array is `T name[n];`";
constexpr std::string_view kSort = "sort on the host with thrust::sort, or write the sort";
constexpr std::string_view kLoop = "write a loop, or call Thrust on the host";
constexpr std::string_view kMinimum = "write min(a, b) or max(a, b) without std::";
constexpr std::string_view kSwap = "swap by a variable of the thread";
constexpr std::string_view kLimits = "use a constant of <cfloat> or <climits>, such as FLT_MAX";
constexpr std::string_view kPair = "write a structure of your own";

// When nvcc takes it: with --expt-relaxed-constexpr as C++17 has it, perhaps with a newer standard, or never.
enum class taken : std::uint8_t { relaxed, perhaps, never };

struct entry {
  StringLiteral name;
  taken by_nvcc;
  std::string_view instead;
};

// Of C. What glibc calls otherwise has a prefix there: __isoc99_sscanf.
constexpr entry kOfC[] = {
    {"rand", taken::never, kRandom},         {"srand", taken::never, kRandom},   {"rand_r", taken::never, kRandom},
    {"random", taken::never, kRandom},       {"srandom", taken::never, kRandom}, {"drand48", taken::never, kRandom},
    {"lrand48", taken::never, kRandom},      {"puts", taken::never, kOutput},    {"putchar", taken::never, kOutput},
    {"fprintf", taken::never, kOutput},      {"fputs", taken::never, kOutput},   {"fputc", taken::never, kOutput},
    {"fflush", taken::never, kOutput},       {"perror", taken::never, kOutput},  {"fopen", taken::never, kFiles},
    {"fclose", taken::never, kFiles},        {"fread", taken::never, kFiles},    {"fwrite", taken::never, kFiles},
    {"fgets", taken::never, kFiles},         {"fscanf", taken::never, kFiles},   {"scanf", taken::never, kFiles},
    {"getchar", taken::never, kFiles},       {"exit", taken::never, kEnd},       {"_exit", taken::never, kEnd},
    {"abort", taken::never, kEnd},           {"time", taken::never, kClock},     {"gettimeofday", taken::never, kClock},
    {"clock_gettime", taken::never, kClock}, {"sprintf", taken::never, kText},   {"snprintf", taken::never, kText},
    {"sscanf", taken::never, kText},         {"atoi", taken::never, kText},      {"atof", taken::never, kText},
    {"strtol", taken::never, kText},         {"strtod", taken::never, kText},    {"memcmp", taken::never, kMemory},
    {"calloc", taken::never, kMemory},       {"realloc", taken::never, kMemory}, {"qsort", taken::never, kSort},
    {"getenv", taken::never, kHost},         {"system", taken::never, kHost},    {"sleep", taken::never, kHost},
    {"usleep", taken::never, kHost},         {"nanosleep", taken::never, kHost}};

// Functions of namespace std.
constexpr entry kOfStd[] = {{"min", taken::relaxed, kMinimum},
                            {"max", taken::relaxed, kMinimum},
                            {"clamp", taken::relaxed, kMinimum},
                            {"make_pair", taken::relaxed, kPair},
                            {"make_tuple", taken::relaxed, kPair},
                            {"swap", taken::perhaps, kSwap},
                            {"exchange", taken::perhaps, kSwap},
                            {"sort", taken::perhaps, kSort},
                            {"stable_sort", taken::perhaps, kSort},
                            {"partial_sort", taken::perhaps, kSort},
                            {"nth_element", taken::perhaps, kSort},
                            {"accumulate", taken::perhaps, kLoop},
                            {"reduce", taken::perhaps, kLoop},
                            {"inner_product", taken::perhaps, kLoop},
                            {"partial_sum", taken::perhaps, kLoop},
                            {"iota", taken::perhaps, kLoop},
                            {"fill", taken::perhaps, kLoop},
                            {"fill_n", taken::perhaps, kLoop},
                            {"copy", taken::perhaps, kLoop},
                            {"copy_n", taken::perhaps, kLoop},
                            {"copy_if", taken::perhaps, kLoop},
                            {"transform", taken::perhaps, kLoop},
                            {"for_each", taken::perhaps, kLoop},
                            {"find", taken::perhaps, kLoop},
                            {"find_if", taken::perhaps, kLoop},
                            {"count", taken::perhaps, kLoop},
                            {"count_if", taken::perhaps, kLoop},
                            {"reverse", taken::perhaps, kLoop},
                            {"rotate", taken::perhaps, kLoop},
                            {"unique", taken::perhaps, kLoop},
                            {"remove", taken::perhaps, kLoop},
                            {"remove_if", taken::perhaps, kLoop},
                            {"lower_bound", taken::perhaps, kLoop},
                            {"upper_bound", taken::perhaps, kLoop},
                            {"binary_search", taken::perhaps, kLoop},
                            {"min_element", taken::perhaps, kLoop},
                            {"max_element", taken::perhaps, kLoop},
                            {"all_of", taken::perhaps, kLoop},
                            {"any_of", taken::perhaps, kLoop},
                            {"none_of", taken::perhaps, kLoop},
                            {"equal", taken::perhaps, kLoop},
                            {"to_string", taken::never, kText},
                            {"stoi", taken::never, kText},
                            {"stof", taken::never, kText},
                            {"stod", taken::never, kText},
                            {"getline", taken::never, kFiles},
                            {"operator<<", taken::never, kOutput},
                            {"operator>>", taken::never, kFiles},
                            {"make_shared", taken::never, kContainer},
                            {"make_unique", taken::perhaps, kContainer}};

// Classes of namespace std, by their members.
constexpr entry kClassesOfStd[] = {{"vector", taken::perhaps, kContainer},
                                   {"__cxx11::basic_string", taken::perhaps, kText},
                                   {"numeric_limits", taken::relaxed, kLimits},
                                   {"deque", taken::never, kContainer},
                                   {"list", taken::never, kContainer},
                                   {"__cxx11::list", taken::never, kContainer},
                                   {"map", taken::never, kContainer},
                                   {"multimap", taken::never, kContainer},
                                   {"set", taken::never, kContainer},
                                   {"unordered_map", taken::never, kContainer},
                                   {"unordered_set", taken::never, kContainer},
                                   {"stack", taken::never, kContainer},
                                   {"queue", taken::never, kContainer},
                                   {"priority_queue", taken::never, kContainer},
                                   {"shared_ptr", taken::never, kContainer},
                                   {"ostream", taken::never, kOutput},
                                   {"basic_ostream", taken::never, kOutput},
                                   {"istream", taken::never, kFiles},
                                   {"basic_istream", taken::never, kFiles},
                                   {"basic_ofstream", taken::never, kFiles},
                                   {"basic_ifstream", taken::never, kFiles},
                                   {"mersenne_twister_engine", taken::perhaps, kRandom},
                                   {"uniform_int_distribution", taken::perhaps, kRandom},
                                   {"uniform_real_distribution", taken::perhaps, kRandom},
                                   {"normal_distribution", taken::perhaps, kRandom},
                                   {"random_device", taken::never, kRandom},
                                   {"thread", taken::never, kHost},
                                   {"mutex", taken::never, kHost},
                                   {"chrono::_V2::system_clock", taken::never, kClock},
                                   {"chrono::_V2::steady_clock", taken::never, kClock}};

const entry* entry_of(ArrayRef<entry> all, StringRef name) {
  const auto* const found = llvm::find_if(all, [&](const entry& e) { return e.name == name; });
  return found == all.end() ? nullptr : found;
}

// "std::sort" of "std::sort<int*>".
StringRef without_arguments(StringRef name) {
  const StringRef shift = "operator<<";
  const size_t from = name.starts_with(shift) ? shift.size() : 0;
  return name.take_front(name.find('<', from)).rtrim();
}

std::string text_of(char* demangled) {
  std::string text = demangled == nullptr ? "" : demangled;
  std::free(demangled);
  return text;
}

std::optional<host_function> told(const entry* e, const std::string& name, bool relaxed) {
  if (e == nullptr || (relaxed && e->by_nvcc != taken::never)) return {};
  return host_function{name, e->by_nvcc == taken::relaxed, e->instead};
}

}  // namespace

std::optional<host_function> host_function_of_library(const Function& f, bool relaxed) {
  StringRef symbol = f.getName();
  if (!symbol.starts_with("_Z")) {
    if (!symbol.consume_front("__isoc99_")) symbol.consume_front("__isoc23_");
    return told(entry_of(kOfC, symbol), symbol.str(), relaxed);
  }
  const std::string mangled = f.getName().str();  // the demangler looks into it
  ItaniumPartialDemangler d;
  if (d.partialDemangle(mangled.c_str()) || !d.isFunction()) return {};
  const std::string scope = text_of(d.getFunctionDeclContextName(nullptr, nullptr));
  const std::string name = text_of(d.getFunctionBaseName(nullptr, nullptr));
  const std::string base = without_arguments(name).str();
  StringRef of_class = without_arguments(scope);
  if (of_class == "std") return told(entry_of(kOfStd, base), "std::" + base, relaxed);
  if (!of_class.consume_front("std::")) return {};
  const entry* const e = entry_of(kClassesOfStd, of_class);
  of_class.consume_front("__cxx11::");
  return told(e, "std::" + of_class.str() + "::" + base, relaxed);
}

}  // namespace simt::compile
