// SPDX-License-Identifier: Apache-2.0
// cuFFT on FFTW: plans of one to three dimensions, batches and layouts of the program's own, single and double. Each
// transform is a kernel of one thread on the plan's stream.
#pragma once

#if !__has_include(<fftw3.h>)
#error "cufft.h: cuFFT runs on FFTW here, which is not installed: apt-get install libfftw3-dev"
#else

#include "simt_cuda/hide_names.hpp"

#include <climits>
#include <memory>

#include <cuComplex.h>
#include <library_types.h>

#include "simt_cuda/libraries/fft_callbacks.hpp"
#include "simt_cuda/libraries/fft_plan.hpp"

// Guards and numbers of the Toolkit that programs and helpers of samples ask for.
#define _CUFFT_H_
#define CUFFT_VER_MAJOR 12
#define CUFFT_VER_MINOR 0
#define CUFFT_VER_PATCH 0
#define CUFFT_VERSION 12000
#define CUFFT_FORWARD -1
#define CUFFT_INVERSE 1
#define CUFFT_PLAN_NULL -1
#define MAX_CUFFT_ERROR 0x15

typedef enum cufftResult_t {
  CUFFT_SUCCESS = 0x0,
  CUFFT_INVALID_PLAN = 0x1,
  CUFFT_ALLOC_FAILED = 0x2,
  CUFFT_INVALID_TYPE = 0x3,
  CUFFT_INVALID_VALUE = 0x4,
  CUFFT_INTERNAL_ERROR = 0x5,
  CUFFT_EXEC_FAILED = 0x6,
  CUFFT_SETUP_FAILED = 0x7,
  CUFFT_INVALID_SIZE = 0x8,
  CUFFT_UNALIGNED_DATA = 0x9,
  CUFFT_INCOMPLETE_PARAMETER_LIST = 0xA,  // until CUDA 12, as are the other two: programs have them in switches
  CUFFT_INVALID_DEVICE = 0xB,
  CUFFT_PARSE_ERROR = 0xC,
  CUFFT_NO_WORKSPACE = 0xD,
  CUFFT_NOT_IMPLEMENTED = 0xE,
  CUFFT_LICENSE_ERROR = 0xF,
  CUFFT_NOT_SUPPORTED = 0x10,
  CUFFT_MISSING_DEPENDENCY = 0x11,
  CUFFT_NVRTC_FAILURE = 0x12,
  CUFFT_NVJITLINK_FAILURE = 0x13,
  CUFFT_NVSHMEM_FAILURE = 0x14
} cufftResult;
typedef enum cufftType_t {
  CUFFT_R2C = 0x2a,
  CUFFT_C2R = 0x2c,
  CUFFT_C2C = 0x29,
  CUFFT_D2Z = 0x6a,
  CUFFT_Z2D = 0x6c,
  CUFFT_Z2Z = 0x69
} cufftType;
typedef enum cufftCompatibility_t { CUFFT_COMPATIBILITY_FFTW_PADDING = 0x01 } cufftCompatibility;
#define CUFFT_COMPATIBILITY_DEFAULT CUFFT_COMPATIBILITY_FFTW_PADDING
typedef float cufftReal;
typedef double cufftDoubleReal;
typedef cuComplex cufftComplex;
typedef cuDoubleComplex cufftDoubleComplex;
typedef int cufftHandle;

