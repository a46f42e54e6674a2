// SPDX-License-Identifier: Apache-2.0
// thrust::mr: resources of memory, allocators on them, pools. A pool keeps what it was given back, by sizes that are
// powers of two, until it is released; options of pools are kept and change nothing.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <vector>

#include "vectors.hpp"

namespace thrust::mr {

inline constexpr std::size_t kAlignment = alignof(std::max_align_t);

template <class Pointer = void*>
class memory_resource {
 public:
  using pointer = Pointer;
  virtual ~memory_resource() = default;
  [[nodiscard]] pointer allocate(std::size_t bytes, std::size_t alignment = kAlignment) {
    return do_allocate(bytes, alignment);
  }
  void deallocate(pointer p, std::size_t bytes, std::size_t alignment = kAlignment) noexcept {
    do_deallocate(p, bytes, alignment);
  }
  bool is_equal(const memory_resource& other) const noexcept { return do_is_equal(other); }
  virtual pointer do_allocate(std::size_t bytes, std::size_t alignment) = 0;
  virtual void do_deallocate(pointer p, std::size_t bytes, std::size_t alignment) = 0;
  virtual bool do_is_equal(const memory_resource& other) const noexcept { return this == &other; }
};
template <class Pointer>
bool operator==(const memory_resource<Pointer>& a, const memory_resource<Pointer>& b) noexcept {
  return &a == &b || a.is_equal(b);
}

// One object of a resource without state.
template <class Resource>
Resource* get_global_resource() {
  static Resource resource;
  return &resource;
}

namespace detail {
// A resource's pointer as one to T, and back.
template <class T, class Pointer>
struct pointers {
  using type = T*;
  static T* to(Pointer p) { return static_cast<T*>(p); }
  static Pointer from(T* p) { return p; }
};
template <class T>
struct pointers<T, device_ptr<void>> {
  using type = device_ptr<T>;
  static type to(device_ptr<void> p) { return type(static_cast<T*>(p.get())); }
  static device_ptr<void> from(type p) { return device_ptr<void>(p.get()); }
};
}  // namespace detail

template <class T, class Resource>
class allocator {
  using pointers = detail::pointers<T, typename Resource::pointer>;

 public:
  using value_type = T;
  using pointer = typename pointers::type;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using propagate_on_container_copy_assignment = std::true_type;
  using propagate_on_container_move_assignment = std::true_type;
  using propagate_on_container_swap = std::true_type;
  template <class U>
  struct rebind {
    using other = allocator<U, Resource>;
  };
  allocator(Resource* resource) : resource_(resource) {}
  template <class U>
  allocator(const allocator<U, Resource>& other) : resource_(other.resource()) {}
  [[nodiscard]] pointer allocate(size_type n) {
    return pointers::to(resource_->do_allocate(n * sizeof(T), alignof(T)));
  }
  void deallocate(pointer p, size_type n) noexcept {
    resource_->do_deallocate(pointers::from(p), n * sizeof(T), alignof(T));
  }
  size_type max_size() const { return static_cast<size_type>(-1) / sizeof(T); }
  Resource* resource() const { return resource_; }
  friend bool operator==(const allocator& a, const allocator& b) noexcept { return *a.resource_ == *b.resource_; }

 private:
  Resource* resource_;
};
template <class T, class Pointer = void*>
using polymorphic_allocator = allocator<T, memory_resource<Pointer>>;
template <class T, class Resource>
class stateless_resource_allocator : public allocator<T, Resource> {
 public:
  template <class U>
  struct rebind {
    using other = stateless_resource_allocator<U, Resource>;
  };
  stateless_resource_allocator() : allocator<T, Resource>(get_global_resource<Resource>()) {}
  template <class U>
  stateless_resource_allocator(const stateless_resource_allocator<U, Resource>&) : stateless_resource_allocator() {}
};

class new_delete_resource final : public memory_resource<> {
 public:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    return ::operator new(bytes, std::align_val_t(alignment < kAlignment ? kAlignment : alignment));
  }
  void do_deallocate(void* p, std::size_t bytes, std::size_t alignment) override {
    ::operator delete(p, bytes, std::align_val_t(alignment < kAlignment ? kAlignment : alignment));
  }
  bool do_is_equal(const memory_resource&) const noexcept override { return true; }
};

