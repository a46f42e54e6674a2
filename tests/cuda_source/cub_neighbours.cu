// SPDX-License-Identifier: Apache-2.0
// CUB's collectives of a block: runs decoded, neighbours of partial tiles, guarded scatters, sorts of part of a tile.
#include <cub/block/block_shuffle.cuh>
#include <cub/cub.cuh>

#include <cstdio>

struct Less {
  __device__ bool operator()(int a, int b) const { return a < b; }
};
struct Minus {
  __device__ int operator()(int a, int b) const { return a - b; }
};
struct Differs {
  __device__ bool operator()(int a, int b) const { return a != b; }
};

const int kThreads = 64, kItems = 2, kAll = kThreads * kItems;

__global__ void decode(int *items, int *places, unsigned *total) {
  typedef cub::BlockRunLengthDecode<int, kThreads, kItems, 4> Decode;
  __shared__ typename Decode::TempStorage temp;
  int values[kItems], lengths[kItems];
  for (int i = 0; i < kItems; ++i) {
    values[i] = 100 + threadIdx.x * kItems + i;
    lengths[i] = (threadIdx.x * kItems + i) % 4 + 1;
  }
  unsigned size;
  Decode runs(temp, values, lengths, size);
  for (unsigned from = 0; from < size; from += kThreads * 4) {
    int decoded[4];
    unsigned at[4];
    runs.RunLengthDecode(decoded, at, from);
    for (unsigned i = 0; i < 4; ++i) {
      const unsigned o = from + threadIdx.x * 4 + i;
      if (o < size) {
        items[o] = decoded[i];
        places[o] = at[i];
      }
    }
  }
  if (threadIdx.x == 0) *total = size;
}

__global__ void neighbours(const int *in, int *left, int *right, int *part, int *flags, int *ends, int *leaves) {
  typedef cub::BlockAdjacentDifference<int, kThreads> Difference;
  typedef cub::BlockDiscontinuity<int, kThreads> Discontinuity;
  typedef cub::BlockShuffle<int, kThreads> Shuffle;
  __shared__ union {
    typename Difference::TempStorage difference;
    typename Discontinuity::TempStorage discontinuity;
    typename Shuffle::TempStorage shuffle;
  } temp;
  int items[kItems], out[kItems], heads[kItems], tails[kItems];
  cub::LoadDirectBlocked(threadIdx.x, in, items);
  Difference(temp.difference).SubtractLeft(items, out, Minus(), 1000);
  cub::StoreDirectBlocked(threadIdx.x, left, out);
  __syncthreads();
  Difference(temp.difference).SubtractRight(items, out, Minus(), 2000);
  cub::StoreDirectBlocked(threadIdx.x, right, out);
  __syncthreads();
  Difference(temp.difference).SubtractLeftPartialTile(items, out, Minus(), 5);
  cub::StoreDirectBlocked(threadIdx.x, part, out);
  __syncthreads();
  Difference(temp.difference).SubtractRightPartialTile(items, out, Minus(), 5);
  cub::StoreDirectBlocked(threadIdx.x, part + kAll, out);
  __syncthreads();
  Discontinuity(temp.discontinuity).FlagHeadsAndTails(heads, in[0], tails, in[kAll - 1] + 1, items, Differs());
  cub::StoreDirectWarpStriped(threadIdx.x, flags, heads);
  cub::StoreDirectBlocked(threadIdx.x, ends, tails);
  __syncthreads();
  int suffix, prefix;
  Shuffle(temp.shuffle).Up(items, out, suffix);
  __syncthreads();
  Shuffle(temp.shuffle).Down(items, out, prefix);
  if (threadIdx.x == 0) {
    leaves[0] = suffix;
    leaves[1] = prefix;
    leaves[2] = out[0];
  }
}

__global__ void sorted(const int *in, int *out, int *scattered) {
  typedef cub::BlockMergeSort<int, kThreads, kItems> Sort;
  typedef cub::BlockExchange<int, kThreads, kItems> Exchange;
  __shared__ union {
    typename Sort::TempStorage sort;
    typename Exchange::TempStorage exchange;
  } temp;
  int keys[kItems], ranks[kItems];
  cub::LoadDirectWarpStriped(threadIdx.x, in, keys, 100, -7);
  Sort(temp.sort).Sort(keys, Less(), kAll, 1 << 30);
  cub::StoreDirectBlocked(threadIdx.x, out, keys);
  __syncthreads();
  // Even keys to the front, in their order; the others nowhere.
  for (int i = 0; i < kItems; ++i) {
    const int at = threadIdx.x * kItems + i;
    ranks[i] = at % 2 == 0 ? at / 2 : -1;
  }
  for (int i = 0; i < kItems; ++i) keys[i] = threadIdx.x * kItems + i;
  Exchange(temp.exchange).ScatterToStripedGuarded(keys, ranks);
  if (threadIdx.x < kAll / 2) scattered[threadIdx.x] = keys[0];
}

// Tiles shared out among blocks, and a counter that they take from.
__global__ void shared_out(cub::GridEvenShare<int> share, cub::GridQueue<int> queue, int *first, int *last) {
  if (threadIdx.x != 0) return;
  share.template BlockInit<10, cub::GRID_MAPPING_RAKE>();
  first[blockIdx.x] = share.block_offset;
  last[blockIdx.x] = share.block_end;
  queue.Drain(share.block_end - share.block_offset);
}

static void print(const char *name, const int *d, int n) {
  std::printf("%s:", name);
  for (int i = 0; i < n; ++i) {
    int v;
    cudaMemcpy(&v, d + i, sizeof v, cudaMemcpyDeviceToHost);
    std::printf(" %d", v);
  }
  std::printf("\n");
}

int main() {
  int h[kAll], *in, *a, *b, *c, *d, *e, *f;
  for (int i = 0; i < kAll; ++i) h[i] = i * i % 50 / 3;
  cudaMalloc(&in, sizeof h);
  cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
  for (int **p : {&a, &b, &c, &d, &e, &f}) {
    cudaMalloc(p, 4 * kAll * sizeof(int));
    cudaMemset(*p, 0, 4 * kAll * sizeof(int));
  }
  decode<<<1, kThreads>>>(a, b, (unsigned *)c);
  print("decoded", a, 10);
  print("their places", b, 10);
  print("the last", a + 190, 3);
  print("total", c, 1);
  neighbours<<<1, kThreads>>>(in, a, b, c, d, e, f);
  print("left", a, 6);
  print("right", b + kAll - 4, 4);
  print("a part, left", c, 8);
  print("a part, right", c + kAll, 8);
  print("heads", d, 8);
  print("heads, second", d + 32, 8);
  print("tails", e + kAll - 6, 6);
  print("leaves", f, 3);
  sorted<<<1, kThreads>>>(in, a, b);
  print("sorted", a, 4);
  print("largest", a + kAll - 4, 4);
  print("even ones", b, 5);
  cub::GridEvenShare<int> share;
  share.DispatchInit(95, 4, 10);
  cub::GridQueue<int> queue(c);
  queue.FillAndResetDrain(95);
  shared_out<<<share.grid_size, 32>>>(share, queue, a, b);
  print("from", a, 4);
  print("to", b, 4);
  print("filled, taken", c, 2);
  for (int *p : {in, a, b, c, d, e, f}) cudaFree(p);
  return 0;
}
