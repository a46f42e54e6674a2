// SPDX-License-Identifier: Apache-2.0
// CUB's loads and stores of the items of a block's or a warp's threads without shared memory.
#pragma once

#include "tools.hpp"
#include "../hide_names.hpp"

namespace cub {

template <class T, int N, class I>
void LoadDirectBlocked(int tid, I from, T (&items)[N]) {
  for (int i = 0; i < N; ++i) items[i] = from[tid * N + i];
}
template <class T, int N, class I>
void LoadDirectBlocked(int tid, I from, T (&items)[N], int valid) {
  for (int i = 0; i < N; ++i)
    if (tid * N + i < valid) items[i] = from[tid * N + i];
}
template <class T, int N, class D, class I>
void LoadDirectBlocked(int tid, I from, T (&items)[N], int valid, D otherwise) {
  for (int i = 0; i < N; ++i)
    if (tid * N + i < valid)
      items[i] = from[tid * N + i];
    else
      items[i] = otherwise;
}
template <class T, int N>
void LoadDirectBlockedVectorized(int tid, T* from, T (&items)[N]) {
  LoadDirectBlocked(tid, from, items);
}
template <int Threads, class T, int N, class I>
void LoadDirectStriped(int tid, I from, T (&items)[N]) {
  for (int i = 0; i < N; ++i) items[i] = from[tid + i * Threads];
}
template <int Threads, class T, int N, class I>
void LoadDirectStriped(int tid, I from, T (&items)[N], int valid) {
  for (int i = 0; i < N; ++i)
    if (tid + i * Threads < valid) items[i] = from[tid + i * Threads];
}
template <int Threads, class T, int N, class D, class I>
void LoadDirectStriped(int tid, I from, T (&items)[N], int valid, D otherwise) {
  for (int i = 0; i < N; ++i)
    if (tid + i * Threads < valid)
      items[i] = from[tid + i * Threads];
    else
      items[i] = otherwise;
}
template <class T, int N, class O>
void StoreDirectBlocked(int tid, O to, T (&items)[N]) {
  for (int i = 0; i < N; ++i) to[tid * N + i] = items[i];
}
template <class T, int N, class O>
void StoreDirectBlocked(int tid, O to, T (&items)[N], int valid) {
  for (int i = 0; i < N; ++i)
    if (tid * N + i < valid) to[tid * N + i] = items[i];
}
template <class T, int N>
void StoreDirectBlockedVectorized(int tid, T* to, T (&items)[N]) {
  StoreDirectBlocked(tid, to, items);
}
template <int Threads, class T, int N, class O>
void StoreDirectStriped(int tid, O to, T (&items)[N]) {
  for (int i = 0; i < N; ++i) to[tid + i * Threads] = items[i];
}
template <int Threads, class T, int N, class O>
void StoreDirectStriped(int tid, O to, T (&items)[N], int valid) {
  for (int i = 0; i < N; ++i)
    if (tid + i * Threads < valid) to[tid + i * Threads] = items[i];
}

// Striped over each warp's part of the block.
template <class T, int N, class I>
void LoadDirectWarpStriped(int tid, I from, T (&items)[N]) {
  LoadDirectStriped<32>(tid % 32, from + tid / 32 * 32 * N, items);
}
template <class T, int N, class I>
void LoadDirectWarpStriped(int tid, I from, T (&items)[N], int valid) {
  const int first = tid / 32 * 32 * N;
  LoadDirectStriped<32>(tid % 32, from + first, items, valid - first);
}
template <class T, int N, class D, class I>
void LoadDirectWarpStriped(int tid, I from, T (&items)[N], int valid, D otherwise) {
  const int first = tid / 32 * 32 * N;
  LoadDirectStriped<32>(tid % 32, from + first, items, valid - first, otherwise);
}
template <class T, int N, class O>
void StoreDirectWarpStriped(int tid, O to, T (&items)[N]) {
  StoreDirectStriped<32>(tid % 32, to + tid / 32 * 32 * N, items);
}
template <class T, int N, class O>
void StoreDirectWarpStriped(int tid, O to, T (&items)[N], int valid) {
  const int first = tid / 32 * 32 * N;
  StoreDirectStriped<32>(tid % 32, to + first, items, valid - first);
}

}  // namespace cub

#include "../restore_names.hpp"
