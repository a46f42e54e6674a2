// SPDX-License-Identifier: Apache-2.0
// One watched run: turns what the engine, the host and instrumented code announce into events (events.hpp), and hands
// them to the consumers that were chosen for the run.
//
// Invariants
// - What is pending goes first. Two things are: accesses of neighbouring threads that are gathered into batches
//   (access_cursor::batches), and accesses of the host to memory of both sides (host_touches). emit() and
//   emit_of_host() flush them before they hand anything over, and step() before a device thread does anything that is
//   no plain scalar access. Nobody else flushes.
// - While another host thread's launch runs, events of the host wait for its end (host_turn), but for those that say
//   otherwise below.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

#include <sim/exec/observer.hpp>
#include <sim/instrument/access_cursor.hpp>
#include <sim/instrument/consumer.hpp>
#include <sim/instrument/host_touches.hpp>
#include <sim/instrument/thread_shard.hpp>

namespace simt::sim {

constexpr pending_access::order pending_order(event::order o) {
  return static_cast<pending_access::order>(static_cast<std::uint8_t>(o) + 1);  // the first is that of plain accesses
}
constexpr pending_access::scope pending_scope(event::scope s) { return static_cast<pending_access::scope>(s); }

// A resident block: what its events carry, and what was announced of it.
struct watched_block : event::block {
  std::uint64_t arrays_seen[kMaxSharedArrays / 64] = {};  // bit per shared_key id
  bool resident = true;
  bool dynamic_named = false;  // its dynamic shared memory goes by the name of a declaration
  unsigned shard = 0;          // of dispatcher::block_shard
};

class dispatcher final : public observer {
 public:
  struct options {
    bool memory_rules = true;     // somebody judges uses of memory that is not the user's
    bool barrier_rules = true;    // somebody judges where threads wait: event::barrier::elsewhere is filled
    bool judges_accesses = true;  // somebody checks plain accesses; else they only reach consumers beside the judge
    // Of streams that were made before the run: are they ordered with the default stream?
    bool (*stream_is_blocking)(std::uintptr_t stream) = nullptr;
  };
  explicit dispatcher(const options& o);
  ~dispatcher() override;

  // The one consumer that judges each access where it is made, in the code that the tsan functions are bound to.
  void add_judge(consumer& c) {
    consumers_.push_back(&c);
    judge_ = &c;
  }
  batch_judge* judge_of_batches() const { return judge_->judge_of_batches(); }
  // Any other. Not while a launch runs.
  void add(consumer& c);
  bool has_listeners() const { return !listeners_.empty(); }
  bool judges_accesses() const { return options_.judges_accesses; }
  bool memory_rules() const { return options_.memory_rules; }
  // The run that watches this process; null: none.
  static dispatcher* current();

  // ---- From instrumented code, on a device thread ----
  // The running thread is about to do something at `pc` that is no plain scalar access: what is pending goes first, and
  // other threads may run.
  static void step(std::uintptr_t pc, const pending_access& what);
  // The same before it waits, or announces what is no access of its own.
  static void pause();
  static void flush_accesses();
  // Where a memory model is followed: a fence is about to come, and an atomic operation that was announced by step() is
  // done. While the schedule is asked at accesses.
  static void fence_comes(event::order o, event::scope s);
  static void atomic_is_done(bool wrote, event::order o);
  void tell_access(event::access_kind kind, event::access_form form, std::uintptr_t address, std::size_t size,
                   std::uintptr_t pc);
  void tell_atomic(std::uintptr_t address, std::uint32_t size, event::atomic_op op, event::order o, event::scope s,
                   event::update_form form, std::uintptr_t pc);
  void tell_fence(event::order o, event::scope s);
  // What the recorder has committed.
  void tell_batch(const event::access_batch& b);
  // A thread exits that the judge has something to finish of.
  void thread_exits_pending(watched_thread& t);
  void accessed_foreign(const event::foreign_access& e);
  void used_index_outside(const event::index_outside& e);
  void left_own_array(const event::own_array_outside& e);
  void used_misplaced_object(const event::misplaced_object& e);
  void issued_misplaced_copy(const event::misplaced_copy& e);
  // The running thread launches a kernel, on a stream of its block's: gives what launch_request::child is to be.
  std::uint64_t kernel_launched(std::uint64_t stream);
  // The running thread lets one of its block's streams wait for another.
  void kernel_streams_meet();

  // ---- From host code, on any thread of the host ----
  void host_touched(std::uintptr_t address, std::size_t bytes, bool write, std::uintptr_t pc);
  // `swaps`: a compare-and-swap, which checks what the host read before. Does not wait for a launch that runs.
  void host_atomic(std::uintptr_t address, std::uint32_t bytes, event::atomic_op op, bool swaps, event::order o,
                   std::uintptr_t pc);
  void host_fence(event::order o);
  // An atomic operation on memory that is not the device's.
  void host_unwatched(event::atomic_op op, event::order o);
  void host_unlocked();
  // Between these, what this thread's host code touches is work of `stream`.
  void callback_begins(int stream);
  void callback_ends();
  // Memory that begins or ends as work of a stream: its other users must come after, or before.
  void allocated_on(const void* p, std::size_t bytes, int stream, std::uintptr_t pc);
  void freed_on(const void* p, std::size_t bytes, int stream, std::uintptr_t pc);
  // All that the host did so far is with the consumers. Under a host_turn.
  void flush_host();
  // Accesses of the host that were too many to be kept.
  std::uint64_t lost_host_accesses() const { return touches_.lost(); }

