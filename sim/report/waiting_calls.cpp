// SPDX-License-Identifier: Apache-2.0
#include "waiting_calls.hpp"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>

#include "parting_lines.hpp"
#include "source_expression.hpp"

namespace simt {
namespace {

// The object that the function of the access calls one of these of: "full" of full.arrive_and_wait(). `wanted`: it
// alone.
std::string object_with(source_reader& sources, const access& a, std::initializer_list<std::string_view> calls,
                        std::string_view wanted = {}) {
  const auto& words = sources.statements_of(a).words;
  for (std::size_t i = 2; i + 1 < words.size(); ++i) {
    const std::string_view name = words[i - 2].text;
    if (words[i - 1].text != "." || words[i + 1].text != "(" || std::ranges::find(calls, words[i].text) == calls.end())
      continue;
    if (!name.empty() && begins_name(name.front()) && (wanted.empty() || name == wanted)) return std::string(name);
  }
  return {};
}

// Where the function of the access gives a stage of this pipeline back; 0: it does not.
int line_of_release(source_reader& sources, const access& a, std::string_view pipeline) {
  const parsed_source& source = sources.statements_of(a);
  const std::vector<const statement*> around = statements_around(source, sources.position_of(a));
  if (around.empty()) return 0;
  for (std::size_t i = around.front()->first + 2; i < around.front()->end; ++i)
    if (source.words[i].text == "consumer_release" && source.words[i - 2].text == pipeline) return source.words[i].line;
  return 0;
}

// Where the threads wait, each for copies of its own, between the copy and its use, with no barrier behind that; 0:
// nowhere.
int wait_without_barrier(source_reader& sources, const access& copy, const access& use) {
  if (copy.line <= 0 || use.line <= copy.line || !of_one_function(copy, use)) return 0;
  int waited_at = 0;
  for (const source_word& w : sources.statements_of(copy).words) {
    if (w.line <= copy.line || use.line <= w.line) continue;
    const std::string_view word = w.text;
    if (word == "__pipeline_wait_prior" || word == "pipeline_consumer_wait_prior" || word == "wait_async" ||
        word.find("cp.async.wait") != word.npos)
      waited_at = w.line;
    else if (word == "__syncthreads" || word == "sync" || word == "wait" || word == "arrive_and_wait" ||
             word == "syncthreads" || word == "__barrier_sync" || word.find("bar.sync") != word.npos)
      waited_at = 0;
  }
  return waited_at;
}

// Whether the copy that came second fills again what the other side had in use: it stands behind that in the text, or a
// wait stands between the two.
bool fills_again(source_reader& sources, const access& copy, const access& use) {
  if (copy.line <= 0 || use.line <= 0 || !of_one_function(copy, use)) return false;
  if (use.line < copy.line) return true;
  const auto waits = [](std::string_view call) {
    return call == "consumer_wait" || call == "arrive_and_wait" || call == "wait" || call == "wait_prior" ||
           call.find("pipeline_wait") != call.npos || call == "wait_async" || call == "consumer_wait_prior";
  };
  return std::ranges::any_of(sources.statements_of(copy).words, [&](const source_word& w) {
    return copy.line < w.line && w.line < use.line && waits(w.text);
  });
}

// Whether the copy stands behind the use, with no loop around both that could bring it in front.
bool is_further_down(source_reader& sources, const access& copy, const access& use) {
  if (use.line <= 0 || copy.line <= use.line || !of_one_function(copy, use)) return false;
  const parsed_source& source = sources.statements_of(copy);
  return std::ranges::none_of(statements_around(source, sources.position_of(copy)), [&](const statement* s) {
    return s->kind == statement_kind::loop && holds(source, s->first, s->end, sources.position_of(use));
  });
}

// The arguments of the first call of this name in the line.
std::vector<std::string> arguments_of(std::string_view line, std::string_view call) {
  std::vector<std::string> out;
  const auto at = line.find(call);
  if (at == std::string_view::npos) return out;
  int nested = 0;
  std::string argument;
  for (const char c : line.substr(at + call.size())) {
    if (c == '(' || c == '[' || c == '{') ++nested;
    if (c == ')' || c == ']' || c == '}') --nested;
    if (nested == 0 || (c == ',' && nested == 1)) {
      out.push_back(without_blanks(argument));
      argument.clear();
      if (nested == 0) break;
    } else if (!(c == '(' && nested == 1 && argument.empty() && out.empty())) {
      argument += c;
    }
  }
  return out;
}

}  // namespace

void find_barrier_object(source_reader& sources, finding& f) {
  f.facts.barrier_object = object_with(sources, f.accesses[0], {"arrive_and_wait", "arrive"});
}

bool meet_between(source_reader& sources, const access& a, const access& b, std::string_view object) {
  if (object.empty()) return false;
  const parsed_source& source = sources.statements_of(a);
  const int low = std::min(a.line, b.line), high = std::max(a.line, b.line);
  const auto is_around = [&](const statement& s, const access& x) {
    return holds(source, s.first, s.end, sources.position_of(x));
  };
  for (std::size_t i = 2; i < source.words.size(); ++i) {
    const source_word& w = source.words[i];
    if (w.text != "arrive_and_wait" || source.words[i - 2].text != object || w.line <= low || high <= w.line) continue;
    const auto around = statements_around(source, {w.line, w.column});
    const bool all_come = std::ranges::none_of(
        around, [&](const statement* s) { return is_conditional(*s) && !(is_around(*s, a) && is_around(*s, b)); });
    if (all_come) return true;
  }
  return false;
}

void find_wait_for_copy(source_reader& sources, finding& f) {
  const auto copy = std::ranges::find(f.accesses, work::async_copy, &access::work);
  if (copy == f.accesses.end() || copy->line <= 0) return;
  const bool alone = std::ranges::count(f.accesses, work::async_copy, &access::work) == 1;
  if (alone && f.accesses.size() > 1) {
    const bool is_later = copy == f.accesses.begin();
    const access& use = f.accesses[is_later ? 1 : 0];
    f.facts.waited_at = wait_without_barrier(sources, *copy, use);
    f.facts.next_turn =
        f.facts.waited_at == 0 && (is_later ? fills_again(sources, *copy, use) : is_further_down(sources, *copy, use));
  }
  const std::string_view line = sources.as_written(*copy);
  std::string& call = f.facts.wait_call;
  if (line.find("__pipeline_memcpy_async") != std::string_view::npos) {
    call = "__pipeline_wait_prior(0) behind __pipeline_commit()";
    return;
  }
  const std::vector<std::string> arguments = arguments_of(line, "memcpy_async");
  if (arguments.size() < 3) return;
  const std::string& by = arguments.back();
  if (!object_with(sources, *copy, {"producer_acquire", "producer_commit"}, by).empty()) {
    call = by + ".consumer_wait() behind " + by + ".producer_commit()";
    f.facts.text = by + ".consumer_release()";
    f.facts.lock.given = line_of_release(sources, *copy, by);
  } else if (!object_with(sources, *copy, {"arrive_and_wait", "arrive", "wait"}, by).empty())
    call = by + ".arrive_and_wait()";
  else if (line.find("cuda::memcpy_async") == std::string_view::npos && begins_name(arguments.front().front()))
    call = "cg::wait(" + arguments.front() + ")";
}

}  // namespace simt
