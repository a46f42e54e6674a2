// SPDX-License-Identifier: Apache-2.0
// The findings of a detector: folds repeats of one defect into one finding, counts them, limits their number. What a
// finding says is filled in by who found it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sim/check/unconfirmed_reads.hpp"
#include "sim/report/finding.hpp"

namespace simt::check {

struct operation;
struct earlier_access;

// Everything but `dropped` is for who holds `mutex`.
class finding_log {
 public:
  explicit finding_log(std::size_t most) : most_(most) {}

  // One finding stands for all with the same rule, object and pair of code addresses, in whatever order.
  struct defect {
    simt::rule rule;
    std::string object;
    std::uintptr_t pc, other_pc;
    simt::severity severity = severity::error;
  };
  struct entry {
    std::size_t index = kNone;  // kNone: there are too many, it is only counted
    bool fresh = false;         // the first of its kind: the finding is empty but for rule, object and severity
    finding* found = nullptr;
  };
  static constexpr std::size_t kNone = ~std::size_t{0};
  // Counts the defect. An error makes an error of the finding, whatever it was before.
  entry count(const defect& d);
  // The same for one that has this index already.
  entry count(std::size_t index, simt::severity how_bad);

  finding& at(std::size_t index) { return found_[index]; }
  // In order of rule, object and code address, which depends on nothing else where one worker runs. Findings whose
  // reads were all confirmed are left out; those with some are warnings. Missing fences of flags are left out.
  std::vector<finding> all() const;
  std::uint64_t dropped() const { return dropped_; }

  mutable std::mutex mutex;
  // A finding names the place of one of several readers: options::readers_by_place.
  std::atomic<bool> unsure_places{false};
  unconfirmed_reads unconfirmed;
  // Cells that hold flags; what reads flags, as code address and object; and of each missing-fence what it is about.
  // Of flags it is none: unfenced.hpp.
  std::set<std::uintptr_t> polled;
  std::set<std::pair<std::uintptr_t, std::uintptr_t>> polling;
  struct data_read {
    std::uintptr_t cell, pc, object;
  };
  std::map<std::size_t, data_read> handed_over;
  bool is_flag(const data_read& d) const { return polled.contains(d.cell) || polling.contains({d.pc, d.object}); }

  // Tests look here: every race and memory defect before folding. Null otherwise.
  struct race_instance {
    rule what;
    std::uintptr_t address;  // of the cell
    std::uint8_t mask;       // its bytes
    const operation* op;
    const earlier_access* before;  // null: memory
    bool fenced = false;           // missing-fence: the writer has its fence
  };
  void (*on_instance)(void*, const race_instance&) = nullptr;
  void* on_instance_data = nullptr;

 private:
  struct key {
    rule what;
    std::string object;
    std::uintptr_t low, high;
    auto operator<=>(const key&) const = default;
  };
  static constexpr std::size_t kMostKnown = std::size_t{1} << 16;  // beyond, a dropped one may be counted again
  std::size_t most_;
  std::vector<finding> found_;
  std::map<key, std::size_t> index_;  // kNone: dropped
  std::uint64_t dropped_ = 0;
};

}  // namespace simt::check
