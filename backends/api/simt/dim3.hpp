// SPDX-License-Identifier: Apache-2.0
// Positions and sizes in a grid, and the words that mark device code.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__CUDACC__)
#define SIMT_HD __host__ __device__
#else
#define SIMT_HD
#endif

// Small functions of this API become part of the kernel: they vectorise there, and in the check variant what they do
// with their own fields on the stack is not watched.
#if defined(SIMT_VARIANT_CUDA)
#define SIMT_INLINE
#else
#define SIMT_INLINE [[gnu::always_inline]]
#endif
// Check variant: code between the engine and the kernel, whose accesses are not the kernel's.
// SIMT_REFERS: makes a reference, whose alignment is checked where it is used.
#if defined(SIMT_VARIANT_CHECK)
#define SIMT_UNWATCHED __attribute__((no_sanitize("thread", "alignment")))
#define SIMT_REFERS __attribute__((no_sanitize("alignment")))
#else
#define SIMT_UNWATCHED
#define SIMT_REFERS
#endif

// Check variant: two calls like this one, in two branches, stay two: reports tell them apart.
#if defined(SIMT_VARIANT_CHECK) && defined(__clang__)
#define SIMT_OWN_PLACE [[clang::nomerge]]
#else
#define SIMT_OWN_PLACE
#endif

// Marks a kernel or a function that kernels call.
#if defined(SIMT_VARIANT_CUDA)
#define SIMT_DEVICE __device__ inline
#elif defined(SIMT_VARIANT_CHECK) && defined(__GNUC__) && !defined(__clang__)
// g++ does not announce what a call reads to pass a structure by value, or writes when one is returned. Inlined, both
// are ordinary copies; and what library code does is seen at the line of the kernel that called it.
#define SIMT_DEVICE __attribute__((flatten)) inline
#else
#define SIMT_DEVICE inline
#endif
// Marks a function that both host and kernels call, so that a reference can share the kernel's arithmetic.
#define SIMT_HOST_DEVICE SIMT_HD inline

namespace simt {

// x is the fastest axis. Signed 64 bits: with unsigned 32-bit indices a kernel's loop over threads does not vectorise.
struct dim3 {
  std::int64_t x = 1, y = 1, z = 1;

  constexpr dim3() = default;
  SIMT_INLINE SIMT_HD constexpr dim3(std::int64_t width, std::int64_t height = 1, std::int64_t depth = 1)
      : x(width), y(height), z(depth) {}
  SIMT_INLINE SIMT_HD constexpr std::int64_t volume() const { return x * y * z; }
  SIMT_HD friend constexpr bool operator==(const dim3& a, const dim3& b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
  }
};

// Absolute positions in 2 and 3 dimensions; for structured bindings: auto [x, y] = t.grid<2>();
struct position2 {
  std::int64_t x, y;
};
struct position3 {
  std::int64_t x, y, z;
};

// Whom a memory operation is ordered for (PTX ISA 9, memory consistency model: scope).
enum class scope : std::uint8_t { thread, block, cluster, device, system };
enum class memory_order : std::uint8_t { relaxed, acquire, release, acq_rel, seq_cst };

// i = first, first + step, ... below end.
class strided_range {
 public:
  struct iterator {
    std::int64_t i, step;
    SIMT_INLINE SIMT_HD constexpr std::int64_t operator*() const { return i; }
    SIMT_INLINE SIMT_HD constexpr iterator& operator++() {
      i += step;
      return *this;
    }
    SIMT_INLINE SIMT_HD friend constexpr bool operator!=(const iterator& a, const iterator& b) { return a.i < b.i; }
  };
  SIMT_INLINE SIMT_HD constexpr strided_range(std::int64_t first, std::int64_t end, std::int64_t step)
      : first_(first), end_(end), step_(step) {}
  SIMT_INLINE SIMT_HD constexpr iterator begin() const { return {first_, step_}; }
  SIMT_INLINE SIMT_HD constexpr iterator end() const { return {end_, step_}; }

 private:
  std::int64_t first_, end_, step_;
};

// A string as a template argument: t.shared<"tile", float[16][16]>().
template <std::size_t N>
struct fixed_string {
  char text[N]{};
  consteval fixed_string(const char (&s)[N]) {
    for (std::size_t i = 0; i < N; ++i) text[i] = s[i];
  }
};

}  // namespace simt
