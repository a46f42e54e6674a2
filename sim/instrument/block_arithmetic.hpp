// SPDX-License-Identifier: Apache-2.0
// The arithmetic that stands in a basic block, by source line: the compiler's plugin writes it beside the block's
// marker (sim/compile/block_arithmetic.hpp), and what has run is known here by the marker's place in the code.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace simt::sim {

// In the order of the plugin's arrays.
enum class arithmetic : std::uint8_t {
  float32_add,
  float32_multiply,
  float32_fma,
  float64_add,
  float64_multiply,
  float64_fma,
  special,  // divisions, roots and functions of <math.h>
};
inline constexpr std::size_t kArithmeticKinds = static_cast<std::size_t>(arithmetic::special) + 1;

// As the plugin lays them out, one object a block.
struct marked_line {
  const char* path;
  std::uint32_t line;
  std::uint32_t operations[kArithmeticKinds];
};
struct marked_block {
  std::uintptr_t site;  // of the marker that came here last; 0: none did
  std::uint64_t count;
  marked_line lines[];
};

struct line_arithmetic {
  std::string path;
  int line = 0;
  std::array<std::uint32_t, kArithmeticKinds> operations{};
};

// The marker at `site` is that of `b`. The module that holds b may be unloaded later.
void note_arithmetic(marked_block& b, std::uintptr_t site);
// What the block behind the marker at `site` does; nothing where it does no arithmetic.
std::vector<line_arithmetic> arithmetic_at(std::uintptr_t site);

// On a device thread.
inline void enters_block(marked_block* b, std::uintptr_t site) {
  if (b != nullptr && __atomic_load_n(&b->site, __ATOMIC_RELAXED) != site) [[unlikely]]
    note_arithmetic(*b, site);
}

}  // namespace simt::sim
