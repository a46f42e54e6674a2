// SPDX-License-Identifier: Apache-2.0
// A mutex for blocks in the style of "CUDA by Example", with fences; a hash table with a lock a bucket.
#include <cstdio>
#include <cstdlib>
#include <vector>
struct Lock {
  int *mutex;
  Lock(void) {
    cudaMalloc((void **)&mutex, sizeof(int));
    cudaMemset(mutex, 0, sizeof(int));
  }
  ~Lock(void) {}
  void release() { cudaFree(mutex); }
  __device__ void lock(void) {
    while (atomicCAS(mutex, 0, 1) != 0)
      ;
    __threadfence();
  }
  __device__ void unlock(void) {
    __threadfence();
    atomicExch(mutex, 0);
  }
};
struct Entry {
  unsigned int key;
  void *value;
  Entry *next;
};
struct Table {
  size_t count;
  Entry **entries;
  Entry *pool;
};
__global__ void block_counter(Lock lock, int *total, int *order) {
  __shared__ int block_sum;
  if (threadIdx.x == 0) block_sum = 0;
  __syncthreads();
  atomicAdd(&block_sum, (int)threadIdx.x);
  __syncthreads();
  if (threadIdx.x == 0) {
    lock.lock();
    *total += block_sum;
    order[0] += 1;
    lock.unlock();
  }
}
__device__ __host__ size_t hash(unsigned int key, size_t count) { return key % count; }
__global__ void add_to_table(unsigned int *keys, void **values, Table table, int *locks, int n) {
  int tid = threadIdx.x + blockIdx.x * blockDim.x;
  int stride = blockDim.x * gridDim.x;
  while (tid < n) {
    unsigned int key = keys[tid];
    size_t hashValue = hash(key, table.count);
    for (int i = 0; i < 32; i++) {
      if ((tid % 32) == i) {
        Entry *location = &(table.pool[tid]);
        location->key = key;
        location->value = values[tid];
        while (atomicCAS(&locks[hashValue], 0, 1) != 0) {}
        __threadfence();
        location->next = table.entries[hashValue];
        table.entries[hashValue] = location;
        __threadfence();
        atomicExch(&locks[hashValue], 0);
      }
    }
    tid += stride;
  }
}
int main() {
  int *d_total, h_total;
  cudaMalloc(&d_total, 2 * sizeof(int));
  cudaMemset(d_total, 0, 2 * sizeof(int));
  Lock lock;
  block_counter<<<12, 64>>>(lock, d_total, d_total + 1);
  cudaMemcpy(&h_total, d_total, sizeof(int), cudaMemcpyDeviceToHost);
  printf("total %d\n", h_total);
  lock.release();
  cudaFree(d_total);

  const int n = 512, buckets = 40;
  std::vector<unsigned> keys(n);
  std::vector<void *> values(n, nullptr);
  for (int i = 0; i < n; i++) keys[i] = (i * 2654435761u) >> 4;
  unsigned *d_keys;
  void **d_values;
  int *d_locks;
  Table t;
  t.count = buckets;
  cudaMalloc((void **)&d_keys, n * sizeof(unsigned));
  cudaMalloc((void **)&d_values, n * sizeof(void *));
  cudaMalloc((void **)&d_locks, buckets * sizeof(int));
  cudaMalloc((void **)&t.entries, buckets * sizeof(Entry *));
  cudaMalloc((void **)&t.pool, n * sizeof(Entry));
  cudaMemset(t.entries, 0, buckets * sizeof(Entry *));
  cudaMemset(d_locks, 0, buckets * sizeof(int));
  cudaMemcpy(d_keys, keys.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice);
  cudaMemcpy(d_values, values.data(), n * sizeof(void *), cudaMemcpyHostToDevice);
  add_to_table<<<4, 64>>>(d_keys, d_values, t, d_locks, n);
  std::vector<Entry *> heads(buckets);
  std::vector<Entry> pool(n);
  cudaMemcpy(heads.data(), t.entries, buckets * sizeof(Entry *), cudaMemcpyDeviceToHost);
  cudaMemcpy(pool.data(), t.pool, n * sizeof(Entry), cudaMemcpyDeviceToHost);
  int count = 0, wrong = 0;
  for (int b = 0; b < buckets; b++)
    for (Entry *e = heads[b]; e != NULL;) {
      Entry &h = pool[e - t.pool];
      if (hash(h.key, buckets) != (size_t)b) wrong++;
      count++;
      e = h.next;
    }
  printf("entries %d, in the wrong bucket %d\n", count, wrong);
  cudaFree(d_keys); cudaFree(d_values); cudaFree(d_locks); cudaFree(t.entries); cudaFree(t.pool);
}
