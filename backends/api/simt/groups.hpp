// SPDX-License-Identifier: Apache-2.0
// Cooperative groups in CUDA's words (CUDA Programming Guide, "Cooperative Groups"), on what simt::thread offers, so
// that this one text serves every variant. Where CUDA asks its built-in variables who the caller is, a group is made
// from the kernel's simt::thread:
//
//   namespace cg = simt::cg;
//   auto block = cg::this_thread_block(t);
//   auto tile = cg::tiled_partition<16>(block);
//   const int sum = cg::reduce(tile, x, cg::plus<int>());
//
// A group refers to the thread that it was made from and must not outlive it. Collective functions must be called by
// every member, as in CUDA.
#pragma once

#include <simt/block_collectives.hpp>
#include <simt/group_types.hpp>
#include <simt/lane_collectives.hpp>
