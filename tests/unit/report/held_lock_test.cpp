// SPDX-License-Identifier: Apache-2.0
// Which lock both sides of a race hold, by the text, and what it lacks.
#include "sim/report/held_lock.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include "sim/report/phrase_lock.hpp"

using namespace simt;

namespace {

int line_of(const std::string& text, std::string_view word) {
  const auto until = text.begin() + static_cast<std::ptrdiff_t>(text.find(word));
  return static_cast<int>(std::count(text.begin(), until, '\n')) + 1;
}

// The fix for two writes by the line that says HERE; empty: no lock is held there, or nothing is wrong with it. Where a
// line says BEFORE, that one came first.
std::string mended(const std::string& text) {
  const auto path = std::filesystem::temp_directory_path() / ("held_lock." + std::to_string(getpid()) + ".cu");
  std::ofstream(path) << text;
  finding f;
  f.rule = rule::race_global;
  f.cause = cause::race_blocks;
  simt::access a;
  a.kind = access_kind::write, a.file = path.string(), a.function = "k";
  a.line = line_of(text, "HERE");
  f.accesses = {a, a};
  if (text.find("BEFORE") != std::string::npos) f.accesses[1].line = line_of(text, "BEFORE");
  source_reader sources;
  f.facts.lock = find_held_lock(sources, f);
  std::filesystem::remove(path);
  return f.facts.lock.taken == 0 ? "" : mended_lock(f, dialect::cuda);
}

std::string in_kernel(const std::string& lines) { return "__global__ void k(int* s, int n) {\n" + lines + "}\n"; }

}  // namespace

TEST_CASE("a lock without fences, with one of them, and with both") {
  const std::string take = "  while (atomicCAS(&m, 0, 1) != 0) {}\n", fence = "  __threadfence();\n",
                    work = "  *s = n; // HERE\n", give = "  atomicExch(&m, 0);\n";
  CHECK(mended(in_kernel(take + work + give)) ==
        "put __threadfence() behind the loop at line 2, which takes the lock, and another in front of the operation at "
        "line 4, which gives it back");
  CHECK(mended(in_kernel(take + fence + work + give)) ==
        "put __threadfence() in front of the operation at line 5, which gives it back");
  CHECK(mended(in_kernel(take + work + fence + give)) ==
        "put __threadfence() behind the loop at line 2, which takes the lock");
  CHECK(mended(in_kernel(take + fence + work + fence + give)) == "");
  CHECK(mended(in_kernel(take + give + work)) == "");
  CHECK(mended(in_kernel(work + take + give)) == "");
  CHECK(mended(in_kernel(take + work + "  atomicExch(&other, 0);\n")) == "");
}

TEST_CASE("a lock that a loop waits for and a branch in it takes") {
  const std::string loop = "  for (;;) {\n    while (*(volatile int*)m != 0) ;\n    if (atomicCAS(m, 0, 1) == 0) ",
                    work = "\n  }\n  *s = n; // HERE\n  atomicExch(m, 0);\n";
  CHECK(mended(in_kernel(loop + "break;" + work)) ==
        "put __threadfence() behind the loop at line 2, which takes the lock, and another in front of the operation at "
        "line 7, which gives it back");
  CHECK(mended(in_kernel(loop + "n = 1;" + work)).find("line 3") != std::string::npos);  // that one waits
}

TEST_CASE("a lock that one thread takes for its block lacks fences: barriers of a block are none for others") {
  const std::string one = "  if (threadIdx.x == 0) ", meet = "  __syncthreads();\n";
  CHECK(mended(in_kernel(one + "while (atomicCAS(m, 0, 1) != 0) ;\n" + meet + "  s[threadIdx.x] = n; // HERE\n" + meet +
                         one + "atomicExch(m, 0);\n"))
            .starts_with("put __threadfence() behind the loop at line 2"));
}

