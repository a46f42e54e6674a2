// SPDX-License-Identifier: Apache-2.0
// main() of every executable that simt_add_tests makes: doctest's, after a look for a device in the cuda variant.
//
// Exit codes: 0 all passed, 1 a test failed, 77 skipped because no device answers. Findings fail a test that asks for
// them with simt::check().
//
// A fault of a kernel is the engine's to handle: doctest's own handlers would end the program first.
#define DOCTEST_CONFIG_NO_POSIX_SIGNALS
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdio>

#if defined(SIMT_VARIANT_CUDA)
#include <cuda_runtime_api.h>
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
  return doctest::Context(argc, argv).run();
}
