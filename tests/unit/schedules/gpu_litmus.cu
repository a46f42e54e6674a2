// SPDX-License-Identifier: Apache-2.0
// Litmus tests on a GPU: which values the loads of a few instructions read, over millions of trials under load. Prints
// the record that tests/unit/schedules/gpu_record.cpp holds against the memory model:
//   nvcc -std=c++20 -O3 -arch=sm_90 -o gpu_litmus tests/unit/schedules/gpu_litmus.cu
//   ./gpu_litmus > tests/unit/schedules/gpu_record.txt              (as many seconds as the first argument says: 90)
// -DFIRST=56: only the tests from that one on, for a record that has the others.
// Thousands of trials run at a time, each on cells of its own. Its threads are in other blocks, or in other warps of
// one block, and wait for each other shortly before they begin; meanwhile they load and store elsewhere.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "ptx_program.hpp"

namespace {

using namespace ptx_model;

constexpr int kThreads = 4, kMost = 3, kCells = 3;  // of a trial: threads, instructions of each, cells
constexpr int kLanes = 128, kGroups = 128, kTrials = kLanes * kGroups;
constexpr int kScratch = 1 << 20;

struct test {
  const char* name = "";
  instruction code[kThreads][kMost];
  int length[kThreads] = {};
  int threads = 0;
  bool in_block = false;

