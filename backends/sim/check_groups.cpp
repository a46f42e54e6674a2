// SPDX-License-Identifier: Apache-2.0
// The check session's view of groups: order between lanes, blocks of a cluster and of the grid, and masks that name
// lanes that are not there.
#include <backends/sim/check_session.hpp>

#include <fmt/format.h>

#include <backends/sim/access_cursor.hpp>
#include <sim/exec/async_copy.hpp>

namespace simt::sim {

void check_session::warp_synced(block_context& b, std::int32_t warp, std::uint32_t mask) {
  settle_rows();
  check::warp_sync(*static_cast<block_record*>(b.observer_state)->state, warp, mask);
}
void check_session::threads_synced(block_context& b, std::span<const std::int32_t> ranks) {
  settle_rows();
  check::group_sync(*static_cast<block_record*>(b.observer_state)->state, ranks);
}

void check_session::grid_synced(launch_state&) {
  settle_rows();
  std::vector<check::block_state*> states;
  std::lock_guard lock(mutex_);
  for (const auto& record : live_records_)
    if (record->state != nullptr) states.push_back(record->state);
  check::blocks_sync(states);
}
void check_session::blocks_synced(std::span<block_context* const> blocks) {
  settle_rows();
  std::vector<check::block_state*> states;
  for (const block_context* b : blocks) states.push_back(static_cast<block_record*>(b->observer_state)->state);
  check::blocks_sync(states);
}

// A copy is an agent of its own, which starts where its thread issued it and joins it where the thread waits.
void check_session::async_issued(block_context&, fiber& f, async_copy& copy) {
  settle_rows();
  copy.agent = &check::async_begin(*static_cast<check::thread_state*>(f.data));
}
void check_session::async_performed(block_context&, fiber& f, async_copy& copy, bool waited) {
  settle_rows();
  auto& agent = *static_cast<check::thread_state*>(copy.agent);
  check::read_range(agent, reinterpret_cast<std::uintptr_t>(copy.from), copy.bytes, copy.pc);
  check::write_range(agent, reinterpret_cast<std::uintptr_t>(copy.to), copy.bytes, copy.pc);
  if (waited) {
    check::sync_object done;
    check::release(agent, done);
    check::acquire(*static_cast<check::thread_state*>(f.data), done);
  }
  check::async_end(agent);
}

void check_session::warp_lanes_left(block_context& b, std::int32_t speaker, std::uint32_t mask, std::uint32_t left,
                                    const char* operation, std::uintptr_t pc) {
  if (!settings_.barrier) return;
  finding f;
  f.rule = rule::warp_mask;
  f.severity = severity::warning;
  f.kernel = b.launch->name;
  f.message = fmt::format("{} names lanes {:#010x} of warp {}, which have left the kernel", operation, left, speaker / 32);
  f.why = "lanes that have left count as arrived, but give no value, and on a GPU a lane that leaves later is not waited for";
  f.fix = fmt::format("name only the lanes that stay: mask {:#010x} here; compute it with ballot before the others return", mask & ~left);
  f.accesses = {side(b, speaker, pc, "takes part")};
  std::lock_guard lock(mutex_);
  add(std::move(f), pc, 0);
}

void check_session::shuffle_from_absent_lane(block_context& b, std::int32_t rank, std::uint32_t mask, int lane,
                                             std::uintptr_t pc) {
  if (!settings_.barrier) return;
  finding f;
  f.rule = rule::warp_mask;
  f.severity = severity::warning;
  f.kernel = b.launch->name;
  f.message = fmt::format("a shuffle with mask {:#010x} reads from lane {}, which takes no part in it", mask, lane);
  f.why = "the value of a lane that is not there is undefined (0 on this simulator)";
  f.fix = "read only from lanes in the mask, or do not use the result: guard with lane + delta < lanes that take part";
  f.accesses = {side(b, rank, pc, "reads the value")};
  std::lock_guard lock(mutex_);
  add(std::move(f), pc, 1);
}

}  // namespace simt::sim
