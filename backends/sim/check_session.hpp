// SPDX-License-Identifier: Apache-2.0
// One checked run: forwards the engine's events to the detector, judges barriers, gathers findings. Check variant.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <unordered_map>
#include <vector>

#include <backends/sim/check_hook.hpp>
#include <backends/sim/host_touches.hpp>
#include <sim/check/detector.hpp>
#include <sim/exec/observer.hpp>
#include <sim/exec/worker.hpp>
#include <sim/report/symbolize.hpp>

namespace simt::sim {

// What to watch for; see run_request.
struct check_settings {
  bool races = true, memory = true, uninit = true, barrier = true;
  bool volatile_is_plain = false;
  int workers = 1;
  int max_reports = 0;
};

class check_session final : public observer {
 public:
  explicit check_session(const check_settings& settings);
  ~check_session() override;

  // Findings so far, with source lines, in a repeatable order. `leaks`: report what is still allocated.
  std::vector<finding> collect(bool leaks, std::vector<std::string>& notes);

  check::detector& detector() { return detector_; }
  const check_settings& settings() const { return settings_; }
  // Host code touched an address of the device's range.
  void host_touched(std::uintptr_t address, std::size_t bytes, bool write, std::uintptr_t pc);
  void host_atomic(std::uintptr_t address, std::uint32_t bytes, check::atomic_op op, bool swaps, check::order o,
                   std::uintptr_t pc);
  void host_fence(check::order o);
  void host_unwatched(check::atomic_op op, check::order o);  // of memory that is not the device's
  // Between these, what this thread's host code touches is work of `stream`.
  void callback_begins(int stream);
  void callback_ends();
  // Where the detector does not look, in ordinary memory: this thread's callback, if one runs, has released something, and
  // the host has acquired something. Which is not asked. What a lock that the callback gave up passes on the host has at once,
  // for waits at condition variables are not seen.
  void callback_releases(bool lock);
  void host_acquired();
  // Memory that begins or ends as work of a stream: its other users must come after, or before.
  void allocated_on(const void* p, std::size_t bytes, int stream, std::uintptr_t pc);
  void freed_on(const void* p, std::size_t bytes, int stream, std::uintptr_t pc);
  std::int64_t unwritten(const void* device, std::size_t element_bytes, std::int64_t count);

  void allocated(const allocation&) override;
  void freed(const allocation&) override;
  void bad_free(const void*, const allocation*, std::uintptr_t pc) override;
  void bad_copy(const void*, std::size_t, const allocation&, bool freed, bool write, std::uintptr_t pc) override;
  void copied(void* to, const void* from, std::size_t, int stream, bool to_device, bool from_device, bool wait,
              std::uintptr_t pc) override;
  void filled(void*, std::size_t, int stream, std::uintptr_t pc) override;
  void stream_created(int stream, bool blocking) override;
  void stream_destroyed(int) override;
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
  void barrier_opens(block_context&, fiber& last) override;
  void warp_synced(block_context&, std::int32_t warp, std::uint32_t mask) override;
  void warp_lanes_left(block_context&, std::int32_t speaker, std::uint32_t mask, std::uint32_t left, const char* operation,
                       std::uintptr_t pc) override;
  void shuffle_from_absent_lane(block_context&, std::int32_t rank, std::uint32_t mask, int lane, std::uintptr_t pc) override;
  void grid_synced(launch_state&) override;
  void async_issued(block_context&, fiber&, async_copy&) override;
  void async_performed(block_context&, fiber&, async_copy&, bool waited) override;
  void blocks_synced(std::span<block_context* const>) override;
  void threads_synced(block_context&, std::span<const std::int32_t>) override;

 private:
  // State of a resident block beside the detector's.
  struct block_record {
    check::block_state* state = nullptr;
    std::uint64_t arrays_seen[4] = {};        // bit per shared_key id: announced for this block
    bool dynamic_named = false;               // its dynamic shared memory goes by the name of a declaration
  };
  struct stream_record {
    int detector_stream = 0;
    bool blocking = true;
  };

  index3 block_position(const block_context&) const;
  index3 thread_position(const launch_state&, std::int32_t rank) const;
  void judge_barrier(block_context&, fiber& last);
  void add(finding f, std::uintptr_t key_a, std::uintptr_t key_b);
  void add_by_host(finding f, access_kind kind, std::uintptr_t pc, std::uintptr_t key);  // the host did it, at pc
  void say_who(finding& f) const;
  int stream_of(int handle);
  // Hands the detector what the host touched since the last event. Before everything that could order it.
  void settle_host();
  // Legacy default stream: it and blocking streams wait for each other.
  void before_work(int handle);
  access side(const block_context&, std::int32_t rank, std::uintptr_t pc, std::string state) const;

  check_settings settings_;
  check::detector detector_;
  std::mutex mutex_;
  std::map<std::tuple<rule, std::string, std::uintptr_t, std::uintptr_t>, finding> own_;  // findings that are not the detector's
  std::map<int, stream_record> streams_;
  std::map<int, check::detector::position> events_;
  int default_stream_ = 0;
  std::atomic<check::launch_state*> launch_{nullptr};
  // What another host thread may have learned through atomics while a launch ran, each once: a load, or a fence (no bytes),
  // which stands behind all loads before it. Told to the detector when the launch has ended.
  struct late_acquire {
    std::uintptr_t address;
    std::uint32_t bytes;
    check::order order;
    int stream;
    bool operator==(const late_acquire&) const = default;
  };
  std::vector<late_acquire> late_;  // under mutex_
  void acquires_late(const late_acquire& a);
  // Another host thread used atomics while a launch ran: what the host touched meanwhile may be ordered by them, which
  // nobody followed.
  std::atomic<bool> signalled_{false};
  check::detector::position released_;  // by callbacks, under a host_turn
  std::atomic<bool> has_released_{false}, acquired_late_{false};
  host_touches touches_;
  std::set<std::string> element_functions_;
  enum class stream_act : std::uint8_t { callback, allocation, release };
  struct act_record {
    stream_act what;
    std::vector<std::uintptr_t> callers;
  };
  std::map<std::uintptr_t, act_record> acts_;  // by code address: what findings call the detector's copies and fills
  std::vector<std::unique_ptr<block_record>> free_records_;
  std::vector<std::unique_ptr<block_record>> live_records_;
  symbolizer symbols_;
};

// The session that watches this process; null outside checked runs.
check_session* current_session();

}  // namespace simt::sim