  constexpr test thread(std::initializer_list<instruction> all) const {
    test out = *this;
    for (const instruction& i : all) out.code[threads][out.length[threads]++] = i;
    ++out.threads;
    return out;
  }
};

void check(cudaError_t e, const char* what) {
  if (e == cudaSuccess) return;
  std::fprintf(stderr, "gpu_litmus: %s: %s\n", what, cudaGetErrorString(e));
  std::exit(77);
}

constexpr instruction ld(int cell, order o = order::relaxed, scope s = scope::device) {
  return {op::load, cell, 0, o, s};
}
constexpr instruction st(int cell, int value, order o = order::relaxed, scope s = scope::device) {
  return {op::store, cell, value, o, s};
}
constexpr instruction swap(int cell, int value, order o = order::relaxed, scope s = scope::device) {
  return {op::swap, cell, value, o, s};
}
constexpr instruction ldw(int cell) { return {op::plain_load, cell}; }
constexpr instruction stw(int cell, int value) { return {op::plain_store, cell, value}; }
constexpr instruction fence(order o, scope s = scope::device) { return {op::fence, 0, 0, o, s}; }
constexpr order rlx = order::relaxed, acq = order::acquire, rel = order::release;
constexpr instruction ar = fence(order::acq_rel), sc = fence(order::seq_cst),
                      ar_cta = fence(order::acq_rel, scope::block), sc_cta = fence(order::seq_cst, scope::block),
                      sc_sys = fence(order::seq_cst, scope::system);
constexpr scope cta = scope::block, sys = scope::system;
constexpr test across(const char* name) { return {.name = name}; }
constexpr test within(const char* name) { return {.name = name, .in_block = true}; }

// clang-format off
#define SHAPES(where, what) \
  where("MP " what).thread({st(0, 1), st(1, 1)}).thread({ld(1), ld(0)}), \
  where("SB " what).thread({st(0, 1), ld(1)}).thread({st(1, 1), ld(0)}), \
  where("LB " what).thread({ld(0), st(1, 1)}).thread({ld(1), st(0, 1)}), \
  where("S " what).thread({st(0, 2), st(1, 1)}).thread({ld(1), st(0, 1), ld(0)}), \
  where("R " what).thread({st(0, 1), st(1, 1), ld(1)}).thread({st(1, 2), ld(0)}), \
  where("2+2W " what).thread({st(0, 1), st(1, 2), ld(1)}).thread({st(1, 1), st(0, 2), ld(0)}), \
  where("CoRR " what).thread({st(0, 1)}).thread({ld(0), ld(0)}), \
  where("WRC " what).thread({st(0, 1)}).thread({ld(0), st(1, 1)}).thread({ld(1), ld(0)}), \
  where("IRIW " what).thread({st(0, 1)}).thread({st(1, 1)}).thread({ld(0), ld(1)}).thread({ld(1), ld(0)})
#define FENCED(where, f, what) \
  where("MP " what).thread({st(0, 1), f, st(1, 1)}).thread({ld(1), f, ld(0)}), \
  where("SB " what).thread({st(0, 1), f, ld(1)}).thread({st(1, 1), f, ld(0)}), \
  where("LB " what).thread({ld(0), f, st(1, 1)}).thread({ld(1), f, st(0, 1)}), \
  where("IRIW " what).thread({st(0, 1)}).thread({st(1, 1)}).thread({ld(0), f, ld(1)}).thread({ld(1), f, ld(0)})
constexpr test kTests[] = {
  SHAPES(across, "relaxed"),
  SHAPES(within, "relaxed in a block"),
  FENCED(across, ar, "acq_rel fences"),
  FENCED(across, sc, "sc fences"),
  FENCED(across, ar_cta, "acq_rel fences of the block across blocks"),
  FENCED(across, sc_cta, "sc fences of the block across blocks"),
  FENCED(within, ar_cta, "acq_rel fences of the block in a block"),
  FENCED(within, sc_cta, "sc fences of the block in a block"),
  across("MP release, acquire").thread({st(0, 1), st(1, 1, rel)}).thread({ld(1, acq), ld(0)}),
  across("MP release, relaxed").thread({st(0, 1), st(1, 1, rel)}).thread({ld(1), ld(0)}),
  across("MP relaxed, acquire").thread({st(0, 1), st(1, 1)}).thread({ld(1, acq), ld(0)}),
  across("MP block scope across blocks").thread({st(0, 1), st(1, 1, rel, cta)}).thread({ld(1, acq, cta), ld(0)}),
  within("MP block scope in a block").thread({st(0, 1), st(1, 1, rel, cta)}).thread({ld(1, acq, cta), ld(0)}),
  across("MP plain").thread({stw(0, 1), stw(1, 1)}).thread({ldw(1), ldw(0)}),
  across("MP plain data").thread({stw(0, 1), st(1, 1, rel)}).thread({ld(1, acq), ldw(0)}),
  across("SB release, acquire").thread({st(0, 1, rel), ld(1, acq)}).thread({st(1, 1, rel), ld(0, acq)}),
  across("SB plain").thread({stw(0, 1), ldw(1)}).thread({stw(1, 1), ldw(0)}),
  across("LB plain").thread({ldw(0), stw(1, 1)}).thread({ldw(1), stw(0, 1)}),
  across("LB release, acquire").thread({ld(0, acq), st(1, 1, rel)}).thread({ld(1, acq), st(0, 1, rel)}),
  across("CoRR plain").thread({stw(0, 1)}).thread({ldw(0), ldw(0)}),
  across("CoRR block scope across blocks").thread({st(0, 1, rlx, cta)}).thread({ld(0, rlx, cta), ld(0, rlx, cta)}),
  across("WRC release, acquire").thread({st(0, 1)}).thread({ld(0), st(1, 1, rel)}).thread({ld(1, acq), ld(0)}),
  across("ISA2 relaxed").thread({st(0, 1), st(1, 1)}).thread({ld(1), st(2, 1)}).thread({ld(2), ld(0)}),
  across("ISA2 release, acquire").thread({st(0, 1), st(1, 1, rel)}).thread({ld(1, acq), st(2, 1, rel)}).thread({ld(2, acq), ld(0)}),
  across("ISA2, relaxed in its middle").thread({st(0, 1), st(1, 1, rel)}).thread({ld(1), st(2, 1, rel)}).thread({ld(2, acq), ld(0)}),
  across("ISA2 fences").thread({st(0, 1), ar, st(1, 1)}).thread({ld(1), ar, st(2, 1)}).thread({ld(2), ar, ld(0)}),
  across("WRC fences").thread({st(0, 1)}).thread({ld(0), ar, st(1, 1)}).thread({ld(1), ar, ld(0)}),
  across("WRC one fence").thread({st(0, 1)}).thread({ld(0), ar, st(1, 1)}).thread({ld(1), ld(0)}),
  across("RWC relaxed").thread({st(0, 1)}).thread({ld(0), ld(1)}).thread({st(1, 1), ld(0)}),
  across("RWC acq_rel fences").thread({st(0, 1)}).thread({ld(0), ar, ld(1)}).thread({st(1, 1), ar, ld(0)}),
  across("RWC sc fences").thread({st(0, 1)}).thread({ld(0), sc, ld(1)}).thread({st(1, 1), sc, ld(0)}),
  across("W+RWC sc fences").thread({st(0, 1), st(1, 1, rel)}).thread({ld(1, acq), sc, ld(2)}).thread({st(2, 1), sc, ld(0)}),
  across("S one fence").thread({st(0, 2), ar, st(1, 1)}).thread({ld(1), st(0, 1), ld(0)}),
  across("S release, acquire").thread({st(0, 2), st(1, 1, rel)}).thread({ld(1, acq), st(0, 1), ld(0)}),
  across("R release").thread({st(0, 1), st(1, 1, rel), ld(1)}).thread({st(1, 2), ar, ld(0)}),
  across("2+2W release").thread({st(0, 1), st(1, 2, rel), ld(1)}).thread({st(1, 1), st(0, 2, rel), ld(0)}),
  across("CoRW").thread({ld(0), st(0, 2), ld(0)}).thread({st(0, 1), ld(0)}),
  across("CoWR").thread({st(0, 1), ld(0), ld(0)}).thread({st(0, 2)}),
  across("MP release and acquire of the system").thread({st(0, 1), st(1, 1, rel, sys)}).thread({ld(1, acq, sys), ld(0)}),
  across("MP release of the system, acquire of the block").thread({st(0, 1), st(1, 1, rel, sys)}).thread({ld(1, acq, cta), ld(0)}),
  across("MP relaxed of the system").thread({st(0, 1, rlx, sys), st(1, 1, rlx, sys)}).thread({ld(1, rlx, sys), ld(0, rlx, sys)}),
  across("SB relaxed of the system").thread({st(0, 1, rlx, sys), ld(1, rlx, sys)}).thread({st(1, 1, rlx, sys), ld(0, rlx, sys)}),
  across("SB sc fences of the system").thread({st(0, 1), sc_sys, ld(1)}).thread({st(1, 1), sc_sys, ld(0)}),
  across("LB, and a swap stores what was read").thread({ld(0), st(1, 1)}).thread({ld(1), swap(0, 1)}),
  across("LB of two swaps").thread({ld(0), swap(1, 1)}).thread({ld(1), swap(0, 1)}),
  across("MP through a swap").thread({st(0, 1), st(1, 1, rel)}).thread({swap(1, 2)}).thread({ld(1, acq), ld(0)}),
  across("MP of swaps").thread({swap(0, 1), swap(1, 1)}).thread({ld(1), ld(0)}),
  across("SB of swaps").thread({swap(0, 1), ld(1)}).thread({swap(1, 1), ld(0)}),
};
// clang-format on
#undef SHAPES
#undef FENCED

#ifndef FIRST
#define FIRST 0
#endif
constexpr int kFirst = FIRST;

// Every instruction as PTX has it.
template <int N, int Thread, int Place>
__device__ int execute(int* const (&cells)[kCells]) {
  constexpr instruction I = kTests[N].code[Thread][Place];
  [[maybe_unused]] int* const at = cells[I.cell];
  int got = -1;
#define SCOPED(form, word)                 \
  if constexpr (I.s == scope::block)       \
    form(word ".cta");                     \
  else if constexpr (I.s == scope::device) \
    form(word ".gpu");                     \
  else                                     \
    form(word ".sys")
#define LOAD(word) asm volatile("ld." word ".global.s32 %0, [%1];" : "=r"(got) : "l"(at) : "memory")
#define STORE(word) asm volatile("st." word ".global.s32 [%0], %1;" ::"l"(at), "r"(I.value) : "memory")
#define SWAP(word) \
  asm volatile("atom." word ".global.exch.b32 %0, [%1], %2;" : "=r"(got) : "l"(at), "r"(I.value) : "memory")
#define FENCE(word) asm volatile("fence." word ";" ::: "memory")
  if constexpr (I.what == op::plain_load) {
    LOAD("weak");
  } else if constexpr (I.what == op::plain_store) {
    STORE("weak");
  } else if constexpr (I.what == op::swap) {
    static_assert(I.o == order::relaxed);
    SCOPED(SWAP, "relaxed");
  } else if constexpr (I.what == op::load && I.o == order::acquire) {
    SCOPED(LOAD, "acquire");
  } else if constexpr (I.what == op::load) {
    SCOPED(LOAD, "relaxed");
  } else if constexpr (I.what == op::store && I.o == order::release) {
    SCOPED(STORE, "release");
  } else if constexpr (I.what == op::store) {
    SCOPED(STORE, "relaxed");
  } else if constexpr (I.what == op::fence && I.o == order::seq_cst) {
    SCOPED(FENCE, "sc");
  } else {
    static_assert(I.what == op::fence && I.o == order::acq_rel);
    SCOPED(FENCE, "acq_rel");
  }
#undef SCOPED
#undef LOAD
#undef STORE
#undef SWAP
#undef FENCE
  return got;
}

template <int N, int Thread, int... Is>
__device__ void run_thread(int* const (&cells)[kCells], int* got, std::integer_sequence<int, Is...>) {
  const int seen[] = {execute<N, Thread, Is>(cells)...};
  for (int i = 0; i < static_cast<int>(sizeof...(Is)); ++i) got[i] = seen[i];
}

template <int N, int... Threads>
__device__ void run_one_of(int which, int* const (&cells)[kCells], int* got, std::integer_sequence<int, Threads...>) {
  ((which == Threads ? run_thread<N, Threads>(cells, got, std::make_integer_sequence<int, kTests[N].length[Threads]>())
                     : void()),
   ...);
}

struct layout {
  int stride, shift;  // words from a trial's cell to the next one's, and between its two cells beyond that
  int noise, turn;    // loads and stores elsewhere; who meets whom
};

__device__ int hashed(int x) { return static_cast<int>(static_cast<unsigned>(x) * 2654435761U >> 8); }

template <int N>
__global__ void trial(int* cells, int* got, int* scratch, int* arrived, layout l) {
  constexpr bool in_block = kTests[N].in_block;
  constexpr int threads = kTests[N].threads;
  const int block = static_cast<int>(blockIdx.x), thread = static_cast<int>(threadIdx.x);
  const int which = in_block ? thread / kLanes : block % threads;
  const int group = in_block ? block : block / threads;
  const int lane = thread % kLanes;
  // The threads of a trial stand at other places of their warps.
  const int turned = 2 * which * l.turn + 1;
  const int at =
      in_block ? group * kLanes + (lane * turned & (kLanes - 1)) : (group * kLanes + lane) * turned & (kTrials - 1);
  int* const x = cells + at * l.stride;
  const int apart = kTrials * l.stride + l.shift;
  int* const own[kCells] = {x, x + apart, x + 2 * apart};
  int* const seen = got + (at * kThreads + which) * kMost;
  int kept = 0;
  for (int i = 0; i < l.noise; ++i) {
    volatile int* const other = scratch + (hashed(block * 31 + lane + i * 7) & (kScratch - 1));
    if ((i & 1) != 0)
      *other = i;
    else
      kept += *other;
  }
  if (kept == -1) *scratch = kept;
  atomicAdd(arrived, 1);
  const int all = static_cast<int>(gridDim.x * blockDim.x);
  for (int i = 0; i < 2000 && *static_cast<volatile int*>(arrived) < all; ++i) {
  }
  run_one_of<N>(which, own, seen, std::make_integer_sequence<int, threads>());
}

// ---- on the host ----

std::string text_of(const instruction& i) {
  const char* const s = i.s == scope::block ? ".cta" : i.s == scope::device ? ".gpu" : ".sys";
  const std::string cell = " " + std::to_string(i.cell), value = " " + std::to_string(i.value);
  switch (i.what) {
    case op::plain_load:
      return "ld.weak" + cell;
    case op::plain_store:
      return "st.weak" + cell + value;
    case op::swap:
      return std::string("swap.relaxed") + s + cell + value;
    case op::load:
      return std::string(i.o == order::acquire ? "ld.acquire" : "ld.relaxed") + s + cell;
    case op::store:
      return std::string(i.o == order::release ? "st.release" : "st.relaxed") + s + cell + value;
    default:
      return std::string(i.o == order::seq_cst ? "fence.sc" : "fence.acq_rel") + s;
  }
}

struct buffers {
  int *cells = nullptr, *got = nullptr, *scratch = nullptr, *arrived = nullptr;
  static constexpr std::size_t kCellBytes = sizeof(int) * (kTrials * kCells * 32 + 256);
  static constexpr std::size_t kGotBytes = sizeof(int) * kTrials * kThreads * kMost;

