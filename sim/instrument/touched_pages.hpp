// SPDX-License-Identifier: Apache-2.0
// Bytes that host code has touched here and there, as by the columns of a matrix or by indices that are data: a bit for
// each byte, kept by page and instruction. Part of host_touches, which locks it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace simt::sim {

struct host_touch {
  std::uintptr_t from, to;
  std::uintptr_t pc;
  int stream;  // whose callback; event::kHostItself: none
  bool write;
};

class touched_pages {
 public:
  static constexpr std::size_t kMostPages = 16384;  // 9 MiB
  static constexpr std::size_t kMostBytes = 64;     // of one touch

  // False: it is too large, or there is no room, and it may be here in part.
  bool add(const host_touch& t);
  // Takes the touch that add() saw last out again, if it is a read of just these bytes and brought them here.
  void drop_last_read(std::uintptr_t address, std::size_t bytes, int stream);
  bool is_full() const { return pages_.size() >= kMostPages; }
  // Adds its contents to `all`, a touch for each run of bytes in a page; none are left.
  void take(std::vector<host_touch>& all);

 private:
  static constexpr std::size_t kPageBytes = 4096, kSlots = 2 * kMostPages;
  struct page {
    std::uintptr_t base, pc;
    int stream;
    bool write;
    std::array<std::uint64_t, kPageBytes / 64> bytes{};
    bool is_of(const host_touch& t) const { return pc == t.pc && write == t.write && stream == t.stream; }
  };
  page* page_of(const host_touch& t);
  static bool mark(page& p, std::uintptr_t from, std::uintptr_t to);  // some bytes are new

  std::deque<page> pages_;
  std::vector<std::uint32_t> slots_;  // by hash: 1 + index of a page; empty until the first is there
  host_touch last_{};
  bool last_is_new_ = false;
};

}  // namespace simt::sim
