// SPDX-License-Identifier: Apache-2.0
// main() of every executable that simt_add_tests makes: doctest's, and what a variant asks for around it.
//
// Exit codes: 0 all passed, 1 a test failed, 77 skipped because no device answers (cuda), and in the check variant
// 3 where the detector still holds findings that no test took, although every assertion passed.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdio>

#if defined(SIMT_VARIANT_CUDA)
#include <cuda_runtime_api.h>
#endif

#if defined(SIMT_VARIANT_CHECK)
// Defined by the check runtime: prints the findings that nobody has taken and returns how many are errors.
extern "C" [[gnu::weak]] int simt_check_print_untaken_findings();
#endif

int main(int argc, char** argv) {
#if defined(SIMT_VARIANT_CUDA)
  int devices = 0;
  const cudaError_t answer = cudaGetDeviceCount(&devices);
  if (answer != cudaSuccess || devices == 0) {
    std::printf("skipped: no CUDA device answers: %s\n",
                answer == cudaSuccess ? "none is installed" : cudaGetErrorString(answer));
    return 77;
  }
#endif
  doctest::Context context(argc, argv);
  const int failed = context.run();
  if (context.shouldExit() || failed != 0) return failed;
#if defined(SIMT_VARIANT_CHECK)
  if (simt_check_print_untaken_findings && simt_check_print_untaken_findings() != 0) return 3;
#endif
  return 0;
}