namespace simt_cuda::libraries {

struct fft_plans {
  std::mutex mutex;
  std::vector<std::unique_ptr<fft_plan> > all;  // the handle less 1
};
inline fft_plans& the_fft_plans() {
  static auto* p = new fft_plans;
  return *p;
}
inline fft_plan* fft_plan_of(cufftHandle h) {
  fft_plans& p = the_fft_plans();
  const std::lock_guard lock(p.mutex);
  return h < 1 || static_cast<std::size_t>(h) > p.all.size() ? nullptr : p.all[static_cast<std::size_t>(h) - 1].get();
}
inline bool is_fft_type(cufftType t) {
  return t == CUFFT_R2C || t == CUFFT_C2R || t == CUFFT_C2C || t == CUFFT_D2Z || t == CUFFT_Z2D || t == CUFFT_Z2Z;
}
inline fft_kind fft_kind_of(cufftType t) {
  return t == CUFFT_C2C || t == CUFFT_Z2Z   ? fft_kind::complex
         : t == CUFFT_R2C || t == CUFFT_D2Z ? fft_kind::to_complex
                                            : fft_kind::to_real;
}
// Integer: of the calls with int, or with long long.
template <class Integer>
cufftResult fft_shape_of(fft_shape& s, int rank, const Integer* n, const Integer* in_embed, Integer in_stride,
                         Integer in_distance, const Integer* out_embed, Integer out_stride, Integer out_distance,
                         cufftType type, Integer batch) {
  if (rank < 1 || rank > 3 || n == nullptr) return CUFFT_INVALID_VALUE;
  if (!is_fft_type(type)) return CUFFT_INVALID_TYPE;
  if (batch < 1) return CUFFT_INVALID_SIZE;
  s = {};
  s.rank = rank;
  s.batch = batch;
  s.kind = fft_kind_of(type);
  s.is_double = (type & 0x40) != 0;
  s.given = in_embed != nullptr && out_embed != nullptr;
  for (int d = 0; d < rank; ++d) {
    if (n[d] < 1) return CUFFT_INVALID_SIZE;
    s.n[d] = n[d];
    if (s.given) {
      if (in_embed[d] < 1 || out_embed[d] < 1) return CUFFT_INVALID_VALUE;
      s.in_embed[d] = in_embed[d];
      s.out_embed[d] = out_embed[d];
    }
  }
  if (s.given && (in_stride < 1 || out_stride < 1 || in_distance < 0 || out_distance < 0)) return CUFFT_INVALID_VALUE;
  s.in_stride = in_stride;
  s.in_distance = in_distance;
  s.out_stride = out_stride;
  s.out_distance = out_distance;
  return CUFFT_SUCCESS;
}
template <class Integer>
cufftResult fft_packed(fft_shape& s, int rank, const Integer* n, cufftType type, Integer batch) {
  return fft_shape_of<Integer>(s, rank, n, nullptr, 1, 0, nullptr, 1, 0, type, batch);
}
inline cufftResult make_fft_plan(cufftHandle h, const fft_shape& s, cufftResult checked, std::size_t* work) {
  fft_plan* const p = fft_plan_of(h);
  if (p == nullptr || p->made) return CUFFT_INVALID_PLAN;
  if (checked != CUFFT_SUCCESS) return checked;
  p->shape = s;
  p->made = true;
  if (work != nullptr) *work = static_cast<std::size_t>(s.work_bytes());
  return CUFFT_SUCCESS;
}

}  // namespace simt_cuda::libraries

