// SPDX-License-Identifier: Apache-2.0
// Pairs: out of bounds, uninitialised, misaligned, freed, leaked and foreign memory.
#include <cstring>
#include <memory>
#include <utility>

#include <simt/vector_types.hpp>

#include "suite.hpp"

namespace {
using simt::buffer, simt::event, simt::kFullMask, simt::launch_config, simt::memory_order, simt::scope, simt::stream,
    simt::synchronize, simt::thread, simt::view;
namespace backend = simt::backend;
using suite::zeros;

constexpr const char* kBounds = "out of bounds";
constexpr const char* kInit = "uninitialised memory";
constexpr const char* kLife = "life of memory";
constexpr const char* kPlace = "alignment and address space";

template <bool Defect>
SIMT_DEVICE void by_extent(thread t, view<int> x) {
  const auto i = t.grid<1>();
  if (Defect ? i <= x.size() : i < x.size()) x[i] = 1;
}
PAIR(index_equal_to_size, kBounds, out_of_bounds, "x") {
  auto x = zeros<int>(33);
  TWIN(by_extent, (launch_config{2, 32}), x);
}

template <bool Defect>
SIMT_DEVICE void negative(thread t, view<const int> x, view<int> y) {
  const auto i = t.grid<1>();
  y[i] = x[i] + (i > (Defect ? -1 : 0) ? x[i - 1] : 0);
}
PAIR(negative_index, kBounds, out_of_bounds, "x") {
  auto x = zeros<int>(32, "x"), y = zeros<int>(32, "y");
  TWIN(negative, (launch_config{1, 32}), x, y);
}

template <bool Defect>
SIMT_DEVICE void wrong_axis(thread t, view<int, 2> a) {
  const auto [x, y] = t.grid<2>();
  if (Defect ? y < a.extent(0) || x < a.extent(1) : y < a.extent(0) && x < a.extent(1)) a(y, x) = 1;
}
PAIR(guard_with_or, kBounds, out_of_bounds, "a") {
  buffer<int> a({10, 10}, "a");
  a.fill_bytes(0);
  TWIN(wrong_axis, (launch_config{1, {16, 16}}), a);
}

template <bool Defect>
SIMT_DEVICE void by_address(thread t, int* x) {
  x[t.grid<1>() + (Defect ? 1 : 0)] = 1;
}
PAIR(pointer_past_the_end, kBounds, out_of_bounds, "") {
  auto x = zeros<int>(32);
  TWIN(by_address, (launch_config{1, 32}), x);
}

template <bool Defect>
SIMT_DEVICE void before_start(thread t, int* x) {
  x[t.rank() - (Defect ? 1 : 0)] = 1;
}
PAIR(pointer_before_the_start, kBounds, out_of_bounds, "") {
  auto x = zeros<int>(32);
  TWIN(before_start, (launch_config{1, 32}), x);
}

template <bool Defect>
SIMT_DEVICE void last_bytes(thread t, unsigned char* x) {
  if (t.rank() == 0) *reinterpret_cast<int*>(x + (Defect ? 28 : 24)) = 1;
}
PAIR(word_over_a_ragged_end, kBounds, out_of_bounds, "") {
  auto x = zeros<unsigned char>(30);
  TWIN(last_bytes, (launch_config{1, 32}), x);
}

template <bool Defect>
SIMT_DEVICE void shared_overrun(thread t, view<int> y) {
  auto& s = t.shared<"s", int[32]>();
  s[t.rank() + (Defect ? 1 : 0)] = 1;
  y[t.rank()] = 1;
}
PAIR(shared_array_overrun, kBounds, out_of_bounds, "") {
  auto y = zeros<int>(32, "y");
  TWIN(shared_overrun, (launch_config{1, 32}), y);
}

template <bool Defect>
SIMT_DEVICE void dynamic_overrun(thread t, view<int> y) {
  int* s = t.dynamic_shared<int>();
  s[t.rank() + (Defect ? 1 : 0)] = 1;
  y[t.rank()] = 1;
}
PAIR(dynamic_shared_overrun, kBounds, out_of_bounds, "") {
  auto y = zeros<int>(32, "y");
  TWIN(dynamic_overrun, (launch_config{.grid = 1, .block = 32, .shared_bytes = 128}), y);
}

template <bool Defect>
SIMT_DEVICE void copy_range(thread t, int* x, const int* y) {
  if (t.rank() == 0) std::memcpy(x, y, (Defect ? 33 : 32) * sizeof(int));
}
PAIR(memcpy_past_the_end, kBounds, out_of_bounds, "") {
  auto x = zeros<int>(32, "x"), y = zeros<int>(32, "y");
  TWIN(copy_range, (launch_config{1, 32}), x, y);
}

template <bool Defect>
SIMT_DEVICE void reads(thread t, view<const int> x, view<int> y) {
  y[t.rank()] = x[t.rank()];
}
PAIR(uninitialised_buffer, kInit, uninitialized_read, "x") {
  buffer<int> x(32, "x");
  auto y = zeros<int>(32, "y");
  if (!defect) x.fill_bytes(0);
  TWIN(reads, (launch_config{1, 32}), x, y);
}
PAIR(one_element_never_written, kInit, uninitialized_read, "x") {
  buffer<int> x(32, "x");
  auto y = zeros<int>(32, "y");
  std::vector<int> host(defect ? 31 : 32);
  backend::copy(x.data(), host.data(), host.size() * sizeof(int), simt::copy_kind::host_to_device, 0, true);
  TWIN(reads, (launch_config{1, 32}), x, y);
}
PAIR(uninitialised_through_a_copy, kInit, uninitialized_read, "z") {
  buffer<int> x(32, "x"), z(32, "z");
  auto y = zeros<int>(32, "y");
  if (!defect) x.fill_bytes(0);
  z.copy_from(x);
  TWIN(reads, (launch_config{1, 32}), z, y);
}

template <bool Defect>
SIMT_DEVICE void writes_some_bytes(thread t, unsigned char* x, view<int> y) {
  if (t.rank() != 0) return;
  for (int i = 0; i < (Defect ? 3 : 4); ++i) x[i] = 1;
  y[0] = *reinterpret_cast<int*>(x);
}
PAIR(three_bytes_of_four, kInit, uninitialized_read, "x") {
  buffer<unsigned char> x(4, "x");
  auto y = zeros<int>(1, "y");
  TWIN(writes_some_bytes, (launch_config{1, 32}), x, y);
}

template <bool Defect>
SIMT_DEVICE void shared_cells(thread t, view<int> y) {
  auto& s = t.shared<"s", int[33]>();
  s[t.rank()] = 1;
  if (!Defect && t.rank() == 0) s[32] = 1;
  t.sync();
  y[t.rank()] = s[t.rank() + 1];
}
PAIR(shared_cell_never_written, kInit, uninitialized_read, "s") {
  auto y = zeros<int>(32, "y");
  TWIN(shared_cells, (launch_config{1, 32}), y);
}

template <bool Defect>
SIMT_DEVICE void shared_from_last_block(thread t, view<int> y) {
  auto& s = t.shared<"s", int[32]>();
  if (!Defect || t.block_idx().x == 0) s[t.rank()] = 1;
  t.sync();
  y[t.grid<1>()] = s[31 - t.rank()];
}
PAIR(shared_memory_of_the_block_before, kInit, uninitialized_read, "s") {
  auto y = zeros<int>(64, "y");
  TWIN(shared_from_last_block, (launch_config{2, 32}), y);
}

PAIR(freed_buffer, kLife, use_after_free, "x") {
  auto y = zeros<int>(32, "y");
  auto x = std::make_unique<buffer<int>>(32, "x");
  x->fill_bytes(0);
  const view<const int> seen = x->view();
  if (defect) x.reset();
  launch<reads<false>>({1, 32}, seen, y);
  synchronize();
}
PAIR(freed_twice, kLife, invalid_free, "x") {
  void* x = backend::allocate(128, {"x", "int", 4, {32}});
  backend::free(x);
  if (defect) backend::free(x);
}
PAIR(freed_in_the_middle, kLife, invalid_free, "") {
  auto* x = static_cast<int*>(backend::allocate(128, {"x", "int", 4, {32}}));
  if (defect) backend::free(x + 4);
  backend::free(x);
}
void leak_run(bool defect) {
  static void* left = nullptr;  // of the run before: else it would be that run's leak again
  if (left != nullptr) backend::free(std::exchange(left, nullptr));
  void* x = backend::allocate(128, {"left", "int", 4, {32}});
  if (defect)
    left = x;
  else
    backend::free(x);
}
const suite::add leak_added{{"never_freed", kLife, simt::rule::leak, "left", leak_run, true, true}};

template <bool Defect>
SIMT_DEVICE void odd_address(thread t, unsigned char* x) {
  if (t.rank() == 0) *reinterpret_cast<int*>(x + (Defect ? 2 : 4)) = 1;
}
PAIR(int_at_an_odd_address, kPlace, misaligned, "x") {
  auto x = zeros<unsigned char>(64);
  TWIN(odd_address, (launch_config{1, 32}), x);
}

#if !defined(__clang__)  // docs/limitations.md
// g++ loads the four numbers one by one; nvcc need not.
template <bool Defect>
SIMT_DEVICE void cast_to_float4(thread t, float* x, float* y) {
  const simt::float4 v = *reinterpret_cast<const simt::float4*>(x + 4 * t.rank() + (Defect ? 1 : 0));
  y[t.rank()] = v.x + v.y + v.z + v.w;
}
PAIR(float4_between_its_multiples, kPlace, misaligned, "x") {
  auto x = zeros<float>(260), y = zeros<float>(64, "y");
  TWIN(cast_to_float4, (launch_config{1, 64}), x, y);
}
#endif

template <bool Defect>
SIMT_DEVICE void dereferences(thread t, const int* host, const int* device, view<int> y) {
  if (t.rank() == 0) y[0] = *(Defect ? host : device);
}
PAIR(host_pointer_in_a_kernel, kPlace, host_memory, "") {
  auto y = zeros<int>(1, "y"), x = zeros<int>(1, "x");
  const auto host = std::make_unique<int>(3);
  const int* pointer = host.get();
  TWIN(dereferences, (launch_config{1, 32}), pointer, x.data(), y);
}

int host_counter = 0;
template <bool Defect>
SIMT_DEVICE void global_variable(thread t, view<int> y) {
  if (t.rank() != 0) return;
  if constexpr (Defect) host_counter += 1;
  y[0] = 1;
}
#if !defined(SIMT_VARIANT_CUDA)
PAIR(host_variable_in_a_kernel, kPlace, host_memory, "") {
  auto y = zeros<int>(1, "y");
  TWIN(global_variable, (launch_config{1, 32}), y);
}

PAIR(host_reads_device_memory, kPlace, host_memory, "x") {
  auto x = zeros<int>(4);
  if (defect) {
    volatile int v = x.data()[1];
    (void)v;
  } else {
    x.to_host();
  }
}
#endif

}  // namespace
