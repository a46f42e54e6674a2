// SPDX-License-Identifier: Apache-2.0
// nvcuda::experimental::awbarrier.
#pragma once

#include "simt_cuda/hide_names.hpp"

#include <cuda_awbarrier_primitives.h>

namespace nvcuda::experimental {

class awbarrier {
 public:
  class arrival_token {
   public:
    arrival_token() = default;
    std::uint32_t pending_count() const { return __mbarrier_token_pending_count(token_); }

   private:
    friend class awbarrier;
    explicit arrival_token(__mbarrier_token_t token) : token_(token) {}
    __mbarrier_token_t token_;
  };
  awbarrier() = default;
  awbarrier(const awbarrier&) = delete;
  awbarrier& operator=(const awbarrier&) = delete;

  arrival_token arrive() { return arrival_token(__mbarrier_arrive(&word_)); }
  arrival_token arrive_and_drop() { return arrival_token(__mbarrier_arrive_and_drop(&word_)); }
  bool timed_wait(arrival_token token, std::uint32_t cycles) {
    return __mbarrier_try_wait(&word_, token.token_, cycles);
  }
  bool timed_wait_parity(bool parity, std::uint32_t cycles) {
    return __mbarrier_try_wait_parity(&word_, parity, cycles);
  }
  void wait(arrival_token token) {
    while (!__mbarrier_test_wait(&word_, token.token_)) {
    }
  }
  void arrive_and_wait() { wait(arrive()); }
  bool try_wait(arrival_token token, std::uint32_t) { return __mbarrier_test_wait(&word_, token.token_); }
  static constexpr std::uint32_t max() { return static_cast<std::uint32_t>(simt_cuda::kBarrierCount); }

 private:
  friend void init(awbarrier* barrier, std::uint32_t expected);
  friend void inval(awbarrier* barrier);
  __mbarrier_t word_;
};
inline void init(awbarrier* barrier, std::uint32_t expected) { __mbarrier_init(&barrier->word_, expected); }
inline void inval(awbarrier* barrier) { __mbarrier_inval(&barrier->word_); }

}  // namespace nvcuda::experimental

#include "simt_cuda/restore_names.hpp"