inline cufftResult cufftCreate(cufftHandle* h) {
  if (h == nullptr) return CUFFT_INVALID_VALUE;
  auto& plans = simt_cuda::libraries::the_fft_plans();
  const std::lock_guard lock(plans.mutex);
  plans.all.push_back(std::make_unique<simt_cuda::libraries::fft_plan>());
  *h = static_cast<cufftHandle>(plans.all.size());
  return CUFFT_SUCCESS;
}
inline cufftResult cufftDestroy(cufftHandle h) {
  if (h == CUFFT_PLAN_NULL) return CUFFT_SUCCESS;
  if (simt_cuda::libraries::fft_plan_of(h) == nullptr) return CUFFT_INVALID_PLAN;
  auto& plans = simt_cuda::libraries::the_fft_plans();
  const std::lock_guard lock(plans.mutex);
  plans.all[static_cast<std::size_t>(h) - 1].reset();
  return CUFFT_SUCCESS;
}
inline cufftResult cufftSetStream(cufftHandle h, cudaStream_t s) {
  auto* const p = simt_cuda::libraries::fft_plan_of(h);
  if (p == nullptr) return CUFFT_INVALID_PLAN;
  p->stream = s;
  return CUFFT_SUCCESS;
}
inline cufftResult cufftGetVersion(int* v) {
  *v = CUFFT_VERSION;
  return CUFFT_SUCCESS;
}
inline cufftResult cufftGetProperty(libraryPropertyType type, int* v) {
  *v = type == MAJOR_VERSION ? CUFFT_VER_MAJOR : type == MINOR_VERSION ? CUFFT_VER_MINOR : CUFFT_VER_PATCH;
  return CUFFT_SUCCESS;
}
// FFTW has its room by itself; a program may bring some of its own, which is not used.
inline cufftResult cufftSetAutoAllocation(cufftHandle h, int) {
  return simt_cuda::libraries::fft_plan_of(h) == nullptr ? CUFFT_INVALID_PLAN : CUFFT_SUCCESS;
}
inline cufftResult cufftSetWorkArea(cufftHandle h, void*) {
  return simt_cuda::libraries::fft_plan_of(h) == nullptr ? CUFFT_INVALID_PLAN : CUFFT_SUCCESS;
}
inline cufftResult cufftGetSize(cufftHandle h, std::size_t* work) {
  const auto* const p = simt_cuda::libraries::fft_plan_of(h);
  if (p == nullptr || !p->made) return CUFFT_INVALID_PLAN;
  *work = static_cast<std::size_t>(p->shape.work_bytes());
  return CUFFT_SUCCESS;
}

// Plans: made of a handle, or with one; and what they would need.
#define SIMT_CUFFT_MANY(Integer, suffix)                                                                               \
  inline cufftResult cufftMakePlanMany##suffix(cufftHandle h, int rank, Integer* n, Integer* in_embed,                 \
                                               Integer in_stride, Integer in_distance, Integer* out_embed,             \
                                               Integer out_stride, Integer out_distance, cufftType type,               \
                                               Integer batch, std::size_t* work) {                                     \
    simt_cuda::libraries::fft_shape s;                                                                                 \
    const cufftResult r = simt_cuda::libraries::fft_shape_of<Integer>(                                                 \
        s, rank, n, in_embed, in_stride, in_distance, out_embed, out_stride, out_distance, type, batch);               \
    return simt_cuda::libraries::make_fft_plan(h, s, r, work);                                                         \
  }                                                                                                                    \
  inline cufftResult cufftGetSizeMany##suffix(cufftHandle h, int rank, Integer* n, Integer* in_embed,                  \
                                              Integer in_stride, Integer in_distance, Integer* out_embed,              \
                                              Integer out_stride, Integer out_distance, cufftType type, Integer batch, \
                                              std::size_t* work) {                                                     \
    if (simt_cuda::libraries::fft_plan_of(h) == nullptr) return CUFFT_INVALID_PLAN;                                    \
    simt_cuda::libraries::fft_shape s;                                                                                 \
    const cufftResult r = simt_cuda::libraries::fft_shape_of<Integer>(                                                 \
        s, rank, n, in_embed, in_stride, in_distance, out_embed, out_stride, out_distance, type, batch);               \
    if (r == CUFFT_SUCCESS) *work = static_cast<std::size_t>(s.work_bytes());                                          \
    return r;                                                                                                          \
  }
