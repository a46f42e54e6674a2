// SPDX-License-Identifier: Apache-2.0
// What a view does with an index outside its extents.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace simt::sim {

// Announces it as done at code address `pc`, and gives where the access goes instead: memory that means nothing, or,
// where nobody judges uses of memory, the place that the index leads to. Outermost axis first.
void* outside_element(const void* data, std::size_t element_bytes, std::span<const std::int64_t> index,
                      std::span<const std::int64_t> extents, std::uintptr_t pc);

}  // namespace simt::sim