TEST_CASE("a lock that is given back by a plain store") {
  CHECK(
      mended(in_kernel("  while (atomicExch(m + i, 1)) ;\n  *s = n; // HERE\n  m[i] = 0;\n")) ==
      "give the lock back at line 4 by an atomic operation: atomicExch(&m[i], 0), with __threadfence() in front of it, "
      "and another behind the loop at line 2, which takes the lock");
  CHECK(mended(in_kernel(
            "  while (atomicExch(&m, 1)) ;\n  __threadfence();\n  *s = n; // HERE\n  __threadfence();\n  m = 0;\n")) ==
        "give the lock back at line 6 by an atomic operation: atomicExch(&m, 0)");
  // A store through a pointer to volatile is no atomic operation, nor can one take that pointer.
  for (const std::string store : {"*(volatile int*)lock", "*((volatile int *)lock)", "*(int volatile*) lock"})
    CHECK(mended(in_kernel(
              "  while (atomicCAS(lock, 0, 1) != 0) ;\n  __threadfence();\n  *s = n; // HERE\n  __threadfence();\n  " +
              store + " = 0;\n")) == "give the lock back at line 6 by an atomic operation: atomicExch(lock, 0)");
}

TEST_CASE("the turn of a ticket") {
  const std::string take = "  int mine = atomicAdd(&next, 1);\n  while (serving != mine) {}\n";
  CHECK(mended(in_kernel(take + "  *s = n; // HERE\n  serving += 1;\n")) ==
        "give the lock back at line 5 by an atomic operation: atomicAdd(&serving, 1), with __threadfence() in front of "
        "it, and another behind the loop at line 3, which takes the lock");
  CHECK(mended(in_kernel("  while (i < n) { s[i] = 0; ++i; }\n  *s = n; // HERE\n  i = 0;\n")) ==
        "");  // waits for nobody
}

TEST_CASE("a lock that a branch takes") {
  CHECK(
      mended(in_kernel("  if (atomicCAS(&m, 0, 1) == 0) {\n    *s = n; // HERE\n    atomicExch(&m, 0);\n  }\n")) ==
      "put __threadfence() at the beginning of the branch of line 2, which takes the lock, and another in front of the "
      "operation at line 4, which gives it back");
  CHECK(mended(in_kernel("  if (atomicCAS(&m, 0, 1) == 0) {\n  }\n  *s = n; // HERE\n  atomicExch(&m, 0);\n")) == "");
}

TEST_CASE("functions and members that take and give") {
  const std::string functions =
      "__device__ void lock(int* m) { while (atomicCAS(m, 0, 1) != 0) {} }\n__device__ void unlock(int* m) { *m = 0; "
      "}\n";
  CHECK(
      mended(functions + in_kernel("  lock(&m);\n  *s = n; // HERE\n  unlock(&m);\n")) ==
      "give the lock back at line 2 by an atomic operation: atomicExch(m, 0), with __threadfence() in front of it, and "
      "another behind the loop at line 1, which takes the lock");
  CHECK(mended(functions + in_kernel("  lock(&m);\n  *s = n; // HERE\n  unlock(&other);\n")) == "");
  const std::string type =
      "struct guard { int* m;\n  __device__ void take() { while (atomicCAS(m, 0, 1)) {} __threadfence(); }\n"
      "  __device__ void give() { atomicExch(m, 0); } };\n";
  CHECK(mended(type + in_kernel("  guard g{p};\n  g.take();\n  *s = n; // HERE\n  g.give();\n")) ==
        "put __threadfence() in front of the operation at line 3, which gives it back");
  CHECK(
      mended(in_kernel("  while (m.exchange(1, cuda::memory_order_relaxed)) {}\n  *s = n; // HERE\n"
                       "  m.store(0, cuda::memory_order_relaxed);\n")) ==
      "write memory_order_acquire at line 2, where the lock is taken, and memory_order_release at line 4, where it is "
      "given back");
}

TEST_CASE("of two orders of a compare-and-swap the stronger one counts, and is as good as a fence") {
  const std::string take =
      "  int v = 0;\n  while (!m.compare_exchange_weak(v, 1, cuda::memory_order_acquire, "
      "cuda::memory_order_relaxed)) v = 0;\n  *s = n; // HERE\n";
  CHECK(mended(in_kernel(take + "  m.store(0, cuda::memory_order_relaxed);\n")) ==
        "write memory_order_release at line 5, where it is given back");
  CHECK(mended(in_kernel(take + "  atomicExch(&m, 0);\n")) ==
        "put __threadfence() in front of the operation at line 5, which gives it back");
  CHECK(mended(in_kernel(take + "  m.store(0, cuda::std::memory_order::release);\n")) == "");
}