SIMT_CUFFT_MANY(int, )
SIMT_CUFFT_MANY(long long, 64)
#undef SIMT_CUFFT_MANY
inline cufftResult cufftEstimateMany(int rank, int* n, int* in_embed, int in_stride, int in_distance, int* out_embed,
                                     int out_stride, int out_distance, cufftType type, int batch, std::size_t* work) {
  simt_cuda::libraries::fft_shape s;
  const cufftResult r = simt_cuda::libraries::fft_shape_of<int>(s, rank, n, in_embed, in_stride, in_distance, out_embed,
                                                                out_stride, out_distance, type, batch);
  if (r == CUFFT_SUCCESS) *work = static_cast<std::size_t>(s.work_bytes());
  return r;
}
namespace simt_cuda::libraries {
inline cufftResult new_fft_plan(cufftHandle* h, const fft_shape& s, cufftResult checked) {
  if (h == nullptr) return CUFFT_INVALID_VALUE;
  if (checked != CUFFT_SUCCESS) return checked;
  cufftCreate(h);
  return make_fft_plan(*h, s, checked, nullptr);
}
}  // namespace simt_cuda::libraries
inline cufftResult cufftPlanMany(cufftHandle* h, int rank, int* n, int* in_embed, int in_stride, int in_distance,
                                 int* out_embed, int out_stride, int out_distance, cufftType type, int batch) {
  simt_cuda::libraries::fft_shape s;
  const cufftResult r = simt_cuda::libraries::fft_shape_of<int>(s, rank, n, in_embed, in_stride, in_distance, out_embed,
                                                                out_stride, out_distance, type, batch);
  return simt_cuda::libraries::new_fft_plan(h, s, r);
}
#define SIMT_CUFFT_PACKED(dims, rank, parameters, values, batch_parameter, batch)                                   \
  inline cufftResult cufftPlan##dims(cufftHandle* h, SIMT_CUFFT_LIST parameters, cufftType type batch_parameter) {  \
    const int n[] = {SIMT_CUFFT_LIST values};                                                                       \
    simt_cuda::libraries::fft_shape s;                                                                              \
    const cufftResult r = simt_cuda::libraries::fft_packed<int>(s, rank, n, type, batch);                           \
    return simt_cuda::libraries::new_fft_plan(h, s, r);                                                             \
  }                                                                                                                 \
  inline cufftResult cufftMakePlan##dims(cufftHandle h, SIMT_CUFFT_LIST parameters, cufftType type batch_parameter, \
                                         std::size_t* work) {                                                       \
    const int n[] = {SIMT_CUFFT_LIST values};                                                                       \
    simt_cuda::libraries::fft_shape s;                                                                              \
    const cufftResult r = simt_cuda::libraries::fft_packed<int>(s, rank, n, type, batch);                           \
    return simt_cuda::libraries::make_fft_plan(h, s, r, work);                                                      \
  }                                                                                                                 \
  inline cufftResult cufftEstimate##dims(SIMT_CUFFT_LIST parameters, cufftType type batch_parameter,                \
                                         std::size_t* work) {                                                       \
    const int n[] = {SIMT_CUFFT_LIST values};                                                                       \
    simt_cuda::libraries::fft_shape s;                                                                              \
    const cufftResult r = simt_cuda::libraries::fft_packed<int>(s, rank, n, type, batch);                           \
    if (r == CUFFT_SUCCESS) *work = static_cast<std::size_t>(s.work_bytes());                                       \
    return r;                                                                                                       \
  }                                                                                                                 \
  inline cufftResult cufftGetSize##dims(cufftHandle h, SIMT_CUFFT_LIST parameters, cufftType type batch_parameter,  \
                                        std::size_t* work) {                                                        \
    if (simt_cuda::libraries::fft_plan_of(h) == nullptr) return CUFFT_INVALID_PLAN;                                 \
    const int n[] = {SIMT_CUFFT_LIST values};                                                                       \
    simt_cuda::libraries::fft_shape s;                                                                              \
    const cufftResult r = simt_cuda::libraries::fft_packed<int>(s, rank, n, type, batch);                           \
    if (r == CUFFT_SUCCESS) *work = static_cast<std::size_t>(s.work_bytes());                                       \
    return r;                                                                                                       \
  }
#define SIMT_CUFFT_LIST(...) __VA_ARGS__
#define SIMT_CUFFT_BATCH , int count
SIMT_CUFFT_PACKED(1d, 1, (int nx), (nx), SIMT_CUFFT_BATCH, count)
SIMT_CUFFT_PACKED(2d, 2, (int nx, int ny), (nx, ny), , 1)
SIMT_CUFFT_PACKED(3d, 3, (int nx, int ny, int nz), (nx, ny, nz), , 1)
#undef SIMT_CUFFT_PACKED
#undef SIMT_CUFFT_BATCH
#undef SIMT_CUFFT_LIST

