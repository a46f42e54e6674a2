// SPDX-License-Identifier: Apache-2.0
#include "waiting_calls.hpp"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "enclosing_loop.hpp"
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

// A part of the text, from behind one place to the other.
struct stretch {
  text_position from, until;
};

bool is_within(const source_word& w, const stretch& s) {
  return std::tie(s.from.line, s.from.column) < std::tie(w.line, w.column) &&
         std::tie(w.line, w.column) < std::tie(s.until.line, s.until.column);
}

bool waits_for_copies(std::string_view call) {
  return call == "consumer_wait" || call == "arrive_and_wait" || call == "wait" || call == "wait_prior" ||
         call.find("pipeline_wait") != call.npos || call == "wait_async" || call == "consumer_wait_prior" ||
         call == "pipeline_consumer_wait_prior";
}

// Whether all that come to both places come to the word.
bool all_come(const parsed_source& source, const source_word& w, text_position a, text_position b) {
  return std::ranges::none_of(statements_around(source, {w.line, w.column}), [&](const statement* s) {
    return is_conditional(*s) && !(holds(source, s->first, s->end, a) && holds(source, s->first, s->end, b));
  });
}

// Whether who comes to one of the places comes to the word.
bool one_comes(const parsed_source& source, const source_word& w, text_position a, text_position b) {
  return std::ranges::none_of(statements_around(source, {w.line, w.column}), [&](const statement* s) {
    return is_conditional(*s) && !holds(source, s->first, s->end, a) && !holds(source, s->first, s->end, b);
  });
}

// What stands on the ways from the copy to its use and from there to the next copy: wait and barrier.
class ways_of_copy {
 public:
  ways_of_copy(source_reader& sources, const access& copy, const access& use)
      : source_(sources.statements_of(copy)), copy_(sources.position_of(copy)), use_(sources.position_of(use)) {
    const loop_lines loop = enclosing_loop(source_, copy_, use_);
    const bool in_order = std::tie(copy_.line, copy_.column) < std::tie(use_.line, use_.column);
    if (in_order) to_use_.push_back({copy_, use_});
    if (!in_order) to_copy_.push_back({use_, copy_});
    if (loop.head == 0) return;
    end_ = loop.end;
    std::vector<stretch>& around = in_order ? to_copy_ : to_use_;
    around.push_back({in_order ? use_ : copy_, {loop.end, kLastColumn}});
    around.push_back({{loop.begin, 0}, in_order ? copy_ : use_});
  }

  bool has_loop() const { return end_ != 0; }  // around both

  copy_wait find() const {
    copy_wait found;
    bool behind = true;
    for (const stretch& s : to_use_)
      for (std::size_t i = 0; i < source_.words.size(); ++i) {
        const source_word& w = source_.words[i];
        if (!is_within(w, s) || !is_called(i) || !one_comes(source_, w, copy_, use_)) continue;
        if (found.batched == 0 && w.text.find("commit") != w.text.npos) {
          found.batched = w.line;
          found.batch_guard = enclosing_branch(source_, {w.line, w.column}, use_);
        } else if (waits_for_copies(w.text)) {
          found.unbatched = found.batched == 0;
          found.waits = w.line;
          found.leaves = number_of(i);
          // cg::wait(group), barrier.wait(token): all of them have come.
          found.for_all = w.text == "arrive_and_wait" || w.text == "wait" || w.text == "wait_prior";
          behind = false;
        } else if (is_barrier(i) && (found.barrier == 0 || !behind)) {
          found.barrier = w.line;
          behind = true;
        }
      }
    if (!behind) found.barrier = 0;
    if (end_ != 0 && !has_barrier(to_copy_)) found.next_turn = end_;
    return found;
  }

 private:
  static constexpr int kLastColumn = 1 << 20;

  bool is_called(std::size_t at) const {
    const auto& w = source_.words;
    return at + 1 < w.size() && (w[at + 1].text == "(" || w[at + 1].text == "<");
  }
  // Of __pipeline_wait_prior(1): how many batches it leaves under way.
  int number_of(std::size_t at) const {
    const auto& w = source_.words;
    const std::string_view number =
        at + 3 < w.size() && (w[at + 3].text == ")" || w[at + 3].text == ">") ? w[at + 2].text : std::string_view();
    return number.size() == 1 && number[0] > '0' && number[0] <= '9' ? number[0] - '0' : 0;
  }
  bool is_barrier(std::size_t at) const {
    const std::string_view text = source_.words[at].text;
    return text == "__syncthreads" || text == "sync" || text == "arrive_and_wait" || text.starts_with("__syncthreads_");
  }
  bool has_barrier(const std::vector<stretch>& way) const {
    return std::ranges::any_of(way, [&](const stretch& s) {
      for (std::size_t i = 0; i < source_.words.size(); ++i)
        if (is_within(source_.words[i], s) && is_called(i) && is_barrier(i)) return true;
      return false;
    });
  }

  const parsed_source& source_;
  const text_position copy_, use_;
  std::vector<stretch> to_use_, to_copy_;
  int end_ = 0;  // the last line of the loop's body; 0: no loop has both
};

// Whether the function makes a pipeline for each thread alone: cuda::make_pipeline().
bool makes_own_pipeline(source_reader& sources, const access& a) {
  const auto& words = sources.statements_of(a).words;
  for (std::size_t i = 0; i + 2 < words.size(); ++i)
    if (words[i].text == "make_pipeline" && words[i + 1].text == "(" && words[i + 2].text == ")") return true;
  return false;
}

