// SPDX-License-Identifier: Apache-2.0
// Programs of a few instructions, as the litmus tests write them: for the axioms (ptx_model.hpp), and for a GPU
// (gpu_litmus.cu).
#pragma once

namespace ptx_model {

enum class op { load, store, swap, fence, plain_load, plain_store };
enum class order { relaxed, acquire, release, acq_rel, seq_cst };
enum class scope { block, device, system };

struct instruction {
  op what = op::load;
  int cell = 0, value = 0;  // value: of a store; no two of a cell store the same
  order o = order::relaxed;
  scope s = scope::device;
};

}  // namespace ptx_model
