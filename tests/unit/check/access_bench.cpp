// SPDX-License-Identifier: Apache-2.0
// Nanoseconds an access for typical patterns, one worker. Run by hand: build/check/check_access_bench
#include <sys/mman.h>

#include <cstdio>
#include <ctime>
#include <functional>

#include "sim/check/detector.hpp"

using namespace simt::check;

namespace {

constexpr std::size_t kBytes = std::size_t{1} << 27;

struct world {
  unsigned char* memory = static_cast<unsigned char*>(
      mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  std::uintptr_t device = reinterpret_cast<std::uintptr_t>(memory), shared = device + kBytes - 65536;
  detector d;
  explicit world(int workers) : d(make(workers), {device, kBytes - 65536}, {shared, 65536}) {}
  ~world() { munmap(memory, kBytes); }
  static options make(int workers) {
    options o;
    o.workers = workers;
    return o;
  }
  std::uintptr_t buffer(std::size_t at, std::size_t bytes, const char* name) {
    allocation a;
    a.address = device + at;
    a.size = bytes;
    a.info = {name, "float", 4, {}};
    d.allocated(a, true);
    return a.address;
  }
  // body(block, thread) for every thread of every block; barrier(b) after each round.
  void launch(int blocks, int threads, const std::function<void(block_state&, int)>& body) {
    launch_state& l = d.launch_begin(0, "k", {blocks, 1, 1}, {threads, 1, 1});
    for (int i = 0; i < blocks; ++i) {
      block_state& b = d.block_begin(l, i, {i, 0, 0}, i, {shared, 65536});
      shared_array(b, shared, 16384, {"tile", "float", 4, {}});
      body(b, i);
      d.block_end(b);
    }
    d.launch_end(l);
  }
};

// CPU time of this thread: other load on the machine does not count.
double cpu_ns() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) * 1e9 + static_cast<double>(t.tv_nsec);
}

template <class F>
void measure(const char* name, double accesses, F f) {
  for (int workers : {1, 2}) {
    world w(workers);
    f(w);
    const double start = cpu_ns();
    f(w);
    const double ns = cpu_ns() - start;
    std::printf("%-34s %s %6.2f ns an access\n", name, workers == 1 ? "1 worker " : "locking  ", ns / accesses);
    std::fflush(stdout);
  }
}

}  // namespace

