// Atomic exchanges and compare-and-swaps of 16 bytes: of a class, in global and shared memory. Prints the same on a GPU.
#include <cstdio>
struct __align__(16) Pair {
  unsigned long long value, tag;
};
struct alignas(16) Four {
  float a, b, c;
  int n;
};
__device__ Pair top;
// Adds to both words at once.
__global__ void add_both(Pair* p, int rounds) {
  for (int i = 0; i < rounds; ++i) {
    Pair seen = {0, 0}, want;
    if (i == 1) seen = *p;  // a guess, read by its members, which the swap checks
    for (;;) {
      want.value = seen.value + threadIdx.x + 1;
      want.tag = seen.tag + 1;
      Pair now = atomicCAS(p, seen, want);
      if (now.value == seen.value && now.tag == seen.tag) break;
      seen = now;
    }
  }
}
__global__ void swap(Four* p, int* sum) {
  Four mine = {threadIdx.x + 1.0f, 2.0f, 3.0f, (int)threadIdx.x + 1};
  Four old = atomicExch(p, mine);
  if ((float)old.n != old.a) atomicAdd(sum + 1, 1);
  atomicAdd(sum, old.n);
}
__global__ void in_shared(ulonglong2* out) {
  __shared__ ulonglong2 s;
  if (threadIdx.x == 0) s = make_ulonglong2(0, 0);
  __syncthreads();
  struct __align__(16) W {
    unsigned long long x, y;
  };
  W* w = (W*)&s;
  W seen = {0, 0};
  for (;;) {
    W next = {seen.x + 1, seen.y + 2};
    W now = atomicCAS_block(w, seen, next);
    if (now.x == seen.x && now.y == seen.y) break;
    seen = now;
  }
  __syncthreads();
  if (threadIdx.x == 0) *out = s;
}
int main() {
  Pair* p;
  Four* f;
  int* sum;
  ulonglong2* o;
  cudaGetSymbolAddress((void**)&p, top);
  cudaMalloc(&f, sizeof *f);
  cudaMalloc(&sum, 8);
  cudaMalloc(&o, 16);
  cudaMemset(f, 0, sizeof *f);
  cudaMemset(sum, 0, 8);
  add_both<<<4, 64>>>(p, 3);
  swap<<<1, 128>>>(f, sum);
  in_shared<<<1, 96>>>(o);
  Pair h;
  Four g;
  int s[2];
  ulonglong2 u;
  cudaMemcpyFromSymbol(&h, top, sizeof h);
  cudaMemcpy(&g, f, sizeof g, cudaMemcpyDeviceToHost);
  cudaMemcpy(s, sum, 8, cudaMemcpyDeviceToHost);
  cudaMemcpy(&u, o, 16, cudaMemcpyDeviceToHost);
  printf("%llu %llu; %d %d; %llu %llu\n", h.value, h.tag, s[0] + g.n, s[1], u.x, u.y);
  cudaFree(f);
  cudaFree(sum);
  cudaFree(o);
}
