// SPDX-License-Identifier: Apache-2.0
// What graphs of CUDA programs are made of. A graph is a list of nodes with edges, whether it was captured or made node
// by node. An executable graph is a copy with a plan: which node runs on which stream, and which events it waits for.
// Each launch runs the nodes on real streams of the backend, so checks judge by the graph's edges alone.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <vector>

#include <frontends/cuda/headers/simt_cuda/runtime_types.hpp>
#include <simt/backend.hpp>

namespace simt_cuda {

// Memory of an allocation node. It is there while a node that names it is; what differs is whether the program may use
// it. Memory in use outlives its nodes, as with CUDA.
class graph_memory {
 public:
  graph_memory(void* p, std::size_t bytes);
  ~graph_memory();
  graph_memory(const graph_memory&) = delete;
  graph_memory& operator=(const graph_memory&) = delete;
  void* at() const { return at_; }
  std::size_t bytes() const { return bytes_; }
  bool in_use = false, backed = false;  // backed: physical memory, for the footprint that programs ask for

 private:
  void* at_;
  std::size_t bytes_;
};
// Memory of graphs at that address goes out of use; false: none that is in use starts there.
bool release_graph_memory(void* p);
// The memory of a graph that starts there, as an owner shares it; null: none.
std::shared_ptr<graph_memory> find_graph_memory(void* p);
std::shared_ptr<graph_memory> make_graph_memory(void* p, std::size_t bytes);
void forget_idle_graph_memory();  // at the end of the run

struct condition {
  unsigned int value = 0, at_launch = 0;
  bool assigned = false;  // to at_launch, at each launch
};
condition* find_condition(cudaGraphConditionalHandle handle);

}  // namespace simt_cuda

struct CUgraphNode_st {
  cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
  std::vector<CUgraphNode_st*> after;
  std::function<cudaError_t(cudaStream_t)> work;  // none: nothing, or what the bodies do
  std::uintptr_t pc = 0;                          // whose line it is; 0: the launch's
  std::shared_ptr<const cudaKernelNodeParams> kernel;
  std::shared_ptr<std::vector<void*>> arguments;    // what kernel->kernelParams points to
  std::vector<std::shared_ptr<CUgraph_st>> bodies;  // of a child graph one, of a condition one for each case
  std::vector<cudaGraph_t> handles;                 // of the bodies
  cudaGraphNodeParams given{};                      // of copies, fills, calls and events, for those who ask
  cudaConditionalNodeParams when{};
  cudaMemAllocNodeParams allocation{};
  std::shared_ptr<simt_cuda::graph_memory> memory;  // that it allocates or frees
  bool enabled = true;
  cudaGraph_t owner = nullptr;
};

namespace simt_cuda {
using node = CUgraphNode_st;

// How the nodes of an executable graph run. Lane 0 is the stream of the launch.
struct plan {
  struct step {
    node* what = nullptr;
    std::size_t lane = 0;
    bool begins = false;             // its lane, and nothing is before it
    std::vector<std::size_t> waits;  // for the events of earlier steps
    std::size_t event = 0;           // recorded behind it; 0: none
  };
  std::vector<step> steps;
  std::vector<std::size_t> last_events;  // of the lanes other than 0
  std::vector<simt::backend::stream_handle> streams;
  std::vector<simt::backend::event_handle> events;  // [0]: the launch begins
  plan() = default;
  plan(const plan&) = delete;
  plan& operator=(const plan&) = delete;
  ~plan();
};
}  // namespace simt_cuda

// An object of the host; the last share destroys it.
struct CUuserObject_st {
  void* what = nullptr;
  void (*destroy)(void*) = nullptr;
  ~CUuserObject_st() {
    if (destroy != nullptr) destroy(what);
  }
};
struct CUgraph_st {
  std::vector<std::shared_ptr<simt_cuda::node>> nodes;
  std::vector<cudaGraphConditionalHandle> conditions;
  std::vector<std::shared_ptr<CUuserObject_st>> kept;        // a share for each reference
  std::map<const simt_cuda::node*, simt_cuda::node*> twins;  // of a clone: the original's nodes to its own
  std::unique_ptr<simt_cuda::plan> how;                      // of an executable graph
};
struct CUgraphExec_st {
  std::shared_ptr<CUgraph_st> own;
  unsigned long long flags = 0;
  simt::backend::event_handle done = 0;
  bool launched = false;
};

namespace simt_cuda {
// The same nodes with the same edges, apart from the original.
std::shared_ptr<CUgraph_st> copy_of(const CUgraph_st& g);
// Work, parameters and bodies of `from`, behind the edges of `to`.
void replace_node(node& to, const node& from);
// False where the edges make a circle.
bool make_plan(CUgraph_st& g);
cudaError_t run_graph(CUgraph_st& g, simt::backend::stream_handle s);
// Nodes by the parameters of any kind. Those of conditions and allocations answer in `p`.
cudaError_t make_node(node& n, cudaGraphNodeParams& p);
// The executable graph's own node for one of the graph that it was made of; null: none.
node* in_exec(cudaGraphExec_t exec, cudaGraphNode_t n);
cudaError_t add_node(cudaGraphNode_t* to, cudaGraph_t g, const cudaGraphNode_t* after, std::size_t count, node made);
}  // namespace simt_cuda
