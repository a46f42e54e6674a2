// SPDX-License-Identifier: Apache-2.0
// Additions to words of device memory that each worker makes to a copy of its own: the bins of a histogram. What the
// copies hold is added to memory when the worker has run its part of the launch.
//
// The compiler's plugin (sim/compile/worker_sums.hpp) asks for a copy where a kernel's atomic updates are such that
// nobody can tell when in the launch they are made: nobody reads their old values, and the kernel has no fence and no
// other atomic or volatile access that could order them. What is left to be known when the kernel runs is asked here:
// that nothing else that the kernel does reaches their words, and that nobody outside of the launch looks at them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace simt::sim {

struct launch_state;
class worker;

// What the kernel's code reads: the words of an allocation and a copy of them. words 0: there is no copy, and the
// updates are made in memory.
struct worker_sum {
  std::uintptr_t first = 0;  // address of the first word
  std::uint64_t words = 0;
  std::byte* copy = nullptr;
};

// What all updates of one copy are: the operation, and whether the words are of 8 bytes (1) or 4 (0).
enum class sum_operation : std::uint32_t { add, or_, xor_, and_ };
struct sum_kind {
  sum_operation operation;
  std::uint32_t eight_bytes;
  bool operator==(const sum_kind&) const = default;
};
inline sum_kind sum_kind_of(std::uint32_t number) { return {static_cast<sum_operation>(number / 2), number % 2}; }

// Those of one worker. On its OS thread.
class worker_sums {
 public:
  // Of the updates of `kind` (its number) that lie behind `base`, in a kernel whose other accesses lie behind the
  // `count` pointers at `others`.
  worker_sum open(const launch_state& l, const void* base, std::uint32_t kind, const void* const* others,
                  std::uint32_t count);
  // The worker has run its part of the launch: memory gets what the copies hold, which are forgotten.
  void end();
  bool empty() const { return answers_.empty(); }

  static constexpr std::size_t kMostBytes = 256 * 1024;  // of a copy: beyond, a worker's cache does not hold it
  static constexpr std::size_t kMostOthers = 24;         // pointers of a kernel's other accesses

 private:
  struct answer {
    const void* base = nullptr;
    std::uint32_t kind = 0;
    std::uint32_t count = 0;
    std::array<const void*, kMostOthers> others{};  // `count` of them; no vector, for a launch allocates nothing
    worker_sum sum;

    std::span<const void* const> all_others() const { return {others.data(), count}; }
  };
  struct copy {
    sum_kind kind{};
    worker_sum sum;
    bool open = false;
    std::size_t bytes = 0;  // of the buffer, which holds what changes nothing while the copy is not open
    std::unique_ptr<std::uint64_t[]> words;
  };
  worker_sum find(const launch_state& l, const answer& a);
  worker_sum copy_of(std::uintptr_t first, std::size_t bytes, sum_kind kind);

  std::vector<answer> answers_;  // of the running launch
  std::vector<copy> copies_;     // kept for later launches
};

// For the code that the plugin makes, of a kernel that the calling OS thread runs.
extern "C" void simt_worker_sum(worker_sum& sum, const void* base, std::uint32_t kind, const void* const* others,
                                std::uint32_t count);

}  // namespace simt::sim
