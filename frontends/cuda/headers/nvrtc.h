// SPDX-License-Identifier: Apache-2.0
// NVRTC: programs are compiled at run time as `simrun` compiles files; what it gives out as PTX or CUBIN is a text that
// cuModuleLoadData takes (frontends/cuda/runtime/nvrtc.cpp).
#pragma once

#define __NVRTC_H__  // programs ask for it

#include "simt_cuda/hide_names.hpp"

#include <cstddef>

#include "simt_cuda/run_time_compiler.hpp"

// clang-format off
#define SIMT_NVRTC_RESULTS(X) \
  X(NVRTC_SUCCESS, 0) \
  X(NVRTC_ERROR_OUT_OF_MEMORY, 1) \
  X(NVRTC_ERROR_PROGRAM_CREATION_FAILURE, 2) \
  X(NVRTC_ERROR_INVALID_INPUT, 3) \
  X(NVRTC_ERROR_INVALID_PROGRAM, 4) \
  X(NVRTC_ERROR_INVALID_OPTION, 5) \
  X(NVRTC_ERROR_COMPILATION, 6) \
  X(NVRTC_ERROR_BUILTIN_OPERATION_FAILURE, 7) \
  X(NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION, 8) \
  X(NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION, 9) \
  X(NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID, 10) \
  X(NVRTC_ERROR_INTERNAL_ERROR, 11) \
  X(NVRTC_ERROR_TIME_FILE_WRITE_FAILED, 12)
// clang-format on
enum nvrtcResult : int {
#define SIMT_NVRTC_RESULT(name, number) name = number,
  SIMT_NVRTC_RESULTS(SIMT_NVRTC_RESULT)
#undef SIMT_NVRTC_RESULT
};
typedef struct _nvrtcProgram* nvrtcProgram;

const char* nvrtcGetErrorString(nvrtcResult);
nvrtcResult nvrtcVersion(int*, int*);
nvrtcResult nvrtcGetNumSupportedArchs(int*);
nvrtcResult nvrtcGetSupportedArchs(int*);
nvrtcResult nvrtcCreateProgram(nvrtcProgram*, const char*, const char*, int, const char* const*, const char* const*);
nvrtcResult nvrtcDestroyProgram(nvrtcProgram*);
nvrtcResult nvrtcCompileProgram(nvrtcProgram, int, const char* const*);
nvrtcResult nvrtcGetPTXSize(nvrtcProgram, std::size_t*);
nvrtcResult nvrtcGetPTX(nvrtcProgram, char*);
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram, std::size_t*);
nvrtcResult nvrtcGetCUBIN(nvrtcProgram, char*);
nvrtcResult nvrtcGetLTOIRSize(nvrtcProgram, std::size_t*);
nvrtcResult nvrtcGetLTOIR(nvrtcProgram, char*);
nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram, std::size_t*);
nvrtcResult nvrtcGetProgramLog(nvrtcProgram, char*);
nvrtcResult nvrtcAddNameExpression(nvrtcProgram, const char*);
nvrtcResult nvrtcGetLoweredName(nvrtcProgram, const char*, const char**);

#include "simt_cuda/restore_names.hpp"
