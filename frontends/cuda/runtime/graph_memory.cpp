// SPDX-License-Identifier: Apache-2.0
// Memory that nodes of graphs allocate and free. An address is the node's from the moment the node is made, as with
// CUDA; the memory behind it stays allocated until the last node that names it is gone.
#include <mutex>

#include <frontends/cuda/headers/simt_cuda/runtime_api.hpp>
#include <backends/sim/frontend.hpp>

#include "graph_parts.hpp"
#include "state.hpp"
#include "stream_numbers.hpp"

namespace simt_cuda {

namespace {
struct memory_state {
  std::recursive_mutex mutex;
  std::map<void*, std::weak_ptr<graph_memory>> all;
  std::size_t most_backed = 0;
};
memory_state& memories() {
  static auto* s = new memory_state;
  return *s;
}
std::size_t backed_bytes() {
  std::lock_guard lock(memories().mutex);
  std::size_t sum = 0;
  for (const auto& [at, weak] : memories().all)
    if (const auto m = weak.lock(); m != nullptr && m->backed) sum += m->bytes();
  memories().most_backed = std::max(memories().most_backed, sum);
  return sum;
}
}  // namespace

graph_memory::graph_memory(void* p, std::size_t bytes) : at_(p), bytes_(bytes) {}
graph_memory::~graph_memory() {
  std::lock_guard lock(memories().mutex);
  memories().all.erase(at_);
  if (!in_use) simt::frontend::free(at_, 0);
}

std::shared_ptr<graph_memory> make_graph_memory(void* p, std::size_t bytes) {
  auto m = std::make_shared<graph_memory>(p, bytes);
  std::lock_guard lock(memories().mutex);
  memories().all[p] = m;
  return m;
}
std::shared_ptr<graph_memory> find_graph_memory(void* p) {
  std::lock_guard lock(memories().mutex);
  const auto it = memories().all.find(p);
  return it == memories().all.end() ? nullptr : it->second.lock();
}
bool release_graph_memory(void* p) {
  const std::shared_ptr<graph_memory> m = find_graph_memory(p);
  if (m == nullptr || !m->in_use) return false;
  m->in_use = false;
  return true;
}
void forget_idle_graph_memory() {
  std::lock_guard lock(memories().mutex);
  for (const auto& [at, weak] : memories().all)
    if (const auto m = weak.lock(); m != nullptr && !m->in_use) {
      simt::frontend::free(at, 0);
      m->in_use = true;  // nobody frees it again
    }
}

// cudaMallocAsync: what was just allocated counts as made by work of the stream; of a stream that is captured, it is an
// allocation node's from now on.
cudaError_t make_on_stream(void* p, std::size_t bytes, cudaStream_t s) {
  const simt::backend::calling_from user(__builtin_return_address(0));
  return guarded([&] {
    const simt::backend::stream_handle on = stream_number(s);
    if (!simt::backend::capturing(on)) return simt::backend::made_on_stream(p, bytes, on);
    const std::shared_ptr<graph_memory> m = make_graph_memory(p, bytes);
    simt::backend::capture_work(
        on, simt::backend::captured_kind::allocation, simt::backend::calling_from::address(__builtin_return_address(0)),
        [m](simt::backend::stream_handle h) {
          m->in_use = m->backed = true;
          simt::backend::made_on_stream(m->at(), m->bytes(), h);
        },
        m);
  });
}

}  // namespace simt_cuda

using namespace simt_cuda;

cudaError_t cudaFreeAsync(void* p, cudaStream_t s) {
  const simt::backend::calling_from user(__builtin_return_address(0));
  return guarded([&] {
    const simt::backend::stream_handle on = stream_number(s);
    const std::shared_ptr<graph_memory> m = find_graph_memory(p);
    if (simt::backend::capturing(on)) {
      if (m == nullptr)
        throw simt::error(simt::error_kind::invalid_argument,
                          "cudaFreeAsync: while a stream is captured, only memory that graphs allocate can be freed");
      simt::backend::capture_work(
          on, simt::backend::captured_kind::release, simt::backend::calling_from::address(__builtin_return_address(0)),
          [m](simt::backend::stream_handle) { release_graph_memory(m->at()); }, m);
    } else if (m == nullptr) {
      simt::backend::free_async(p, on);
    } else if (!release_graph_memory(p)) {
      throw simt::error(simt::error_kind::invalid_argument, "cudaFreeAsync: this memory of a graph is not in use");
    }
  });
}

cudaError_t cudaDeviceGetGraphMemAttribute(int, cudaGraphMemAttributeType what, void* value) {
  if (value == nullptr) return fail(cudaErrorInvalidValue);
  const std::size_t now = backed_bytes();
  const bool high = what == cudaGraphMemAttrUsedMemHigh || what == cudaGraphMemAttrReservedMemHigh;
  *static_cast<unsigned long long*>(value) = high ? memories().most_backed : now;
  return cudaSuccess;
}
cudaError_t cudaDeviceSetGraphMemAttribute(int, cudaGraphMemAttributeType, void*) {
  memories().most_backed = 0;  // the high marks can be set to zero only
  return cudaSuccess;
}
cudaError_t cudaDeviceGraphMemTrim(int) {
  std::lock_guard lock(memories().mutex);
  for (const auto& [at, weak] : memories().all)
    if (const auto m = weak.lock(); m != nullptr && !m->in_use) m->backed = false;
  return cudaSuccess;
}
