// SPDX-License-Identifier: Apache-2.0
// Breadth-first search with frontier queues: atomicCAS claims a vertex, atomicAdd gives it a place in the queue.
#include <cstdio>
#include <queue>
#include <vector>
#define CUDA_TRY(e) do { cudaError_t r = (e); if (r != cudaSuccess) { printf("%s failed: %s\n", #e, cudaGetErrorString(r)); return 1; } } while (0)
struct Graph {
  const int *offsets;
  const int *edges;
  int vertices;
};
__global__ void bfs_level(Graph g, const int *frontier, int frontier_size, int *next, int *next_size, int *level, int depth) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= frontier_size) return;
  int u = frontier[t];
  for (int e = g.offsets[u]; e < g.offsets[u + 1]; ++e) {
    int v = g.edges[e];
    if (atomicCAS(&level[v], -1, depth) == -1) {
      int slot = atomicAdd(next_size, 1);
      next[slot] = v;
    }
  }
}
int main() {
  const int n = 2000;
  std::vector<int> off{0}, adj;
  for (int u = 0; u < n; ++u) {
    for (int k = 1; k <= 4; ++k) adj.push_back((u * 17 + k * k * 101) % n);
    adj.push_back((u + 1) % n);
    off.push_back((int)adj.size());
  }
  std::vector<int> want(n, -1), got(n);
  std::queue<int> q;
  want[0] = 0;
  q.push(0);
  while (!q.empty()) {
    int u = q.front();
    q.pop();
    for (int e = off[u]; e < off[u + 1]; ++e)
      if (want[adj[e]] < 0) want[adj[e]] = want[u] + 1, q.push(adj[e]);
  }
  int *d_off, *d_adj, *d_level, *d_frontier, *d_next, *d_size;
  CUDA_TRY(cudaMalloc(&d_off, off.size() * sizeof(int)));
  CUDA_TRY(cudaMalloc(&d_adj, adj.size() * sizeof(int)));
  CUDA_TRY(cudaMalloc(&d_level, n * sizeof(int)));
  CUDA_TRY(cudaMalloc(&d_frontier, n * sizeof(int)));
  CUDA_TRY(cudaMalloc(&d_next, n * sizeof(int)));
  CUDA_TRY(cudaMalloc(&d_size, sizeof(int)));
  CUDA_TRY(cudaMemcpy(d_off, off.data(), off.size() * sizeof(int), cudaMemcpyHostToDevice));
  CUDA_TRY(cudaMemcpy(d_adj, adj.data(), adj.size() * sizeof(int), cudaMemcpyHostToDevice));
  CUDA_TRY(cudaMemset(d_level, 0xff, n * sizeof(int)));
  CUDA_TRY(cudaMemset(d_level, 0, sizeof(int)));
  CUDA_TRY(cudaMemset(d_frontier, 0, sizeof(int)));
  Graph g = {d_off, d_adj, n};
  int size = 1, depth = 0;
  while (size > 0) {
    CUDA_TRY(cudaMemset(d_size, 0, sizeof(int)));
    bfs_level<<<(size + 127) / 128, 128>>>(g, d_frontier, size, d_next, d_size, d_level, ++depth);
    CUDA_TRY(cudaMemcpy(&size, d_size, sizeof(int), cudaMemcpyDeviceToHost));
    std::swap(d_frontier, d_next);
  }
  CUDA_TRY(cudaMemcpy(got.data(), d_level, n * sizeof(int), cudaMemcpyDeviceToHost));
  printf("levels %s, depth %d\n", got == want ? "agree" : "differ", depth - 1);
  for (int *p : {d_off, d_adj, d_level, d_frontier, d_next, d_size}) CUDA_TRY(cudaFree(p));
  return 0;
}