  // ---- From the engine ----
  bool may_join_blocks(std::int64_t blocks) const override {
    return judges_accesses() && !has_listeners() && blocks < event::kMostBlocksJoined;
  }
  void allocated(const allocation&) override;
  void freed(const allocation&) override;
  void bad_free(const void*, const allocation*, std::uintptr_t pc) override;
  void bad_copy(const void*, std::size_t, const allocation&, bool freed, bool write, std::uintptr_t pc) override;
  void copied(void* to, const void* from, std::size_t, int stream, bool to_device, bool from_device, bool wait,
              std::uintptr_t pc) override;
  void filled(void*, std::size_t, int stream, std::uintptr_t pc) override;
  void stream_created(int stream, bool blocking) override;
  void event_recorded(int event, int stream) override;
  void stream_waits(int stream, int event) override;
  void host_waits_event(int) override;
  void host_waits_stream(int) override;
  void host_waits_device() override;
  void launch_begins(launch_state&) override;
  void launch_ends(launch_state&, const fault_record&) override;
  void block_begins(block_context&) override;
  void block_ends(block_context&) override;
  void shared_array_used(block_context&, const shared_key&, std::byte*) override;
  void dynamic_shared_used(block_context&, const shared_key&) override;
  void barrier_opens(block_context&, device_thread& last) override;
  void block_at_grid(block_context&) override;
  void warp_synced(block_context&, std::int32_t warp, std::uint32_t mask) override;
  void warp_lanes_left(block_context&, std::int32_t speaker, std::uint32_t mask, std::uint32_t left,
                       warp_op_kind operation, std::uintptr_t pc) override;
  void shuffle_from_absent_lane(block_context&, std::int32_t rank, std::uint32_t mask, int lane,
                                std::uintptr_t pc) override;
  void grid_synced(launch_state&) override;
  void async_issued(device_thread&, async_copy&) override;
  void async_performed(device_thread&, async_copy&, copy_end) override;
  void async_object_waited(device_thread&) override;
  void blocks_synced(std::span<block_context* const>) override;
  void named_barrier_arrival(block_context&, std::int32_t rank, std::int32_t number) override;
  void named_barrier_opens(block_context&, std::int32_t number, std::span<const std::int32_t> ranks,
                           std::span<const std::int32_t> passed) override;

 private:
  template <class... P, class... A>
  void hand_over(void (consumer::*what)(P...), A&&... event) {
    for (consumer* const c : consumers_) (c->*what)(event...);
  }
  template <class... P, class... A>
  void emit(void (consumer::*what)(P...), A&&... event) {
    flush_accesses();
    hand_over(what, event...);
  }
  template <class... P, class... A>
  void emit_of_host(void (consumer::*what)(P...), A&&... event) {
    flush_host();
    hand_over(what, event...);
  }
  void know_stream(int stream);
  void release_of_callback(bool lock);
  void acquire_of_host();

  const options options_;
  std::vector<consumer*> consumers_;
  consumer* judge_ = nullptr;
  std::vector<consumer*> listeners_;  // all but the judge

  // The launch that runs, and its resident blocks.
  event::launch launch_;
  std::atomic<std::uint64_t> kernels_launched_{0};  // by device threads
  std::atomic<bool> launch_runs_{false};
  struct alignas(kShardAlignment) block_shard {
    shard_lock mutex;
    std::vector<std::unique_ptr<watched_block>> free, live;
  };
  std::array<block_shard, kThreadShards> blocks_;

  // The host.
  host_touches touches_;
  std::set<int> streams_;
  // What another host thread may have learned through atomics while a launch ran, each once: a load, or a fence (no
  // bytes), which stands behind all loads before it. Told when the launch has ended.
  std::mutex late_mutex_;
  std::vector<event::host_atomic> late_;
  void acquires_late(const event::host_atomic& a);
  // Another host thread used atomics while a launch ran: what the host touched meanwhile may be ordered by them, which
  // nobody followed.
  std::atomic<bool> signalled_{false};
  std::atomic<bool> has_released_{false}, acquired_late_{false};
};

inline void dispatcher::flush_accesses() {
  if (cursor.batches != nullptr && cursor.batches->is_open()) [[unlikely]]
    end_batch();
}

inline void dispatcher::step(std::uintptr_t pc, const pending_access& what) {
  flush_accesses();
  ++cursor.steps;
  cursor.pc = pc;
  if (cursor.may_wake) [[unlikely]]
    tell_scheduler();
  if (cursor.switches()) [[unlikely]]
    schedule_point(what);
}

}  // namespace simt::sim