// Resources of one pointer type behind another's interface.
template <class Pointer>
class polymorphic_adaptor_resource final : public memory_resource<Pointer> {
 public:
  polymorphic_adaptor_resource(memory_resource<Pointer>* upstream) : upstream_(upstream) {}
  Pointer do_allocate(std::size_t bytes, std::size_t alignment) override {
    return upstream_->do_allocate(bytes, alignment);
  }
  void do_deallocate(Pointer p, std::size_t bytes, std::size_t alignment) override {
    upstream_->do_deallocate(p, bytes, alignment);
  }

 private:
  memory_resource<Pointer>* upstream_;
};
template <class Upstream, class Pointer>
class fancy_pointer_resource final : public memory_resource<Pointer> {
 public:
  fancy_pointer_resource() : upstream_(get_global_resource<Upstream>()) {}
  fancy_pointer_resource(Upstream* upstream) : upstream_(upstream) {}
  Pointer do_allocate(std::size_t bytes, std::size_t alignment) override {
    return Pointer(upstream_->do_allocate(bytes, alignment));
  }
  void do_deallocate(Pointer p, std::size_t bytes, std::size_t alignment) override {
    upstream_->do_deallocate(p.get(), bytes, alignment);
  }

 private:
  Upstream* upstream_;
};

struct pool_options {
  std::size_t min_blocks_per_chunk = 16, min_bytes_per_chunk = 1024;
  std::size_t max_blocks_per_chunk = std::size_t{1} << 20, max_bytes_per_chunk = std::size_t{1} << 30;
  std::size_t smallest_block_size = kAlignment, largest_block_size = std::size_t{1} << 20;
  std::size_t alignment = kAlignment;
  bool cache_oversized = true;
  std::size_t cached_size_cutoff_factor = 16, cached_alignment_cutoff_factor = 16;
  bool validate() const { return smallest_block_size <= largest_block_size; }
};

template <class Upstream>
class unsynchronized_pool_resource : public memory_resource<typename Upstream::pointer> {
 public:
  using pointer = typename Upstream::pointer;
  static pool_options get_default_options() { return {}; }
  unsynchronized_pool_resource(Upstream* upstream, pool_options = {}) : upstream_(upstream) {}
  unsynchronized_pool_resource(pool_options = {}) : upstream_(get_global_resource<Upstream>()) {}
  unsynchronized_pool_resource(const unsynchronized_pool_resource&) = delete;
  unsynchronized_pool_resource& operator=(const unsynchronized_pool_resource&) = delete;
  ~unsynchronized_pool_resource() override { release(); }
  // Gives back all that was ever taken, what is in use, too.
  void release() {
    for (const auto& [p, bytes] : all_) upstream_->do_deallocate(p, bytes, kAlignment);
    all_.clear();
    free_.clear();
  }
  pointer do_allocate(std::size_t bytes, std::size_t) override {
    const std::size_t size = rounded(bytes);
    std::vector<pointer>& mine = free_[size];
    if (mine.empty()) {
      all_.emplace_back(upstream_->do_allocate(size, kAlignment), size);
      return all_.back().first;
    }
    const pointer p = mine.back();
    mine.pop_back();
    return p;
  }
  void do_deallocate(pointer p, std::size_t bytes, std::size_t) override { free_[rounded(bytes)].push_back(p); }

 private:
  static std::size_t rounded(std::size_t bytes) {
    std::size_t size = kAlignment;
    while (size < bytes) size *= 2;
    return size;
  }
  Upstream* upstream_;
  std::vector<std::pair<pointer, std::size_t>> all_;
  std::map<std::size_t, std::vector<pointer>> free_;
};