  buffers() {
    check(cudaMalloc(&cells, kCellBytes), "memory for the cells");
    check(cudaMalloc(&got, kGotBytes), "memory for the outcomes");
    check(cudaMalloc(&scratch, sizeof(int) * kScratch), "memory for the load");
    check(cudaMemset(scratch, 0, sizeof(int) * kScratch), "memory for the load");
    check(cudaMalloc(&arrived, sizeof(int)), "a counter");
  }
};

template <int N>
void run_test(const buffers& b, double seconds) {
  constexpr test T = kTests[N];
  std::map<std::vector<int>, long> outcomes;
  std::vector<int> got(buffers::kGotBytes / sizeof(int));
  const auto start = std::chrono::steady_clock::now();
  unsigned draw = 1;
  const auto number = [&](int below) {
    draw = draw * 1664525 + 1013904223;
    return static_cast<int>(draw >> 16) % below;
  };
  do {
    const layout l{1 << number(6), number(64), number(4) * 8, number(64)};
    check(cudaMemset(b.cells, 0, buffers::kCellBytes), "clearing the cells");
    check(cudaMemset(b.arrived, 0, sizeof(int)), "clearing the counter");
    check(cudaMemset(b.got, 0xff, buffers::kGotBytes), "clearing the outcomes");
    if constexpr (T.in_block)
      trial<N><<<kGroups, kLanes * T.threads>>>(b.cells, b.got, b.scratch, b.arrived, l);
    else
      trial<N><<<kGroups * T.threads, kLanes>>>(b.cells, b.got, b.scratch, b.arrived, l);
    check(cudaGetLastError(), T.name);
    check(cudaMemcpy(got.data(), b.got, buffers::kGotBytes, cudaMemcpyDeviceToHost), T.name);
    for (std::size_t i = 0; i < got.size(); i += kThreads * kMost) {
      std::vector<int> read;
      for (std::size_t k = i; k < i + kThreads * kMost; ++k)
        if (got[k] >= 0) read.push_back(got[k]);
      ++outcomes[read];
    }
  } while (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() < seconds);
  std::printf("test %s\nblocks %d threads %d\n", T.name, T.in_block ? 1 : T.threads, T.in_block ? T.threads : 1);
  for (int t = 0; t < T.threads; ++t) {
    std::printf("thread");
    for (int i = 0; i < T.length[t]; ++i) std::printf("%s %s", i == 0 ? "" : ";", text_of(T.code[t][i]).c_str());
    std::printf("\n");
  }
  for (const auto& [read, times] : outcomes) {
    std::printf("saw %ld:", times);
    for (const int v : read) std::printf(" %d", v);
    std::printf("\n");
  }
  std::fflush(stdout);
}

template <int... Ns>
void run_all(const buffers& b, double seconds, std::integer_sequence<int, Ns...>) {
  (run_test<Ns + kFirst>(b, seconds / sizeof...(Ns)), ...);
}

}  // namespace

int main(int count, char** words) {
  const double seconds = count > 1 ? std::atof(words[1]) : 90;
  cudaDeviceProp gpu{};
  check(cudaGetDeviceProperties(&gpu, 0), "no GPU");
  const buffers b;
  std::printf("gpu %s\n", gpu.name);
  run_all(b, seconds, std::make_integer_sequence<int, static_cast<int>(std::size(kTests)) - kFirst>());
  return 0;
}
