// SPDX-License-Identifier: Apache-2.0
// What -fsanitize=alignment (g++) and the compiler pass (clang) call in device code where an address does not suit the
// type that is loaded or stored.
//
// The width of an access is the compiler's choice: a float4 that is loaded through a cast pointer may be four loads of
// 4 bytes here and one of 16 on a GPU, which traps. Loads and stores of single numbers are judged where they happen
// (sim/check/access.cpp); here are structures and vector types. libubsan is never linked: this function is ours.
// Must be compiled without instrumentation.
#include <cstdint>

#include <sim/instrument/dispatcher.hpp>
#include <sim/memory/device_memory.hpp>

namespace {

// The compiler's records: GCC and LLVM share them (compiler-rt, ubsan_handlers.h, ubsan_value.h).
struct type_descriptor {
  std::uint16_t kind, info;
  char name[1];
};
constexpr std::uint16_t kInteger = 0, kFloat = 1;
struct mismatch {
  const char* file;
  std::uint32_t line, column;
  const type_descriptor* type;
  unsigned char log_alignment;
  unsigned char kind;
};
constexpr unsigned char kLoad = 0, kStore = 1, kReference = 2;

void judge(const void* p, std::size_t alignment, bool write, bool certain, const char* type, std::uintptr_t pc) {
  using namespace simt::sim;
  watched_thread* const t = cursor.thread;
  const auto address = reinterpret_cast<std::uintptr_t>(p);
  if (t == nullptr || address % alignment == 0 ||
      !(device_range().contains(address) || shared_range().contains(address)))
    return;
  if (dispatcher* const d = dispatcher::current())
    d->used_misplaced_object(
        {t, pc, address, alignment, write ? event::access_kind::write : event::access_kind::read, certain, type});
}

}  // namespace

namespace simt::sim {
// Of a header's function that loads or stores *p whole.
void whole_access(const void* p, std::size_t alignment, bool write, const char* type) {
  judge(p, alignment, write, true, type, reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)));
}
}  // namespace simt::sim

// Of a copy that the compiler pass asked about (sim/compile/aligned_copies.hpp); its type's name is not known there.
extern "C" __attribute__((visibility("hidden"), used, cold, noinline)) void simt_misplaced_copy(const void* p,
                                                                                                std::size_t alignment,
                                                                                                bool written) {
  judge(p, alignment, written, true, "", reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)));
}

// In templates copies of structures come as references that are bound; what is done with those is not known here.
extern "C" __attribute__((visibility("hidden"), used)) void __ubsan_handle_type_mismatch_v1(mismatch* what, void* p) {
  if (what->kind != kLoad && what->kind != kStore && what->kind != kReference) return;
  if (what->type->kind == kInteger || what->type->kind == kFloat) return;
  judge(p, std::size_t{1} << what->log_alignment, what->kind == kStore, what->kind != kReference, what->type->name,
        reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)));
}
