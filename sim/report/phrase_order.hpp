// SPDX-License-Identifier: Apache-2.0
// How two accesses that nothing orders are put in order: what a race's fix says, and where. Part of the phrasebook.
#pragma once

#include <string>
#include <string_view>

#include "phrasebook.hpp"

namespace simt {

// Whether threads of the race's block meet at barriers that are not for the whole block.
bool meet_by_some(const facts& v);
// What the dialect calls it: "sync_grid" is grid.sync() in CUDA.
std::string_view word_of(std::string_view name, dialect d);
// "tile[3][5]"
std::string element_of(const finding& f);
// Of two threads of one block.
std::string order_in_block(const finding& f, const access& later, const access& earlier, dialect d);
// Of two blocks.
std::string order_of_blocks(const finding& f, const access& later, const access& earlier, dialect d);

}  // namespace simt
