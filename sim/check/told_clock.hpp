// SPDX-License-Identifier: Apache-2.0
// What flags and counters tell whoever reads them, fence or not: unfenced.hpp says what for.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/check/vector_clock.hpp"

namespace simt::check {

struct told_clock {
  // Writes of flags by one instruction, and what each of their threads had done and knew by then.
  struct flag {
    std::uintptr_t written_at;
    vector_clock before;
  };
  static constexpr std::size_t kFlags = 4;  // more are told of, but their places are forgotten

  vector_clock all;         // what came before the values that were read
  vector_clock kept;        // what a fence had kept before the first of a chain of flags, for threads of the device
  std::vector<flag> flags;  // the newest last

  explicit operator bool() const { return static_cast<bool>(all); }
  void add(const flag& f) {
    const auto it = std::ranges::find(flags, f.written_at, &flag::written_at);
    if (it != flags.end()) {
      it->before = join(it->before, f.before);
      return;
    }
    if (flags.size() == kFlags) flags.erase(flags.begin());
    flags.push_back(f);
  }
  void join_with(const told_clock& o) {
    if (!o) return;
    all = join(all, o.all);
    kept = join(kept, o.kept);
    for (const flag& f : o.flags) add(f);
  }
};

}  // namespace simt::check