namespace simt_cuda::libraries {
inline cufftResult transform(const char* name, const void* place, cufftHandle h, cufftType type, void* in, void* out,
                             int direction) {
  fft_plan* const p = fft_plan_of(h);
  if (p == nullptr || !p->made) return CUFFT_INVALID_PLAN;
  const fft_shape& s = p->shape;
  if (s.kind != fft_kind_of(type) || s.is_double != ((type & 0x40) != 0)) return CUFFT_INVALID_TYPE;
  if (direction != CUFFT_FORWARD && direction != CUFFT_INVERSE) return CUFFT_INVALID_VALUE;
  if (in == nullptr || out == nullptr) return CUFFT_EXEC_FAILED;
  const void* const plan = p->plan_for(in, out, direction == CUFFT_INVERSE);
  if (plan == nullptr) return CUFFT_NOT_SUPPORTED;
  const fft_side from = s.side(true, in == out), to = s.side(false, in == out);
  const bool spoils = s.spoils_input() && in != out;
  if (p->load.function != nullptr || p->store.function != nullptr) {
    const bool called =
        run(name, p->stream, place,
            [=, load = p->load, store = p->store, t = fft_transform{plan, in, out, s.kind, s.is_double}]() {
              transform_with_callbacks(t, from, to, load, store);
            });
    return called ? CUFFT_SUCCESS : CUFFT_EXEC_FAILED;
  }
  const bool ran = run(name, p->stream, place, [=, t = fft_transform{plan, in, out, s.kind, s.is_double}]() mutable {
    from.is_read(in);
    if (spoils) from.is_written(in);
    to.is_written(out);
    outside(t);
  });
  return ran ? CUFFT_SUCCESS : CUFFT_EXEC_FAILED;
}
}  // namespace simt_cuda::libraries

SIMT_LIBRARY_CALL cufftResult cufftExecC2C(cufftHandle h, cufftComplex* in, cufftComplex* out, int direction) {
  return simt_cuda::libraries::transform("cufftExecC2C()", SIMT_CALLED_FROM, h, CUFFT_C2C, in, out, direction);
}
SIMT_LIBRARY_CALL cufftResult cufftExecR2C(cufftHandle h, cufftReal* in, cufftComplex* out) {
  return simt_cuda::libraries::transform("cufftExecR2C()", SIMT_CALLED_FROM, h, CUFFT_R2C, in, out, CUFFT_FORWARD);
}
SIMT_LIBRARY_CALL cufftResult cufftExecC2R(cufftHandle h, cufftComplex* in, cufftReal* out) {
  return simt_cuda::libraries::transform("cufftExecC2R()", SIMT_CALLED_FROM, h, CUFFT_C2R, in, out, CUFFT_INVERSE);
}
SIMT_LIBRARY_CALL cufftResult cufftExecZ2Z(cufftHandle h, cufftDoubleComplex* in, cufftDoubleComplex* out,
                                           int direction) {
  return simt_cuda::libraries::transform("cufftExecZ2Z()", SIMT_CALLED_FROM, h, CUFFT_Z2Z, in, out, direction);
}
SIMT_LIBRARY_CALL cufftResult cufftExecD2Z(cufftHandle h, cufftDoubleReal* in, cufftDoubleComplex* out) {
  return simt_cuda::libraries::transform("cufftExecD2Z()", SIMT_CALLED_FROM, h, CUFFT_D2Z, in, out, CUFFT_FORWARD);
}
SIMT_LIBRARY_CALL cufftResult cufftExecZ2D(cufftHandle h, cufftDoubleComplex* in, cufftDoubleReal* out) {
  return simt_cuda::libraries::transform("cufftExecZ2D()", SIMT_CALLED_FROM, h, CUFFT_Z2D, in, out, CUFFT_INVERSE);
}

#include "simt_cuda/restore_names.hpp"

#endif
