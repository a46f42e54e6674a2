// SPDX-License-Identifier: Apache-2.0
#include "cuda_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <regex>
#include <string>
#include <string_view>
#include <utility>

#include "sim/report/nearest_name.hpp"

namespace simt::cuda_source {
namespace {

constexpr std::array<const char*, 8> kWords = {"__global__",   "__device__",  "__host__",     "__shared__",
                                               "__constant__", "__managed__", "__restrict__", "__launch_bounds__"};

// Names of std that programs use and forget the header of.
constexpr std::pair<std::string_view, std::string_view> kHeadersOfStd[] = {
    {"cout", "iostream"},    {"cerr", "iostream"},        {"cin", "iostream"},      {"endl", "iostream"},
    {"vector", "vector"},    {"string", "string"},        {"to_string", "string"},  {"map", "map"},
    {"sort", "algorithm"},   {"max", "algorithm"},        {"min", "algorithm"},     {"accumulate", "numeric"},
    {"ifstream", "fstream"}, {"ofstream", "fstream"},     {"chrono", "chrono"},     {"mt19937", "random"},
    {"setw", "iomanip"},     {"setprecision", "iomanip"}, {"unique_ptr", "memory"}, {"function", "functional"},
    {"thread", "thread"},    {"stringstream", "sstream"}, {"array", "array"},       {"runtime_error", "stdexcept"}};

constexpr std::string_view kLaunch = "a launch is written kernel<<<grid, block>>>(arguments)";

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

// Calls whose first argument is the address of a pointer that they set.
bool sets_pointer(std::string_view function) {
  return function.starts_with("cudaMalloc") || function == "cudaHostAlloc";
}

// "requires 4 arguments, but 3 were provided" of "candidate function not viable: requires ...".
std::string reason_in(const std::string& note) {
  static const std::regex reason("candidate .*(?:not viable|ignored): (.*)");
  std::smatch m;
  return std::regex_match(note, m, reason) ? m.str(1) : std::string();
}

std::string called_in(const std::string& text) {
  static const std::regex called("no matching (?:function for call to|constructor for initialization of) '(\\w+)'");
  std::smatch m;
  return std::regex_match(text, m, called) ? m.str(1) : std::string();
}

using messages = std::vector<compiler_message>;

// What candidates lack. Several of them lack different things: the first is the most usual form of CUDA's functions.
void take_reason(compiler_message& error, messages::iterator first, messages::iterator end) {
  const std::string called = called_in(error.text);
  const auto candidates =
      std::count_if(first, end, [](const compiler_message& m) { return !reason_in(m.text).empty(); });
  if (called.empty() || candidates == 0) return;
  const auto note = std::find_if(first, end, [](const compiler_message& m) { return !reason_in(m.text).empty(); });
  if (!is_of_our_headers(*note) && candidates > 1) return;  // the user's own: each is shown
  const std::string reason = reason_in(note->text);
  if (sets_pointer(called) && !reason.starts_with("requires"))
    error.text =
        fmt::format("the first argument of {} is the address of the pointer that it sets: {}(&x, ...)", called, called);
  else
    error.text += ": " + reason;
  if (!is_of_our_headers(*note)) note->text = fmt::format("'{}' is declared here", called);
}

std::string with_nearest_word(const std::string& text) {
  static const std::regex unknown("(?:unknown type name|use of undeclared identifier) '(__\\w+)'");
  std::smatch m;
  if (!std::regex_match(text, m, unknown)) return text;
  return text + suggestion(m.str(1), {kWords.begin(), kWords.end()});
}

std::string with_header(const std::string& text) {
  static const std::regex lacking("no (?:member|type|template) named '(\\w+)' in namespace 'std'");
  std::smatch m;
  if (!std::regex_match(text, m, lacking)) return text;
  const auto* const known =
      std::ranges::find(kHeadersOfStd, m.str(1), &std::pair<std::string_view, std::string_view>::first);
  return known == std::end(kHeadersOfStd) ? text : fmt::format("{}; add #include <{}>", text, known->second);
}

std::string with_component(const std::string& text) {
  static const std::regex upper("no member named '([XYZ])' in '(?:u?int3|dim3)'");
  std::smatch m;
  if (!std::regex_match(text, m, upper)) return text;
  return fmt::format("{}; did you mean '{}'?", text, static_cast<char>(m.str(1)[0] - 'A' + 'a'));
}

// k<<1, 1>>(x)
bool is_misspelt_launch(const compiler_message& m) {
  return m.text.starts_with("invalid operands to binary expression ('void (") && has(m.written, "<<");
}

std::string in_cuda_words(const compiler_message& m) {
  if (is_misspelt_launch(m)) return std::string(kLaunch);
  if (m.text.starts_with("illegal initializer") && has(m.written, "__shared__"))
    return "a __shared__ variable has no initial value: let one thread assign it, and put __syncthreads() behind that";
  return with_component(with_header(with_nearest_word(m.text)));
}

bool names_built_in(const compiler_message& m) {
  return std::ranges::any_of(std::array{"'threadIdx'", "'blockIdx'", "'blockDim'", "'gridDim'"},
                             [&](const char* name) { return m.text == std::string(name) + " declared here"; });
}

}  // namespace

void say_in_cuda_words(messages& all) {
  const compiler_message* launch = nullptr;  // the last that was misspelt
  messages out;
  for (auto m = all.begin(); m != all.end();) {
    auto first = m + 1;
    const auto end = std::find_if_not(first, all.end(), [](const compiler_message& n) { return n.severity == "note"; });
    const bool is_error = m->severity == "error" && !is_of_our_headers(*m);
    const bool follows = is_error && launch != nullptr && launch->file == m->file && launch->line == m->line &&
                         m->text.starts_with("invalid operands");
    if (is_error && is_misspelt_launch(*m)) launch = &*m;
    if (is_error) {
      take_reason(*m, first, end);
      m->text = in_cuda_words(*m);
    }
    if (!follows) {
      out.push_back(*m);
      std::copy_if(first, end, std::back_inserter(out), [&](const compiler_message& n) {
        return !is_error || !(is_of_our_headers(n) || names_built_in(n));
      });
    }
    m = end;
  }
  all = std::move(out);
}

}  // namespace simt::cuda_source
