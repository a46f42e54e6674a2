// SPDX-License-Identifier: Apache-2.0
// CUB's collectives of a warp, or of a part of it, by shuffles. The storage is not touched.
#pragma once

#include "tools.hpp"
#include "../hide_names.hpp"

namespace cub {

namespace detail {
// `Threads` neighbouring lanes, or fewer at the end of a block.
template <int Threads>
class lanes {
 public:
  lanes() {
    lane_ = static_cast<int>(LaneId());
    first_ = Threads == 32 ? 0 : lane_ / Threads * Threads;
    const dim3 d = simt_cuda::block_dim();
    const int left = static_cast<int>(d.x * d.y * d.z) - (detail::rank() - lane_) - first_;
    count_ = left < Threads ? left : Threads;
    mask_ = (count_ >= 32 ? 0xffffffffu : (1u << count_) - 1) << first_;
  }
  int rank() const { return lane_ - first_; }
  int count() const { return count_; }
  unsigned mask() const { return mask_; }
  template <class T>
  T from(const T& v, int member) const {
    return from_lane(mask_, v, first_ + member);
  }
  // The member's own value where there is no such other.
  template <class T>
  T from_or_own(const T& v, int member) const {
    return from(v, member >= 0 && member < count_ ? member : rank());
  }

 private:
  int lane_, first_, count_;
  unsigned mask_;
};
}  // namespace detail

template <class T, int Threads = 32, int = 0>
class WarpReduce {
 public:
  struct TempStorage {
    char unused;
  };
  explicit WarpReduce(TempStorage&) {}
  WarpReduce() = default;
  template <class Op>
  T Reduce(T v, Op op, int valid) {
    for (int reach = 1; reach < Threads; reach *= 2) {
      const T other = l_.from_or_own(v, l_.rank() + reach);
      if (l_.rank() % (2 * reach) == 0 && l_.rank() + reach < valid && l_.rank() + reach < l_.count())
        v = static_cast<T>(op(v, other));
    }
    return v;
  }
  template <class Op>
  T Reduce(T v, Op op) {
    return Reduce(v, op, Threads);
  }
  T Sum(T v) { return Reduce(v, cub::Sum()); }
  T Sum(T v, int valid) { return Reduce(v, cub::Sum(), valid); }
  T Max(T v) { return Reduce(v, cub::Max()); }
  T Min(T v) { return Reduce(v, cub::Min()); }
  template <class Flag, class Op>
  T HeadSegmentedReduce(T v, Flag head, Op op) {
    return segmented(v, static_cast<int>(head), true, op);
  }
  template <class Flag, class Op>
  T TailSegmentedReduce(T v, Flag tail, Op op) {
    return segmented(v, static_cast<int>(tail), false, op);
  }
  template <class Flag>
  T HeadSegmentedSum(T v, Flag head) {
    return HeadSegmentedReduce(v, head, cub::Sum());
  }
  template <class Flag>
  T TailSegmentedSum(T v, Flag tail) {
    return TailSegmentedReduce(v, tail, cub::Sum());
  }

