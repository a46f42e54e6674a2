// SPDX-License-Identifier: Apache-2.0
// thrust::mr: vectors on resources of memory, of the program's own too, and pools that give memory out again.
#include <cstdio>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/mr/allocator.h>
#include <thrust/mr/device_memory_resource.h>
#include <thrust/mr/disjoint_pool.h>
#include <thrust/mr/new.h>
#include <thrust/mr/pool.h>
#include <thrust/mr/universal_memory_resource.h>
#include <thrust/reduce.h>
#include <thrust/sequence.h>

namespace mr = thrust::mr;

// Counts what passes through it to another resource.
template <class Upstream>
class counting : public mr::memory_resource<typename Upstream::pointer> {
 public:
  using pointer = typename Upstream::pointer;
  counting(Upstream* upstream) : upstream_(upstream) {}
  pointer do_allocate(std::size_t bytes, std::size_t alignment) override {
    ++made;
    return upstream_->do_allocate(bytes, alignment);
  }
  void do_deallocate(pointer p, std::size_t bytes, std::size_t alignment) override {
    ++freed;
    upstream_->do_deallocate(p, bytes, alignment);
  }
  int made = 0, freed = 0;

 private:
  Upstream* upstream_;
};

template <class Vector>
void fill(const char* name, Vector& v) {
  thrust::sequence(v.begin(), v.end());
  std::printf("%s: %d\n", name, static_cast<int>(thrust::reduce(v.begin(), v.end())));
}

int main() {
  using device = thrust::device_memory_resource;
  device upstream;
  counting<device> count(&upstream);
  {
    using own = mr::allocator<int, counting<device>>;
    thrust::device_vector<int, own> v(100, own(&count));
    fill("own", v);
  }
  std::printf("%d %d\n", count.made, count.freed);
  {
    using pool_of = mr::unsynchronized_pool_resource<counting<device>>;
    using pooled = mr::allocator<int, pool_of>;
    pool_of pool(&count);
    for (int i = 0; i < 3; ++i) {
      thrust::device_vector<int, pooled> v(50, pooled(&pool));
      fill("pool", v);
    }
  }
  std::printf("%s\n", count.made == count.freed && count.made < 4 ? "given out again" : "made anew");
  {
    using books = mr::new_delete_resource;
    using pool_of = mr::disjoint_unsynchronized_pool_resource<device, books>;
    books on_host;
    pool_of pool(&upstream, &on_host);
    using pooled = mr::allocator<float, pool_of>;
    thrust::device_vector<float, pooled> v(10, pooled(&pool));
    fill("disjoint", v);
  }
  {
    using both = mr::stateless_resource_allocator<int, thrust::universal_memory_resource>;
    thrust::device_vector<int, both> v(20);
    fill("universal", v);
  }
  mr::new_delete_resource heap;
  thrust::host_vector<int, mr::allocator<int, mr::new_delete_resource>> h(5, 3, &heap);
  std::printf("host: %d\n", h[4]);
}
