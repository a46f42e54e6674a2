// SPDX-License-Identifier: Apache-2.0
#include <sim/exec/debug_stop.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <sim/exec/executors/thread_loop.hpp>
#include <sim/exec/worker.hpp>

namespace simt::sim {
namespace {

worker* debugged = nullptr;  // the one whose thread began last; simrun debug runs one

struct wanted_thread {
  thread_in_grid who{};
  std::string kernel;  // empty: any
  bool named = false;
};

wanted_thread read_wanted() {
  wanted_thread w;
  const char* const text = std::getenv("SIMT_DEBUG_THREAD");
  if (text == nullptr) return w;
  std::array<long long, 6> n{};
  w.named = std::sscanf(text, "%lld,%lld,%lld:%lld,%lld,%lld", &n[0], &n[1], &n[2], &n[3], &n[4], &n[5]) == 6;
  for (std::size_t i = 0; i < 3; ++i) {
    w.who.block[i] = n[i];
    w.who.thread[i] = n[i + 3];
  }
  if (const char* const kernel = std::getenv("SIMT_DEBUG_KERNEL"); kernel != nullptr) w.kernel = kernel;
  return w;
}

bool same(const thread_in_grid& a, const thread_in_grid& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

// `wanted` may leave the template's arguments out.
bool is_kernel(std::string_view name, std::string_view wanted) {
  return wanted.empty() || name == wanted || name.substr(0, name.find('<')) == wanted;
}

std::string position(const std::int64_t (&at)[3]) {
  return "(" + std::to_string(at[0]) + "," + std::to_string(at[1]) + "," + std::to_string(at[2]) + ")";
}

thread_in_grid thread_of(const launch_state& l, std::int64_t block, std::int32_t rank) {
  const thread_place p = place_of(rank, l.block.x, l.block.y);
  return {{block % l.grid.x, block / l.grid.x % l.grid.y, block / l.grid.x / l.grid.y}, {p.x, p.y, p.z}};
}

struct running {
  bool known = false;
  std::int64_t block = 0;
  std::int32_t rank = 0;
};

// Which thread the fiber runs, or has come to.
running thread_on(const launch_state& l, const fiber& f) {
  if (f.thread.block == nullptr) return {};
  const std::int64_t block = f.block_now >= 0 ? std::int64_t{f.block_now} : f.thread.block->index;
  if (f.thread.has_stack) return {true, block, f.thread.rank};
  if (f.range == nullptr || as_number(f.range->x) < 0) return {};
  const std::int64_t x = as_number(f.range->x), y = as_number(f.range->y), z = as_number(f.range->z);
  return {true, block, static_cast<std::int32_t>(x + l.block.x * (y + l.block.y * z))};
}

std::string_view waits_for(wait_kind k) {
  switch (k) {
    case wait_kind::none:
      return "can go on";
    case wait_kind::block_barrier:
      return "waits at the block's barrier";
    case wait_kind::cluster_barrier:
      return "waits at the cluster's barrier";
    case wait_kind::grid_barrier:
      return "waits at the grid's barrier";
    case wait_kind::named_barrier:
      return "waits at a named barrier";
    case wait_kind::warp:
      return "waits for lanes of its warp";
    case wait_kind::spin:
      return "spins";
  }
  return {};
}

constexpr std::string_view kRuns = "runs";

// What each thread of the block does, by rank.
std::vector<std::string_view> states_of(const worker& w, std::int64_t block, const block_context* context,
                                        const running& now) {
  const launch_state& l = *w.launch;
  std::vector<std::string_view> states(static_cast<std::size_t>(l.threads), "has not begun");
  if (context == nullptr) {  // nobody has waited: threads run in their order, each to its end
    for (std::int32_t i = 0; i < now.rank; ++i) states[static_cast<std::size_t>(i)] = "has ended";
  } else {
    for (std::int32_t i = 0; i < l.threads; ++i)
      if ((context->exited[i / 32] >> (i % 32) & 1U) != 0) states[static_cast<std::size_t>(i)] = "has ended";
  }
  for (const fiber* f : w.pool.all()) {
    const bool is_over = f->range == nullptr;  // it keeps what it was, perhaps of a launch with more threads
    if (is_over || f->thread.block != context || context == nullptr || !f->thread.has_stack || context->index != block)
      continue;
    auto& state = states[static_cast<std::size_t>(f->thread.rank)];
    if (state != "has ended") state = waits_for(f->thread.waits);
  }
  if (context != nullptr)  // the fast way to wait leaves no word in the thread
    for (const fiber* f = context->barrier.waiters.head; f != nullptr; f = f->next)
      states[static_cast<std::size_t>(f->thread.rank)] = waits_for(wait_kind::block_barrier);
  if (now.known && now.block == block) {
    const fiber& f = *w.queue.current;
    if (context != nullptr && !f.thread.has_stack)  // those of its range that came before it
      for (std::int32_t i = f.first; i < now.rank; ++i) states[static_cast<std::size_t>(i)] = "has ended";
    states[static_cast<std::size_t>(now.rank)] = kRuns;
  }
  return states;
}

void list_block(std::string& out, const worker& w, std::int64_t block, const block_context* context,
                const running& now) {
  const launch_state& l = *w.launch;
  const std::vector<std::string_view> states = states_of(w, block, context, now);
  for (std::size_t i = 0; i < states.size();) {
    std::size_t end = i + 1;
    while (end < states.size() && states[end] == states[i] && states[i] != kRuns) ++end;
    const thread_in_grid first = thread_of(l, block, static_cast<std::int32_t>(i));
    const thread_in_grid last = thread_of(l, block, static_cast<std::int32_t>(end - 1));
    std::string line = (states[i] == kRuns ? "* " : "  ") + position(first.block);
    line.resize(std::max<std::size_t>(line.size() + 2, 14), ' ');
    line += position(first.thread) + (end - 1 > i ? " to " + position(last.thread) : "");
    line.resize(std::max<std::size_t>(line.size() + 2, 38), ' ');
    out += line + std::string(states[i]) + "\n";
    i = end;
  }
}

const worker* stopped_worker() {
  return debugged != nullptr && debugged->launch != nullptr && debugged->queue.current != nullptr ? debugged : nullptr;
}

}  // namespace

void debug_thread_begins(const block_context& b, const thread_in_grid& who, const void* kernel) {
  static const wanted_thread wanted = read_wanted();
  debugged = b.queue->owner;
  if (!wanted.named || !same(who, wanted.who) || !is_kernel(b.launch->name, wanted.kernel)) return;
  simt_debug_kernel = kernel;
  simt_debug_reached();
}

}  // namespace simt::sim

const void* simt_debug_kernel = nullptr;

[[gnu::noinline]] void simt_debug_reached() { asm volatile(""); }

const char* simt_debug_threads() {
  using namespace simt::sim;
  static std::string text;
  const worker* const w = stopped_worker();
  if (w == nullptr) return "No kernel runs.\n";
  const running now = thread_on(*w->launch, *w->queue.current);
  text = "  Block       Thread                  State\n";
  bool listed = false;
  for (const block_context* b : w->residents.active()) {
    list_block(text, *w, b->index, b, now);
    listed = listed || b->index == now.block;
  }
  if (now.known && !listed) list_block(text, *w, now.block, nullptr, now);
  return text.c_str();
}

const char* simt_debug_thread() {
  using namespace simt::sim;
  static std::string text;
  const worker* const w = stopped_worker();
  const running now = w == nullptr ? running{} : thread_on(*w->launch, *w->queue.current);
  if (!now.known) return "No kernel runs.";
  const thread_in_grid who = thread_of(*w->launch, now.block, now.rank);
  text = "thread " + position(who.thread) + " of block " + position(who.block) + " of kernel " + w->launch->name;
  return text.c_str();
}

int simt_debug_is(std::int64_t block_x, std::int64_t block_y, std::int64_t block_z, std::int64_t x, std::int64_t y,
                  std::int64_t z) {
  using namespace simt::sim;
  const worker* const w = stopped_worker();
  const running now = w == nullptr ? running{} : thread_on(*w->launch, *w->queue.current);
  if (!now.known) return 0;
  return same(thread_of(*w->launch, now.block, now.rank), {{block_x, block_y, block_z}, {x, y, z}}) ? 1 : 0;
}