template <class Upstream>
class synchronized_pool_resource : public memory_resource<typename Upstream::pointer> {
 public:
  using pointer = typename Upstream::pointer;
  static pool_options get_default_options() { return {}; }
  synchronized_pool_resource(Upstream* upstream, pool_options options = {}) : pool_(upstream, options) {}
  synchronized_pool_resource(pool_options options = {}) : pool_(options) {}
  void release() {
    const std::lock_guard lock(mutex_);
    pool_.release();
  }
  pointer do_allocate(std::size_t bytes, std::size_t alignment) override {
    const std::lock_guard lock(mutex_);
    return pool_.do_allocate(bytes, alignment);
  }
  void do_deallocate(pointer p, std::size_t bytes, std::size_t alignment) override {
    const std::lock_guard lock(mutex_);
    pool_.do_deallocate(p, bytes, alignment);
  }

 private:
  std::mutex mutex_;
  unsynchronized_pool_resource<Upstream> pool_;
};

// The books of a pool are kept on the host in any case, so the resource for them is not asked.
template <class Upstream, class Bookkeeper>
class disjoint_unsynchronized_pool_resource : public unsynchronized_pool_resource<Upstream> {
 public:
  using unsynchronized_pool_resource<Upstream>::unsynchronized_pool_resource;
  disjoint_unsynchronized_pool_resource(Upstream* upstream, Bookkeeper*, pool_options options = {})
      : unsynchronized_pool_resource<Upstream>(upstream, options) {}
};
template <class Upstream, class Bookkeeper>
class disjoint_synchronized_pool_resource : public synchronized_pool_resource<Upstream> {
 public:
  using synchronized_pool_resource<Upstream>::synchronized_pool_resource;
  disjoint_synchronized_pool_resource(Upstream* upstream, Bookkeeper*, pool_options options = {})
      : synchronized_pool_resource<Upstream>(upstream, options) {}
};
template <class Upstream, class Bookkeeper>
disjoint_unsynchronized_pool_resource<Upstream, Bookkeeper>& tls_disjoint_pool(
    Upstream* upstream = get_global_resource<Upstream>(), Bookkeeper* books = get_global_resource<Bookkeeper>()) {
  static thread_local disjoint_unsynchronized_pool_resource<Upstream, Bookkeeper> pool(upstream, books);
  return pool;
}
template <class Upstream>
unsynchronized_pool_resource<Upstream>& tls_pool(Upstream* upstream = get_global_resource<Upstream>()) {
  static thread_local unsynchronized_pool_resource<Upstream> pool(upstream);
  return pool;
}

namespace detail {
// A resource on an allocator of bytes.
template <template <class> class Allocator, class Pointer>
class allocating_resource final : public memory_resource<Pointer> {
 public:
  Pointer do_allocate(std::size_t bytes, std::size_t) override { return Pointer(Allocator<char>().allocate(bytes)); }
  void do_deallocate(Pointer p, std::size_t bytes, std::size_t) override {
    Allocator<char>().deallocate(pointers<char, Pointer>::to(p), bytes);
  }
  bool do_is_equal(const memory_resource<Pointer>&) const noexcept override { return true; }
};
}  // namespace detail

}  // namespace thrust::mr

namespace thrust {
using device_memory_resource = mr::detail::allocating_resource<device_allocator, device_ptr<void>>;
template <class T>
using device_ptr_memory_resource = T;
using universal_memory_resource = mr::detail::allocating_resource<managed_allocator, void*>;
using universal_host_pinned_memory_resource = mr::detail::allocating_resource<pinned_allocator, void*>;
using host_memory_resource = mr::new_delete_resource;
namespace system::cuda {
using memory_resource = thrust::device_memory_resource;
using thrust::universal_host_pinned_memory_resource;
using thrust::universal_memory_resource;
}  // namespace system::cuda
namespace cuda {
using memory_resource = thrust::device_memory_resource;
using thrust::universal_host_pinned_memory_resource;
using thrust::universal_memory_resource;
}  // namespace cuda
}  // namespace thrust
