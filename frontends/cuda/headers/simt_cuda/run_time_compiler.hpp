// SPDX-License-Identifier: Apache-2.0
// Tells the runtime who compiles modules at run time, and where the program's sources lie: the driver defines both
// (frontends/cuda/driver/host_compiler.cpp).
#pragma once

#include <cstdio>

namespace simt_cuda {

bool know_compiler(const char*, const char*);
// fopen, but a .ptx, .cubin or .fatbin file that is not there is made of the source that lies beside.
std::FILE* open_module_or_file(const char*, const char*);
#if defined(SIMT_CUDA_TOOL)
namespace {
[[maybe_unused]] const bool compiler_is_known = know_compiler(SIMT_CUDA_TOOL, SIMT_CUDA_FOLDER);
}
#endif

}  // namespace simt_cuda

#if defined(SIMT_CUDA_TOOL)
// Streams of the standard library call these, too: the program's come before the C library's.
extern "C" {
__attribute__((weak, used, visibility("default"))) std::FILE* fopen(const char* simt_name, const char* simt_mode) {
  return simt_cuda::open_module_or_file(simt_name, simt_mode);
}
__attribute__((weak, used, visibility("default"))) std::FILE* fopen64(const char* simt_name, const char* simt_mode) {
  return simt_cuda::open_module_or_file(simt_name, simt_mode);
}
}
#endif
