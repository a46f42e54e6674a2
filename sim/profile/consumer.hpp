// SPDX-License-Identifier: Apache-2.0
// The counters as a consumer of events: what each warp of each block did, counted by place in the code.
//
// Blocks are counted apart, each by the OS thread that runs it, and added up when their launch has ended.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "sim/instrument/consumer.hpp"
#include "sim/profile/site_table.hpp"

namespace simt::profile {

struct address_range {
  std::uintptr_t base = 0;
  std::size_t size = 0;
  bool holds(std::uintptr_t address) const { return address - base < size; }
};

struct kernel_counts {
  std::int64_t launches = 0, threads_per_block = 0, static_shared = 0, dynamic_shared = 0;
  bool cut = false;  // a warp did more between two waits than can be kept
  site_table sites;
  run_table runs;
};

class block_counts;  // of a resident block

class counting_consumer final : public sim::consumer {
 public:
  // `markers`: reads there say which basic block begins (sim/compile/markers.hpp).
  // `constants`: where constants of the program lie now; it is asked at each launch.
  counting_consumer(address_range device, address_range shared, address_range markers,
                    std::vector<address_range> (*constants)());
  ~counting_consumer() override;

  const std::map<std::string, kernel_counts>& kernels() const { return kernels_; }

  void allocated(const sim::allocation&, std::span<const sim::event::code_address>) override;
  void freed(const sim::allocation&) override;
  void launch_begins(const sim::event::launch&) override;
  void launch_ends() override;
  void block_begins(sim::event::block&) override;
  void block_ends(const sim::event::block&) override;
  void shared_array_used(const sim::event::block&, const sim::event::shared_array&) override;
  void accessed(const sim::event::access&) override;
  void accessed_in_batch(const sim::event::access_batch&) override;
  void did_atomic(const sim::event::atomic&) override;
  void copy_issued(const sim::event::async_copy&) override;
  void barrier_opens(const sim::event::barrier&) override;
  void warp_synced(const sim::event::warp_sync&) override;
  void named_barrier_opens(const sim::event::block&, std::int32_t number, std::span<const std::int32_t> ranks) override;
  void blocks_synced(std::span<const sim::event::block* const>) override;

 private:
  enum class space : std::uint8_t { none, global, shared, marker };  // none: constants, and what is not counted
  space space_of(std::uintptr_t address) const;
  std::uintptr_t as_on_a_gpu(std::uintptr_t address) const;
  void add_marker(block_counts& to, std::uint32_t first, std::uint32_t count, const step& s) const;

  const address_range device_, shared_, markers_;
  std::vector<address_range> (*const find_constants_)();
  std::vector<address_range> constants_;          // live ones, at the launch that runs
  std::map<std::uintptr_t, std::size_t> arrays_;  // of device memory, by where they begin; of all but kernels' own
  std::map<std::string, kernel_counts> kernels_;
  kernel_counts* running_ = nullptr;
  bool launch_runs_ = false;
  std::mutex mutex_;
  std::vector<std::unique_ptr<block_counts>> all_;
  std::vector<block_counts*> free_;
};

}  // namespace simt::profile
