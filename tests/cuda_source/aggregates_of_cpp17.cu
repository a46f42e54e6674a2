// Classes whose constructors are defaulted or deleted are aggregates in C++17, and std::allocator has its members: sources that do not
// ask for C++20 have both. Prints the same on a GPU.
#include <cuda_runtime.h>

#include <cstdio>
#include <memory>
#include <type_traits>

struct point {
  point() = default;
  float x, y;
};
struct settings {
  __host__ __device__ settings() = default;
  settings(const settings&) = default;
  int steps;
  int width = 4;
};
class holder {  // no aggregate in either
 public:
  holder() = default;
  explicit holder(int n) : n_(n) {}
  int n() const { return n_; }

 private:
  int n_ = 2;
};
template <class T>
struct pair_of {
  constexpr pair_of() noexcept = default;
  T first, second;
  struct inner {
    inner() = default;
    T value;
  };
};
struct complete {  // all members or nothing
  complete() = delete;
  complete(const complete&) = default;
  int id;
  float weight;
};
template <class T>
struct pinned {  // stays where it is
  pinned(const pinned&) = delete;
  pinned& operator=(const pinned&) = delete;
  T value;
  int at = 3;
};
class guard {  // no aggregate in either: it may not be copied
 public:
  explicit guard(int* n) : n_(n) { ++*n_; }
  guard(const guard&) = delete;
  ~guard() { --*n_; }

 private:
  int* n_;
};
static_assert(!std::is_copy_constructible<guard>::value, "");

template <class T, class Allocator = std::allocator<T>>
class list_of {
 public:
  typedef typename Allocator::template rebind<T>::other allocator_type;
  typedef typename Allocator::pointer pointer;
  explicit list_of(int n) : n_(n), at_(allocator_.allocate(n)) {
    for (int i = 0; i < n; ++i) allocator_.construct(at_ + i, T(i));
  }
  ~list_of() {
    for (int i = 0; i < n_; ++i) allocator_.destroy(at_ + i);
    allocator_.deallocate(at_, n_);
  }
  T operator[](int i) const { return at_[i]; }

 private:
  allocator_type allocator_;
  int n_;
  pointer at_;
};

__global__ void sum(settings s, int* out) {
  point p{1, 2};
  pair_of<int> q = {3, 4};
  pair_of<int>::inner r{5};
  complete c{6, 0.5f};
  pinned<double> d{1.5};
  *out = s.steps * s.width + static_cast<int>(p.x + p.y) + q.first + q.second + r.value + c.id +
         static_cast<int>(c.weight * 2) + static_cast<int>(d.value * 2) + d.at;
}

int main() {
  settings s{7, 8};
  settings t = s;
  t.width = 10;
  int* out;
  cudaMallocManaged(&out, sizeof(int));
  sum<<<1, 1>>>(t, out);
  cudaDeviceSynchronize();
  const list_of<double> list(6);
  const complete all[] = {{1, 2.0f}, {3, 4.0f}};
  int guards = 0;
  {
    const guard g(&guards);
    guards *= 10;
  }
  std::printf("%d %d %d %.1f %d %d\n", *out, holder().n(), holder(3).n(), list[5], all[1].id, guards);
  cudaFree(out);
  return 0;
}