TEST_CASE("two sections of one lock: who came first gives it back, the other one takes it") {
  const auto branches = [](const std::string& first, const std::string& second, const std::string& fence) {
    const std::string take = "    while (atomicCAS(&m, 0, 1) != 0) {}\n    __threadfence();\n",
                      give = "    atomicExch(&m, 0);\n";
    return mended(in_kernel("  if (n) {\n" + take + "    *s = n; // " + first + "\n" + give + "  } else {\n" + take +
                            "    *s = 0; // " + second + "\n" + fence + give + "  }\n"));
  };
  CHECK(branches("BEFORE", "HERE", "    __threadfence();\n") ==
        "put __threadfence() in front of the operation at line 6, which gives it back");
  CHECK(branches("HERE", "BEFORE", "    __threadfence();\n") == "");
  CHECK(branches("HERE", "BEFORE", "") ==
        "put __threadfence() in front of the operation at line 11, which gives it back");
}

TEST_CASE("a lock that macros take and give back") {
  const std::string macros =
      "#define LOCK(l) \\\n  while (atomicCAS(&(l), 0, 1) != 0) {}\n#define UNLOCK(l) atomicExch(&(l), 0)\n"
      "#define FREE(l) (l) = 0\n#define GIVE(a, l) do { __threadfence(); atomicExch(&(l), a); } while (0)\n";
  const std::string work = "  *s = n; // HERE\n";
  CHECK(mended(macros + in_kernel("  LOCK(m);\n" + work + "  UNLOCK(m);\n")) ==
        "put __threadfence() behind line 7, which takes the lock, and another in front of line 9, which gives it back");
  CHECK(mended(macros + in_kernel("  LOCK(m[i]);\n" + work + "  GIVE(0, m[i]);\n")) ==
        "put __threadfence() behind line 7, which takes the lock");
  CHECK(mended(macros + in_kernel("  LOCK(m);\n" + work + "  UNLOCK(other);\n")) == "");
  CHECK(mended(macros + in_kernel("  UNLOCK(m);\n" + work + "  UNLOCK(m);\n")) == "");
  CHECK(mended(macros + in_kernel("  LOCK(m);\n" + work + "  FREE(m);\n")) == "");  // not as it is written
  CHECK(mended(macros + in_kernel("  LOCK(m);\n  __threadfence();\n" + work + "  __threadfence();\n  UNLOCK(m);\n")) ==
        "");
}

TEST_CASE("a lock that counts: who gets none puts it back") {
  const std::string work = "  *s = n; // HERE\n";
  CHECK(mended(in_kernel("  while (atomicSub(&free, 1) <= 0) atomicAdd(&free, 1);\n" + work +
                         "  atomicAdd(&free, 1);\n")) ==
        "put __threadfence() behind the loop at line 2, which takes the lock, and another in front of the operation at "
        "line 4, which gives it back");
  // A loop that does other work is none.
  CHECK(mended(in_kernel("  while (atomicSub(&free, 1) <= 0) n += atomicAdd(&other, 1);\n" + work +
                         "  atomicAdd(&free, 1);\n")) == "");
}

TEST_CASE("a lock that several branches give back") {
  const std::string take = "  while (atomicCAS(&m, 0, 1) != 0) {}\n  __threadfence();\n",
                    fence = "    __threadfence();\n", give = "    atomicExch(&m, 0);\n";
  const auto branches = [&](const std::string& in_one, const std::string& in_other) {
    return mended(
        in_kernel(take + "  if (*s < n) {\n    *s = n; // HERE\n" + in_one + "  } else {\n" + in_other + "  }\n"));
  };
  CHECK(branches(give, give) ==
        "put __threadfence() in front of the operation at line 6, which gives it back, and of the one at line 8");
  CHECK(branches(fence + give, give) == "put __threadfence() in front of the operation at line 9, which gives it back");
  CHECK(branches(give, fence + give) == "put __threadfence() in front of the operation at line 6, which gives it back");
  CHECK(branches(fence + give, fence + give) == "");
  CHECK(branches(give + "    return;\n", give) ==
        "put __threadfence() in front of the operation at line 6, which gives it back, and of the one at line 9");
}
