// SPDX-License-Identifier: Apache-2.0
// A module for the symbolizer's tests; its line numbers matter.
#include <cstdint>

extern "C" __attribute__((visibility("default"), noinline)) std::uintptr_t position_of_caller() {
  return reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
}
extern "C" __attribute__((visibility("default"), noinline)) std::uintptr_t module_position() {
  const std::uintptr_t pc = position_of_caller();
  asm volatile("");
  return pc;
}

static __attribute__((noinline)) std::uintptr_t hidden() {
  const std::uintptr_t pc = position_of_caller();
  asm volatile("");
  return pc;
}
extern "C" __attribute__((visibility("default"), noinline)) std::uintptr_t hidden_position() {
  const std::uintptr_t pc = hidden();
  asm volatile("");
  return pc;
}
