// SPDX-License-Identifier: Apache-2.0
// A plan of cuFFT: the shape of its data, and the plans of FFTW that it needs, made when a transform first asks for
// them: in place or not, forward or inverse. FFTW_ESTIMATE touches no data, FFTW_UNALIGNED lets a plan serve any array.
#pragma once

#include <mutex>
#include <vector>

#include "call.hpp"
#include "fftw_names.hpp"

namespace simt_cuda::libraries {

// How one side of a transform lies in memory: elements of `bytes`, in rows of n[rank - 1]; strides count elements.
struct fft_side {
  int rank = 0;
  size n[3] = {}, strides[3] = {}, distance = 0, batch = 1, bytes = 0;

  size in_rows() const { return n[rank - 1]; }
  size rows() const {
    size r = 1;
    for (int d = 0; d + 1 < rank; ++d) r *= n[d];
    return r;
  }
  // Elements from the first to one past the last.
  size extent() const {
    size last = (batch - 1) * distance;
    for (int d = 0; d < rank; ++d) last += (n[d] - 1) * strides[d];
    return last + 1;
  }
  // Whether every element in it is used.
  bool is_dense() const { return extent() == batch * rows() * in_rows(); }

  template <class Announce>
  SIMT_UNWATCHED void for_pieces(Announce announce) const {
    if (is_dense()) return announce(0, extent() * bytes, size{1}, size{0});
    for (size b = 0; b < batch; ++b)
      for (size row = 0; row < rows(); ++row) {
        size at = b * distance, left = row;
        for (int d = rank - 2; d >= 0; --d) {
          at += left % n[d] * strides[d];
          left /= n[d];
        }
        const size step = strides[rank - 1];
        if (step == 1)
          announce(at * bytes, in_rows() * bytes, size{1}, size{0});
        else
          announce(at * bytes, bytes, in_rows(), step * bytes);
      }
  }
  // f(index of an element from the first).
  template <class F>
  void for_elements(F f) const {
    for (size b = 0; b < batch; ++b)
      for (size row = 0; row < rows(); ++row) {
        size at = b * distance, left = row;
        for (int d = rank - 2; d >= 0; --d) {
          at += left % n[d] * strides[d];
          left /= n[d];
        }
        for (size i = 0; i < in_rows(); ++i) f(at + i * strides[rank - 1]);
      }
  }
  SIMT_UNWATCHED void copy_used(void* to, const void* from) const {
    for_pieces([=](size at, size length, size count, size step) SIMT_UNWATCHED {
      for (size i = 0; i < count; ++i)
        for (size k = at + i * step; k < at + i * step + length; ++k)
          static_cast<char*>(to)[k] = static_cast<const char*>(from)[k];
    });
  }
  SIMT_UNWATCHED void is_read(const void* data) const {
    for_pieces([data](size at, size length, size count, size step)
                   SIMT_UNWATCHED { reads(static_cast<const char*>(data) + at, length, count, step); });
  }
  SIMT_UNWATCHED void is_written(void* data) const {
    for_pieces([data](size at, size length, size count, size step)
                   SIMT_UNWATCHED { writes(static_cast<char*>(data) + at, length, count, step); });
  }
};

enum class fft_kind : unsigned char { complex, to_complex, to_real };

// What was asked for: logical sizes, and the layout where the program gives one.
struct fft_shape {
  int rank = 0;
  size n[3] = {}, batch = 1;
  bool given = false;
  size in_embed[3] = {}, in_stride = 1, in_distance = 0, out_embed[3] = {}, out_stride = 1, out_distance = 0;
  fft_kind kind = fft_kind::complex;
  bool is_double = false;

  size half() const { return n[rank - 1] / 2 + 1; }
  // The input or the output. Packed, a row of numbers that becomes complex in place has room for them.
  fft_side side(bool input, bool in_place) const {
    fft_side s;
    const bool real = kind == (input ? fft_kind::to_complex : fft_kind::to_real);
    s.rank = rank;
    s.batch = batch;
    s.bytes = (real ? 1 : 2) * (is_double ? 8 : 4);
    for (int d = 0; d < rank; ++d) s.n[d] = n[d];
    if (kind != fft_kind::complex && !real) s.n[rank - 1] = half();
    const size* const embed = input ? in_embed : out_embed;
    size step = given ? (input ? in_stride : out_stride) : 1;
    for (int d = rank - 1; d >= 0; --d) {
      s.strides[d] = step;
      step *= given ? embed[d] : real && in_place && d + 1 == rank ? 2 * half() : s.n[d];
    }
    s.distance = given ? (input ? in_distance : out_distance) : step;
    return s;
  }
  // Of several dimensions to real numbers: the input is room for FFTW, as it is for cuFFT.
  bool spoils_input() const { return kind == fft_kind::to_real && rank > 1; }
  size elements() const {
    size all = batch;
    for (int d = 0; d < rank; ++d) all *= d + 1 == rank && kind != fft_kind::complex ? half() : n[d];
    return all;
  }
  size work_bytes() const { return elements() * (is_double ? 16 : 8); }
};

inline std::mutex& fft_planner() {  // FFTW makes plans one at a time
  static auto* m = new std::mutex;
  return *m;
}

// Of the program: device code, and what it is given.
struct fft_callback {
  void *function = nullptr, *info = nullptr;
};

struct fft_plan {
  fft_shape shape;
  fft_callback load, store;  // none, as a rule
  bool made = false;
  cudaStream_t stream = nullptr;
  void* plans[2][2] = {};  // of FFTW, by [in place][inverse]