// Whether the copy that came second fills again what the other side had in use: it stands behind that in the text, or
// all have waited between the two and met.
bool fills_again(const access& copy, const access& use, const copy_wait& way) {
  return use.line < copy.line || (way.waits != 0 && (way.for_all || way.barrier != 0));
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

bool lanes_meet_between(source_reader& sources, const access& a, const access& b) {
  const parsed_source& source = sources.statements_of(a);
  const text_position x = sources.position_of(a), y = sources.position_of(b);
  const bool in_order = std::tie(x.line, x.column) < std::tie(y.line, y.column);
  const stretch between = in_order ? stretch{x, y} : stretch{y, x};
  for (std::size_t i = 0; i + 2 < source.words.size(); ++i) {
    const source_word& w = source.words[i];
    if (!is_within(w, between) || source.words[i + 1].text != "(") continue;
    const std::string_view mask = source.words[i + 2].text;
    const bool of_warp = (w.text == "__syncwarp" || w.text == "sync_warp") && (mask == ")" || mask == "0xffffffff");
    if ((of_warp || w.text == "__syncthreads") && all_come(source, w, x, y)) return true;
  }
  return false;
}

bool meet_between(source_reader& sources, const access& a, const access& b, std::string_view object) {
  if (object.empty()) return false;
  const parsed_source& source = sources.statements_of(a);
  const int low = std::min(a.line, b.line), high = std::max(a.line, b.line);
  for (std::size_t i = 2; i < source.words.size(); ++i) {
    const source_word& w = source.words[i];
    if (w.text != "arrive_and_wait" || source.words[i - 2].text != object || w.line <= low || high <= w.line) continue;
    if (all_come(source, w, sources.position_of(a), sources.position_of(b))) return true;
  }
  return false;
}

// The call that waits for the copy, where the text tells.
static std::string wait_for(source_reader& sources, const access& copy, const std::vector<std::string>& arguments) {
  const std::string& by = arguments.back();
  if (!object_with(sources, copy, {"producer_acquire", "producer_commit"}, by).empty())
    return by + ".consumer_wait() behind " + by + ".producer_commit()";
  const bool is_name = std::ranges::all_of(by, in_identifier) && begins_name(by.front());
  const bool of_group = sources.as_written(copy).find("cuda::memcpy_async") == std::string_view::npos;
  if (!object_with(sources, copy, {"arrive_and_wait", "arrive", "wait"}, by).empty() || (!of_group && is_name))
    return by + ".arrive_and_wait()";
  return of_group && begins_name(arguments.front().front()) ? "cg::wait(" + arguments.front() + ")" : std::string();
}

void find_wait_for_copy(source_reader& sources, finding& f) {
  const auto copy = std::ranges::find(f.accesses, work::async_copy, &access::work);
  if (copy == f.accesses.end() || copy->line <= 0) return;
  facts& v = f.facts;
  const std::string_view line = sources.as_written(*copy);
  const std::vector<std::string> arguments = arguments_of(line, "memcpy_async");
  const bool by_functions = line.find("__pipeline_memcpy_async") != std::string_view::npos;
  bool own = by_functions;
  if (by_functions) {
    v.wait_call = "__pipeline_wait_prior(0) behind __pipeline_commit()";
  } else if (arguments.size() >= 3) {
    v.wait_call = wait_for(sources, *copy, arguments);
    const bool piped = v.wait_call.find("consumer_wait") != std::string::npos;
    own = piped && makes_own_pipeline(sources, *copy);
    if (piped && !own) {
      v.text = arguments.back() + ".consumer_release()";
      v.lock.given = line_of_release(sources, *copy, arguments.back());
    }
  }
  if (f.accesses.size() != 2 || std::ranges::count(f.accesses, work::async_copy, &access::work) != 1) return;
  const access& use = copy == f.accesses.begin() ? f.accesses[1] : f.accesses[0];
  if (use.line <= 0 || !of_one_function(*copy, use)) return;
  const ways_of_copy ways(sources, *copy, use);
  v.copy = ways.find();
  v.copy.unbatched &= by_functions;
  if (!own && !v.wait_call.empty()) v.copy.for_all = true;
  const bool one_thread = own && copy->block == use.block && copy->thread == use.thread;
  if (one_thread) v.copy.for_all = v.copy.own = true;
  // The copy came second, or no loop brings it in front of the use.
  const bool may_fill_again = copy == f.accesses.begin() || copy->line < use.line || !ways.has_loop();
  const bool fills = copy->kind == access_kind::write && !v.copy.unbatched;
  v.next_turn = fills && fills_again(*copy, use, v.copy) && may_fill_again && !one_thread;
}

void find_way_to_flag(source_reader& sources, finding& f) {
  if (f.cause != cause::race_blocks_unfenced || f.accesses.size() < 3) return;
  const access &write = f.accesses[1], &flag = f.accesses[2];
  if (write.line <= 0 || flag.line <= 0 || !of_one_function(write, flag)) return;
  const parsed_source& source = sources.statements_of(write);
  const text_position from = sources.position_of(write), until = sources.position_of(flag);
  way_to_flag& told = f.facts.told;
  bool met = false, met_behind = false;  // a barrier; one behind the fence
  for (std::size_t i = 0; i + 1 < source.words.size(); ++i) {
    const source_word& w = source.words[i];
    if (!is_within(w, {from, until}) || source.words[i + 1].text != "(" || !one_comes(source, w, from, until)) continue;
    if (w.text == "__threadfence" || w.text == "__threadfence_system" || w.text == "threadfence") {
      told.fence = w.line;
      told.of_writer = enclosing_branch(source, {w.line, w.column}, from) == 0;
      met_behind = false;
    } else if (w.text == "sync" || w.text.starts_with("__syncthreads")) {
      met = met_behind = true;
    }
  }
  const bool another = enclosing_branch(source, until, from) != 0;
  told.no_barrier = another && (told.fence != 0 && told.of_writer ? !met_behind : !met);
}

}  // namespace simt
