// SPDX-License-Identifier: Apache-2.0
// A flag of one byte that all blocks set, as in breadth-first searches of public programs: a race, and a warning. So
// the program runs twice under check, as loops and on fibers, and the time is that of the second run.
//   simrun --workers 1 tests/bench/flags_under_check.cu
//   simrun --workers 1 --check races tests/bench/flags_under_check.cu
#include <vector>

#include "launch_times.hpp"

// What a breadth-first search has found becomes its next front; all who found something set one flag.
__global__ void next_front(bool* front, bool* found, bool* seen, bool* more, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && found[i]) front[i] = true, seen[i] = true, *more = true, found[i] = false;
}

int main() {
  constexpr int n = 1 << 18;
  const std::vector<unsigned char> none(n), all(n, 1);
  const auto flags = [](const std::vector<unsigned char>& v) { return reinterpret_cast<bool*>(device(v)); };
  bool *d_front = flags(none), *d_found = flags(all), *d_seen = flags(none), *d_more = flags(none);
  measure("next front", [&] {
    next_front<<<n / 256, 256>>>(d_front, d_found, d_seen, d_more, n);
    cudaMemset(d_found, 1, n);
  });
}