  fft_plan() = default;
  fft_plan(const fft_plan&) = delete;
  ~fft_plan() { forget_plans(); }

  void forget_plans() {
    const std::lock_guard lock(fft_planner());
    for (auto& by_place : plans)
      for (void*& p : by_place) {
        if (p != nullptr && shape.is_double) fftw_destroy_plan(static_cast<fftw_plan>(p));
        if (p != nullptr && !shape.is_double) fftwf_destroy_plan(static_cast<fftwf_plan>(p));
        p = nullptr;
      }
  }

  void* plan_for(void* in, void* out, bool inverse) {
    void*& p = plans[in == out][inverse];
    if (p != nullptr) return p;
    const fft_side from = shape.side(true, in == out), to = shape.side(false, in == out);
    fftw_iodim64 dims[3], batch = {shape.batch, from.distance, to.distance};
    for (int d = 0; d < shape.rank; ++d) dims[d] = {shape.n[d], from.strides[d], to.strides[d]};
    unsigned flags = FFTW_ESTIMATE | FFTW_UNALIGNED;
    if (!shape.spoils_input()) flags |= FFTW_PRESERVE_INPUT;
    const int sign = inverse ? FFTW_BACKWARD : FFTW_FORWARD;
    const std::lock_guard lock(fft_planner());
    if (shape.is_double) {
      auto* const c_in = static_cast<fftw_complex*>(in);
      auto* const c_out = static_cast<fftw_complex*>(out);
      if (shape.kind == fft_kind::complex)
        p = fftw_plan_guru64_dft(shape.rank, dims, 1, &batch, c_in, c_out, sign, flags);
      else if (shape.kind == fft_kind::to_complex)
        p = fftw_plan_guru64_dft_r2c(shape.rank, dims, 1, &batch, static_cast<double*>(in), c_out, flags);
      else
        p = fftw_plan_guru64_dft_c2r(shape.rank, dims, 1, &batch, c_in, static_cast<double*>(out), flags);
    } else {
      auto* const c_in = static_cast<fftwf_complex*>(in);
      auto* const c_out = static_cast<fftwf_complex*>(out);
      if (shape.kind == fft_kind::complex)
        p = fftwf_plan_guru64_dft(shape.rank, dims, 1, &batch, c_in, c_out, sign, flags);
      else if (shape.kind == fft_kind::to_complex)
        p = fftwf_plan_guru64_dft_r2c(shape.rank, dims, 1, &batch, static_cast<float*>(in), c_out, flags);
      else
        p = fftwf_plan_guru64_dft_c2r(shape.rank, dims, 1, &batch, c_in, static_cast<float*>(out), flags);
    }
    return p;
  }
};

// FFTW's own call.
struct fft_transform {
  const void* plan;
  void *in, *out;
  fft_kind kind;
  bool is_double;

  template <class Plan, class Real, class Complex>
  SIMT_UNWATCHED void with(Plan p, void (*complex)(Plan, Complex*, Complex*), void (*forward)(Plan, Real*, Complex*),
                           void (*back)(Plan, Complex*, Real*)) const {
    if (kind == fft_kind::complex) complex(p, static_cast<Complex*>(in), static_cast<Complex*>(out));
    if (kind == fft_kind::to_complex) forward(p, static_cast<Real*>(in), static_cast<Complex*>(out));
    if (kind == fft_kind::to_real) back(p, static_cast<Complex*>(in), static_cast<Real*>(out));
  }
  SIMT_UNWATCHED void operator()() const {
    if (is_double)
      with<fftw_plan, double, fftw_complex>(static_cast<fftw_plan>(const_cast<void*>(plan)), &fftw_execute_dft,
                                            &fftw_execute_dft_r2c, &fftw_execute_dft_c2r);
    else
      with<fftwf_plan, float, fftwf_complex>(static_cast<fftwf_plan>(const_cast<void*>(plan)), &fftwf_execute_dft,
                                             &fftwf_execute_dft_r2c, &fftwf_execute_dft_c2r);
  }
};

}  // namespace simt_cuda::libraries
