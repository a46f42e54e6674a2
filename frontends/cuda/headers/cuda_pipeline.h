// SPDX-License-Identifier: Apache-2.0
// nvcuda::experimental::pipeline: the asynchronous copies of one thread, on the primitives.
#pragma once

#include "simt_cuda/hide_names.hpp"

#include <cuda_awbarrier.h>
#include <cuda_pipeline_primitives.h>

namespace nvcuda::experimental {

class pipeline {
 public:
  pipeline() = default;
  pipeline(const pipeline&) = delete;
  pipeline& operator=(const pipeline&) = delete;
  // The number of the batch that ends here.
  [[gnu::always_inline]] std::size_t commit() {
    __pipeline_commit();
    return committed_++;
  }
  [[gnu::always_inline]] void commit_and_wait() { wait(commit()); }
  [[gnu::always_inline]] void wait(std::size_t batch) {
    __pipeline_wait_prior(committed_ > batch ? committed_ - batch - 1 : 0);
  }
  template <unsigned Prior>
  [[gnu::always_inline]] void wait_prior() {
    __pipeline_wait_prior(Prior);
  }
  [[gnu::always_inline]] void arrive_on(awbarrier&) { __pipeline_wait_prior(0); }

 private:
  std::size_t committed_ = 0;
};
template <class Value>
[[gnu::always_inline]] inline void memcpy_async(Value& to, const Value& from, pipeline&) {
  simt_cuda::copy_later(&to, &from, sizeof to);
}

}  // namespace nvcuda::experimental

#include "simt_cuda/restore_names.hpp"
