// SPDX-License-Identifier: Apache-2.0
// A stream that took part in a capture and was joined may be destroyed while the capture goes on: its work stays.
#include <cstdio>

#define CHECK(call)                                                                      \
  do {                                                                                   \
    const cudaError_t e = (call);                                                        \
    if (e != cudaSuccess) std::printf("line %d: %s\n", __LINE__, cudaGetErrorString(e)); \
  } while (0)

__global__ void add(int* to, const int* from, int more) { *to = *from + more; }

// to[1] and to[2] of to[0] side by side, to[3] of to[2].
void enqueue(cudaStream_t stream, int* to) {
  cudaStream_t side;
  cudaEvent_t begun, done;
  CHECK(cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking));
  CHECK(cudaEventCreate(&begun));
  CHECK(cudaEventCreate(&done));
  add<<<1, 1, 0, stream>>>(to, to, 1);
  CHECK(cudaEventRecord(begun, stream));
  CHECK(cudaStreamWaitEvent(side, begun, 0));
  add<<<1, 1, 0, stream>>>(to + 1, to, 10);
  add<<<1, 1, 0, side>>>(to + 2, to, 100);
  CHECK(cudaEventRecord(done, side));
  CHECK(cudaStreamWaitEvent(stream, done, 0));
  CHECK(cudaStreamDestroy(side));
  CHECK(cudaEventDestroy(begun));
  CHECK(cudaEventDestroy(done));
  add<<<1, 1, 0, stream>>>(to + 3, to + 2, 1000);
}

int main() {
  int *to, host[4];
  CHECK(cudaMalloc(&to, sizeof host));
  CHECK(cudaMemset(to, 0, sizeof host));
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t work;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  enqueue(stream, to);
  CHECK(cudaStreamEndCapture(stream, &graph));
  std::size_t nodes = 0;
  CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
  CHECK(cudaGraphInstantiate(&work, graph, 0));
  for (int i = 0; i < 3; ++i) CHECK(cudaGraphLaunch(work, stream));
  CHECK(cudaMemcpyAsync(host, to, sizeof host, cudaMemcpyDeviceToHost, stream));
  CHECK(cudaStreamSynchronize(stream));
  std::printf("%d nodes: %d %d %d %d\n", static_cast<int>(nodes), host[0], host[1], host[2], host[3]);
  CHECK(cudaGraphExecDestroy(work));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFree(to));
  return 0;
}