int main() {
  constexpr int n = 1 << 20;
  measure("saxpy: x read, y read, y write", 3.0 * n, [](world& w) {
    static std::uintptr_t x, y;
    if (w.d.live_allocations().empty()) x = w.buffer(0, n * 4, "x"), y = w.buffer(1 << 25, n * 4, "y");
    w.launch(n / 256, 256, [&](block_state& b, int block) {
      for (int t = 0; t < 256; ++t) {
        thread_state& s = thread_of(b, t);
        const std::uintptr_t i = static_cast<std::uintptr_t>(block * 256 + t) * 4;
        read(s, x + i, 4, 0x100);
        read(s, y + i, 4, 0x110);
        write(s, y + i, 4, 0x120);
      }
    });
  });
  constexpr int m = 128;
  measure("naive matmul 128", 2.0 * m * m * m, [](world& w) {
    static std::uintptr_t a, b2, c;
    if (w.d.live_allocations().empty())
      a = w.buffer(0, m * m * 4, "a"), b2 = w.buffer(1 << 25, m * m * 4, "b"), c = w.buffer(1 << 26, m * m * 4, "c");
    w.launch((m / 16) * (m / 16), 256, [&](block_state& b, int block) {
      for (int t = 0; t < 256; ++t) {
        thread_state& s = thread_of(b, t);
        const int row = block / (m / 16) * 16 + t / 16, col = block % (m / 16) * 16 + t % 16;
        for (int k = 0; k < m; ++k) {
          read(s, a + static_cast<std::uintptr_t>(row * m + k) * 4, 4, 0x100);
          read(s, b2 + static_cast<std::uintptr_t>(k * m + col) * 4, 4, 0x110);
        }
        write(s, c + static_cast<std::uintptr_t>(row * m + col) * 4, 4, 0x120);
      }
    });
  });
  measure("tiled matmul: shared tile, barriers", 64.0 * 32 * 256 * 34, [](world& w) {
    w.launch(64, 256, [&](block_state& b, int) {
      for (int round = 0; round < 32; ++round) {
        for (int t = 0; t < 256; ++t) {
          thread_state& s = thread_of(b, t);
          write(s, w.shared + static_cast<std::uintptr_t>(t) * 4, 4, 0x100);
          write(s, w.shared + 1024 + static_cast<std::uintptr_t>(t) * 4, 4, 0x110);
        }
        block_barrier(b);
        for (int t = 0; t < 256; ++t) {
          thread_state& s = thread_of(b, t);
          for (int k = 0; k < 16; ++k) {
            read(s, w.shared + static_cast<std::uintptr_t>(t / 16 * 16 + k) * 4, 4, 0x120);
            read(s, w.shared + 1024 + static_cast<std::uintptr_t>(k * 16 + t % 16) * 4, 4, 0x130);
          }
        }
        block_barrier(b);
      }
    });
  });
  measure("reduction in shared memory", 1024.0 * (256 + 3 * 255), [](world& w) {
    w.launch(1024, 256, [&](block_state& b, int) {
      for (int t = 0; t < 256; ++t) write(thread_of(b, t), w.shared + static_cast<std::uintptr_t>(t) * 4, 4, 0x100);
      block_barrier(b);
      for (int k = 128; k; k /= 2) {
        for (int t = 0; t < k; ++t) {
          thread_state& s = thread_of(b, t);
          read(s, w.shared + static_cast<std::uintptr_t>(t + k) * 4, 4, 0x110);
          read(s, w.shared + static_cast<std::uintptr_t>(t) * 4, 4, 0x120);
          write(s, w.shared + static_cast<std::uintptr_t>(t) * 4, 4, 0x130);
        }
        block_barrier(b);
      }
    });
  });
  measure("nbody: all read all", 1024.0 * 1024, [](world& w) {
    static std::uintptr_t x;
    if (w.d.live_allocations().empty()) x = w.buffer(0, 1024 * 4, "x");
    w.launch(4, 256, [&](block_state& b, int) {
      for (int t = 0; t < 256; ++t)
        for (int j = 0; j < 1024; ++j) read(thread_of(b, t), x + static_cast<std::uintptr_t>(j) * 4, 4, 0x100);
    });
  });
  measure("one thread, same cell again", 1 << 22, [](world& w) {
    static std::uintptr_t x;
    if (w.d.live_allocations().empty()) x = w.buffer(0, 4096, "x");
    w.launch(1, 1, [&](block_state& b, int) {
      for (int i = 0; i < 1 << 22; ++i) read(thread_of(b, 0), x + static_cast<std::uintptr_t>(i & 255) * 4, 4, 0x100);
    });
  });
  measure("5-point stencil", 5.0 * 1024 * 1024, [](world& w) {
    static std::uintptr_t x;
    if (w.d.live_allocations().empty()) x = w.buffer(0, 1024 * 1030 * 4, "x");
    w.launch(4096, 256, [&](block_state& b, int block) {
      for (int t = 0; t < 256; ++t) {
        const std::uintptr_t i =
            x + (static_cast<std::uintptr_t>(block) * 256 + static_cast<std::uintptr_t>(t) + 1025) * 4;
        thread_state& s = thread_of(b, t);
        read(s, i, 4, 0x100), read(s, i - 4, 4, 0x110), read(s, i + 4, 4, 0x120);
        read(s, i - 4096, 4, 0x130), read(s, i + 4096, 4, 0x140);
      }
    });
  });
  measure("histogram: device atomics, 150 bins", 1 << 20, [](world& w) {
    static std::uintptr_t x;
    if (w.d.live_allocations().empty()) x = w.buffer(0, 4096, "x");
    w.launch(64, 64, [&](block_state& b, int block) {
      unsigned r = static_cast<unsigned>(block) + 1;
      for (int t = 0; t < 64; ++t)
        for (int i = 0; i < 256; ++i) {
          r = r * 1664525 + 1013904223;
          const std::uintptr_t at = x + (r >> 16) % 150 * 4;
          atomic_section lock(thread_of(b, t), at, 4);
          atomic(thread_of(b, t), at, 4, atomic_op::rmw, order::relaxed, scope::device, 0x100);
        }
    });
  });
  return 0;
}
