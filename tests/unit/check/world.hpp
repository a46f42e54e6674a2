// SPDX-License-Identifier: Apache-2.0
// A detector over real memory and short words for its events, for tests of single mechanisms.
#pragma once

#include <sys/mman.h>

#include <cstring>
#include <string>
#include <vector>

#include "sim/check/detector.hpp"

namespace check_tests {

using namespace simt::check;
using simt::finding;
using simt::rule;
using simt::severity;

inline options with(std::size_t max_findings = 4096, bool volatile_is_plain = false, int workers = 1) {
  options o;
  o.max_findings = max_findings;
  o.volatile_is_plain = volatile_is_plain;
  o.workers = workers;
  return o;
}

struct world {
  static constexpr std::size_t kBytes = 1 << 20;
  unsigned char* memory =
      static_cast<unsigned char*>(mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  std::uintptr_t device = reinterpret_cast<std::uintptr_t>(memory), shared = device + kBytes / 2;
  detector d;
  launch_state* l = nullptr;
  std::vector<block_state*> blocks;

  explicit world(options o = {}) : d(o, {device, kBytes / 2}, {shared, kBytes / 2}) {}
  ~world() {
    end();
    munmap(memory, kBytes);
  }
  std::uintptr_t buffer(const char* name, std::size_t ints, bool initialised = true, std::size_t at = 0) {
    allocation a;
    a.address = device + at;
    a.size = ints * 4;
    a.info = {name, "int", 4, {}};
    d.allocated(a, initialised);
    return a.address;
  }
  // All blocks resident, each with an array `tile` of 64 ints.
  void launch(int count, int threads, int stream = 0, int per_cluster = 1, std::uint64_t child = 0) {
    end();
    l = &d.launch_begin(stream, "kernel", {count, 1, 1}, {threads, 1, 1}, per_cluster > 1, false, child);
    for (int i = 0; i < count; ++i) {
      blocks.push_back(&d.block_begin(*l, i, {i, 0, 0}, i / per_cluster, {tile(i), 1024}));
      shared_array(*blocks.back(), tile(i), 256, {"tile", "int", 4, {8, 8}});
    }
  }
  std::uintptr_t tile(int block) const { return shared + static_cast<std::uintptr_t>(block) * 1024; }
  void end() {
    for (auto* b : blocks) d.block_end(*b);
    blocks.clear();
    if (l) d.launch_end(*l);
    l = nullptr;
  }
  thread_state& t(int block, int rank) { return thread_of(*blocks[static_cast<std::size_t>(block)], rank); }
  void rd(int block, int rank, std::uintptr_t at, std::uintptr_t pc = 0x10) { read(t(block, rank), at, 4, pc); }
  // Announces the store, then does it, as instrumented code does.
  void wr(int block, int rank, std::uintptr_t at, int value, std::uintptr_t pc = 0x20) {
    write(t(block, rank), at, 4, pc);
    std::memcpy(reinterpret_cast<void*>(at), &value, 4);
  }
  void at(int block, int rank, std::uintptr_t where, atomic_op op, order o, scope s, std::uintptr_t pc = 0x30) {
    atomic_section lock(t(block, rank), where, 4);
    atomic(t(block, rank), where, 4, op, o, s, pc);
  }
  // "race-global x, uninitialized-read y": rules and objects of all findings.
  std::string found() {
    end();
    std::string s;
    for (const finding& f : d.findings())
      s += (s.empty() ? "" : ", ") + std::string(name(f.rule)) + " " + f.object +
           (f.severity == severity::warning ? " (warning)" : "");
    return s;
  }
};

}  // namespace check_tests
