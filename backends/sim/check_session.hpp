// SPDX-License-Identifier: Apache-2.0
// One checked run: which consumers watch it, and what it has found at its end. Check variant.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <backends/sim/check_hook.hpp>
#include <backends/sim/run_counters.hpp>
#include <sim/check/consumer.hpp>
#include <sim/instrument/batch_judge.hpp>
#include <sim/instrument/dispatcher.hpp>
#include <sim/report/profile_data.hpp>
#include <sim/report/symbolize.hpp>

namespace simt::sim {

// What to watch for; see run_request.
struct check_settings {
  check_set checks;
  bool volatile_is_plain = false;
  bool may_doubt = false;
  bool names_places = true;  // of all readers, at once
  bool profile = false;      // count what memory instructions cost
  int workers = 1;
};

// Where nothing is checked, all accesses of neighbours may be gathered.
class all_batches final : public batch_judge {
 public:
  std::uint64_t interval_of(const watched_thread&) override { return 0; }
  std::uint32_t prove(const gathered_batch&, std::uint32_t, std::uint32_t most, std::uint32_t) override { return most; }
  void commit(const gathered_batch&, std::uint32_t, std::size_t) override {}
  void loops_begin(watched_thread&) override {}
  void loops_wait_at_grid(watched_thread&) override {}
  void ask_read_only(watched_thread&, std::span<const std::uintptr_t>, std::span<quiet_array>, bool) override {}
  bool has_read(watched_thread&, std::uintptr_t, std::uintptr_t) override { return false; }
};

class check_session {
 public:
  explicit check_session(const check_settings& settings);
  ~check_session();
  check_session(const check_session&) = delete;
  check_session& operator=(const check_session&) = delete;

  // Findings so far, with source lines, in a repeatable order. `leaks`: report what is still allocated.
  std::vector<finding> collect(bool leaks, std::vector<std::string>& notes);
  bool counts() const { return settings_.profile; }
  // What the counters have seen so far, by kernel and source line.
  std::vector<profiled_kernel> counted(std::vector<std::string>& notes) {
    return counter_ ? counter_->counted(symbols_, notes) : std::vector<profiled_kernel>();
  }
  std::int64_t excused_volatile() { return static_cast<std::int64_t>(detector_.core().stats().excused_volatile); }
  bool doubtful() { return detector_.core().stats().doubtful; }
  // See check_hook.
  std::int64_t unwritten(const void* device, std::size_t element_bytes, std::int64_t count);
  std::int64_t uninitialised(const void* device, std::size_t bytes);
  dispatcher& events() { return *dispatcher_; }
  // Nothing is observed any more. What the detector holds stays until this is destroyed.
  void end() { dispatcher_.reset(); }

 private:
  check_settings settings_;
  check::detector_consumer detector_;
  all_batches all_batches_;
  std::unique_ptr<run_counters> counter_;
  std::optional<dispatcher> dispatcher_;
  symbolizer symbols_;
};

}  // namespace simt::sim
