// SPDX-License-Identifier: Apache-2.0
// How many blocks fit on a multiprocessor, against an H100; and what is said of kernels that leave much of it unused.
#include <doctest/doctest.h>

#include <sim/report/occupancy.hpp>

namespace simt {
namespace {

// Threads, registers, static and dynamic shared memory of a block, and what
// cudaOccupancyMaxActiveBlocksPerMultiprocessor says on an H100 (CUDA 13.0, 2026-11-28): 40 of 2,504 that were held
// against occupancy_of(), all equal.
struct occupied {
  std::int64_t threads, registers, fixed, dynamic, blocks;
};
constexpr occupied kOnH100[] = {
    {1, 14, 10000, 1, 20},    {1, 32, 0, 100000, 2},   {1, 80, 0, 1024, 24},        {1, 106, 0, 100000, 2},
    {16, 14, 4096, 0, 32},    {16, 14, 10000, 0, 20},  {32, 106, 0, 100, 16},       {48, 106, 0, 100, 8},
    {48, 124, 0, 20000, 8},   {64, 14, 4096, 100, 32}, {64, 200, 0, 1, 4},          {96, 14, 40000, 0, 5},
    {96, 56, 0, 20000, 11},   {96, 106, 0, 1, 5},      {96, 200, 0, 100, 2},        {96, 236, 0, 1024, 2},
    {96, 255, 0, 20000, 2},   {128, 56, 0, 5000, 9},   {128, 255, 0, 100000, 2},    {160, 10, 0, 50000, 4},
    {160, 56, 0, 100000, 2},  {160, 80, 0, 1, 4},      {192, 14, 10000, 1024, 10},  {192, 80, 0, 20000, 4},
    {192, 106, 0, 20000, 2},  {192, 106, 0, 50000, 2}, {224, 14, 4096, 1, 9},       {224, 124, 0, 5000, 2},
    {224, 128, 0, 50000, 2},  {224, 255, 0, 1024, 1},  {288, 32, 0, 50000, 4},      {288, 106, 0, 20000, 1},
    {384, 14, 4096, 5000, 5}, {384, 14, 40000, 1, 5},  {448, 56, 0, 20000, 2},      {512, 10, 0, 100000, 2},
    {896, 10, 0, 100, 2},     {896, 56, 0, 5000, 1},   {1000, 14, 10000, 50000, 2}, {1000, 14, 49152, 50000, 2}};

profiled_kernel kernel(std::int64_t threads, std::int64_t registers, std::int64_t fixed, std::int64_t dynamic = 0) {
  profiled_kernel k;
  k.threads_per_block = threads, k.registers = registers, k.static_shared = fixed, k.dynamic_shared = dynamic;
  return k;
}
bool says(const kernel_advice& a, std::string_view change) { return a.change.find(change) != std::string::npos; }

}  // namespace

TEST_CASE("occupancy: as many blocks as an H100 has room for") {
  for (const occupied& o : kOnH100) {
    INFO(o.threads << " threads, " << o.registers << " registers, " << o.fixed << " + " << o.dynamic << " bytes");
    const occupancy_estimate e = occupancy_of(kernel(o.threads, o.registers, o.fixed, o.dynamic));
    CHECK(e.blocks == o.blocks);
    CHECK(e.threads == o.blocks * ((o.threads + 31) / 32 * 32));
  }
}

TEST_CASE("occupancy: what limits it") {
  CHECK(occupancy_of(kernel(256, 32, 0)).limited_by == "threads");
  CHECK(occupancy_of(kernel(32, 32, 0)).limited_by == "blocks");
  CHECK(occupancy_of(kernel(256, 32, 40000)).limited_by == "shared memory");
  CHECK(occupancy_of(kernel(256, 255, 0)).limited_by == "registers");
  CHECK(occupancy_of(kernel(256, -1, 0)).blocks == 8);  // registers unknown
}

TEST_CASE("occupancy: a kernel that fills half of a multiprocessor needs no advice") {
  CHECK(advice_on(kernel(256, 64, 0)).empty());
  CHECK(advice_on(kernel(256, -1, 0)).empty());
  CHECK(advice_on(kernel(64, 32, 0)).empty());
  CHECK(advice_on(kernel(256, 32, 57000)).empty());
}

TEST_CASE("occupancy: small blocks") {
  const auto all = advice_on(kernel(32, 32, 0));
  REQUIRE(all.size() == 1);
  CHECK(all[0].what == "50% of a multiprocessor's threads at most");
  CHECK(says(all[0], "blocks of 128 or 256 threads"));
}

TEST_CASE("occupancy: as much shared memory as it says lets as many blocks fit as it says") {
  const auto all = advice_on(kernel(256, 32, 0, 100000));
  REQUIRE(all.size() == 1);
  CHECK(all[0].what == "25% of a multiprocessor's threads at most");
  CHECK(says(all[0], "with at most 57344 bytes 4 blocks fit"));
  CHECK(occupancy_of(kernel(256, 32, 57344)).blocks == 4);
  CHECK(occupancy_of(kernel(256, 32, 57345)).blocks == 3);
}

TEST_CASE("occupancy: as many registers as it says let as many blocks fit as it says") {
  for (const std::int64_t threads : {96, 128, 160, 256, 384, 1024}) {
    const auto all = advice_on(kernel(threads, 255, 0));
    REQUIRE(all.size() == 1);
    std::int64_t blocks = 0, registers = 0;
    const std::string& change = all[0].change;
    blocks = std::stoll(change.substr(change.find(", ") + 2));
    registers = std::stoll(change.substr(change.find(" to ") + 4));
    INFO(change);
    CHECK(occupancy_of(kernel(threads, registers, 0)).blocks >= blocks);
    CHECK(occupancy_of(kernel(threads, registers + 8, 0)).blocks < blocks);
    CHECK(blocks * threads >= 1024);
  }
}

TEST_CASE("occupancy: both of what is short is named") { CHECK(advice_on(kernel(256, 255, 100000)).size() == 2); }

TEST_CASE("local memory: spilled registers, or arrays") {
  profiled_kernel k = kernel(256, 64, 0);
  k.stack = 32, k.spilled = 0;
  auto all = advice_on(k);
  REQUIRE(all.size() == 1);
  CHECK(all[0].what == "32 bytes of each thread are memory, not registers");
  CHECK(says(all[0], "let loops over the array unroll"));
  k.spilled = 48;
  all = advice_on(k);
  REQUIRE(all.size() == 1);
  CHECK(says(all[0], "keep fewer values for later"));
  k.stack = k.spilled = 0;
  CHECK(advice_on(k).empty());
}

}  // namespace simt
