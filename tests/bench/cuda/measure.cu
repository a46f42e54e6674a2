// SPDX-License-Identifier: Apache-2.0
// Times each contest: rounds by hand and with the API in turns, the median of each, and their ratio; registers and
// shared memory as the driver reports them. Exit code 1 if results differ, or with --limit R if a ratio is over R.
#include <algorithm>
#include <cstring>
#include <vector>

#include "contest.hpp"

namespace {

double milliseconds(const std::function<void()>& launch, int launches) {
  static const simt::event start, stop;
  simt::event a = start, b = stop;
  a.record();
  for (int i = 0; i < launches; ++i) launch();
  b.record();
  b.synchronize();
  return elapsed_ms(a, b) / launches;
}

double median(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return v[v.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  bool quick = false;
  double limit = 0;
  for (int i = 1; i < argc; ++i) {
    if (!std::strcmp(argv[i], "--quick")) quick = true;
    if (!std::strcmp(argv[i], "--limit") && i + 1 < argc) limit = std::atof(argv[i + 1]);
  }
  if (const std::string why = simt::backend::unavailable(); !why.empty()) {
    std::printf("skipped: %s\n", why.c_str());
    return 77;
  }
  std::printf("%s\n", simt::device::current().name().c_str());
  std::printf("%-18s %10s %10s %7s   %-20s %-20s\n", "algorithm", "hand ms", "api ms", "ratio", "registers hand, api",
              "shared hand, api");
  const int shrink = quick ? 16 : 1;
  bool good = true;
  for (const auto make : {saxpy_contest, reduction_contest, matmul_contest, histogram_global_contest,
                          histogram_shared_contest, transpose_contest, stencil_contest}) {
    const contest c = make(shrink);
    c.by_hand();
    c.by_api();
    must(cudaDeviceSynchronize());
    const bool same = c.same();
    // A sample of at least 5 ms, so that gaps between launches do not count.
    const double once = milliseconds(c.by_hand, 3);
    const int launches = quick ? 1 : std::clamp(static_cast<int>(5 / std::max(once, 1e-3)), 3, 200);
    std::vector<double> hand, api;
    for (int round = 0; round < (quick ? 1 : 31); ++round) {
      hand.push_back(milliseconds(c.by_hand, launches));
      api.push_back(milliseconds(c.by_api, launches));
    }
    cudaFuncAttributes h, a;
    must(cudaFuncGetAttributes(&h, c.hand_entry));
    must(cudaFuncGetAttributes(&a, c.api_entry));
    const double ratio = median(api) / median(hand);
    char registers[40], shared[40];
    std::snprintf(registers, sizeof registers, "%d, %d", h.numRegs, a.numRegs);
    std::snprintf(shared, sizeof shared, "%zu, %zu", h.sharedSizeBytes, a.sharedSizeBytes);
    std::printf("%-18s %10.4f %10.4f %7.3f   %-20s %-20s%s\n", c.name.c_str(), median(hand), median(api), ratio,
                registers, shared, same ? "" : " RESULTS DIFFER");
    good = good && same && (limit == 0 || ratio <= limit);
  }
  return good ? 0 : 1;
}
