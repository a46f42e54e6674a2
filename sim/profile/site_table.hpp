// SPDX-License-Identifier: Apache-2.0
// What was counted, by place in the code. Sites are code addresses; whoever reads the table knows their source lines.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "sim/instrument/events.hpp"
#include "sim/profile/memory_model.hpp"
#include "sim/profile/warp_trace.hpp"

namespace simt::profile {

// One instruction of a warp that cost more than all others at its place.
struct sample {
  std::uint32_t cost = 0;
  warp_access access;
  sim::event::coordinates block;
  std::uint32_t warp = 0;
  std::uintptr_t shared_base = 0;  // where its array in shared memory begins, or all of the block's
};

struct amounts {
  std::uint64_t executions = 0;  // by warps
  std::uint64_t lanes = 0;       // that took part, summed
  std::uint64_t cost = 0;        // sectors or wavefronts
  std::uint64_t other = 0;       // ideal sectors, or bank conflicts
  std::uint64_t bytes = 0;       // that lanes asked for
  amounts& operator+=(const amounts& more) {
    executions += more.executions, lanes += more.lanes, cost += more.cost, other += more.other, bytes += more.bytes;
    return *this;
  }
};
struct tally : amounts {
  sample worst;
  using amounts::operator+=;
  tally& operator+=(const tally& more) {
    amounts::operator+=(more);
    if (more.worst.cost > worst.cost) worst = more.worst;
    return *this;
  }
};

struct place {
  std::uintptr_t site = 0;
  operation what = operation::marker;
  auto operator<=>(const place&) const = default;
};

// Neighbouring accesses that are one instruction if one statement makes them: the members of a float4. Both ways are
// counted; source lines decide.
inline constexpr std::size_t kMostPieces = 4;
struct run_key {
  std::array<std::uintptr_t, kMostPieces> sites{};
  std::uint32_t pieces = 0;
  operation what = operation::marker;
  auto operator<=>(const run_key&) const = default;
};
struct run_tally {
  tally whole;
  std::array<tally, kMostPieces> apart;
  run_tally& operator+=(const run_tally& more) {
    whole += more.whole;
    for (std::size_t i = 0; i < kMostPieces; ++i) apart[i] += more.apart[i];
    return *this;
  }
};

// Open addressing: one look for most instructions.
class site_table {
 public:
  tally& operator[](const place& p) {
    for (std::size_t at = slot_of(p);; at = (at + 1) & (rows_.size() - 1)) {
      row& r = rows_[at];
      if (r.where == p) return r.counted;
      if (r.where.site != 0) continue;
      if (2 * ++used_ > rows_.size()) {
        grow();
        return (*this)[p];
      }
      r.where = p;
      return r.counted;
    }
  }
  template <class Visit>
  void each(Visit&& visit) const {
    for (const row& r : rows_)
      if (r.where.site != 0) visit(r.where, r.counted);
  }

 private:
  static constexpr std::size_t kFirst = 64;
  struct row {
    place where;
    tally counted;
  };
  std::size_t slot_of(const place& p) const {
    return ((p.site + static_cast<std::uintptr_t>(p.what)) * 0x9e3779b97f4a7c15ULL >> 40) & (rows_.size() - 1);
  }
  void grow() {
    std::vector<row> old(2 * rows_.size());
    old.swap(rows_);
    used_ = 0;
    for (row& r : old)
      if (r.where.site != 0) (*this)[r.where] = r.counted;
  }
  std::vector<row> rows_ = std::vector<row>(kFirst);
  std::size_t used_ = 0;
};

using run_table = std::map<run_key, run_tally>;

}  // namespace simt::profile