 private:
  template <class Op>
  T segmented(T v, int flag, bool heads, Op op) {
    T sum = v;
    bool open = heads || flag == 0;
    for (int i = 1; i < Threads; ++i) {
      const T other = l_.from_or_own(v, l_.rank() + i);
      const int marked = l_.from_or_own(flag, l_.rank() + i);
      if (l_.rank() + i >= l_.count() || (heads && marked != 0)) open = false;
      if (open) sum = static_cast<T>(op(sum, other));
      if (!heads && marked != 0) open = false;
    }
    return sum;
  }
  detail::lanes<Threads> l_;
};

template <class T, int Threads = 32, int = 0>
class WarpScan {
 public:
  struct TempStorage {
    char unused;
  };
  explicit WarpScan(TempStorage&) {}
  WarpScan() = default;
  template <class Op>
  void InclusiveScan(T in, T& out, Op op) {
    T sum = in;
    for (int reach = 1; reach < Threads; reach *= 2) {
      const T other = l_.from_or_own(sum, l_.rank() - reach);
      if (l_.rank() >= reach) sum = static_cast<T>(op(other, sum));
    }
    out = sum;
  }
  template <class Op>
  requires std::is_invocable_v<Op&, T, T>
  void InclusiveScan(T in, T& out, T init, Op op) {
    InclusiveScan(in, out, op);
    out = static_cast<T>(op(init, out));
  }
  template <class Op>
  requires std::is_invocable_v<Op&, T, T>
  void InclusiveScan(T in, T& out, Op op, T& total) {
    InclusiveScan(in, out, op);
    total = l_.from(out, l_.count() - 1);
  }
  template <class Op>
  requires std::is_invocable_v<Op&, T, T>
  void ExclusiveScan(T in, T& out, Op op) {
    T inclusive;
    InclusiveScan(in, inclusive, op);
    const T before = l_.from_or_own(inclusive, l_.rank() - 1);
    if (l_.rank() > 0) out = before;
  }
  template <class Op>
  requires std::is_invocable_v<Op&, T, T>
  void ExclusiveScan(T in, T& out, Op op, T& total) {
    T inclusive;
    InclusiveScan(in, inclusive, op, total);
    const T before = l_.from_or_own(inclusive, l_.rank() - 1);
    if (l_.rank() > 0) out = before;
  }
  template <class Op>
  requires std::is_invocable_v<Op&, T, T>
  void ExclusiveScan(T in, T& out, T init, Op op) {
    T inclusive;
    InclusiveScan(in, inclusive, op);
    const T before = l_.from_or_own(inclusive, l_.rank() - 1);
    out = l_.rank() > 0 ? static_cast<T>(op(init, before)) : init;
  }
  template <class Op>
  requires std::is_invocable_v<Op&, T, T>
  void ExclusiveScan(T in, T& out, T init, Op op, T& total) {
    T inclusive;
    InclusiveScan(in, inclusive, op, total);
    const T before = l_.from_or_own(inclusive, l_.rank() - 1);
    out = l_.rank() > 0 ? static_cast<T>(op(init, before)) : init;
  }
  template <class Op>
  void Scan(T in, T& inclusive, T& exclusive, Op op) {
    InclusiveScan(in, inclusive, op);
    const T before = l_.from_or_own(inclusive, l_.rank() - 1);
    if (l_.rank() > 0) exclusive = before;
  }
  void InclusiveSum(T in, T& out) { InclusiveScan(in, out, cub::Sum()); }
  void InclusiveSum(T in, T& out, T& total) { InclusiveScan(in, out, cub::Sum(), total); }
  void ExclusiveSum(T in, T& out) { ExclusiveScan(in, out, T(0), cub::Sum()); }
  void ExclusiveSum(T in, T& out, T& total) { ExclusiveScan(in, out, T(0), cub::Sum(), total); }
  T Broadcast(T v, unsigned member) { return l_.from(v, static_cast<int>(member)); }

 private:
  detail::lanes<Threads> l_;
};

template <int Threads, class T>
T ShuffleIndex(T v, int member, unsigned mask) {
  return detail::from_lane(mask, v, static_cast<int>(LaneId()) / Threads * Threads + member);
}
template <int Threads, class T>
T ShuffleDown(T v, int distance, int last, unsigned mask) {
  const int lane = static_cast<int>(LaneId()), base = lane / Threads * Threads;
  return detail::from_lane(mask, v, lane - base + distance <= last ? lane + distance : lane);
}
template <int Threads, class T>
T ShuffleUp(T v, int distance, int first, unsigned mask) {
  const int lane = static_cast<int>(LaneId()), base = lane / Threads * Threads;
  return detail::from_lane(mask, v, lane - base - distance >= first ? lane - distance : lane);
}

}  // namespace cub

#include "../restore_names.hpp"
