// SPDX-License-Identifier: Apache-2.0
// Names that programs take from NVIDIA's C++ libraries: errors of Thrust, iterators with a system, engines that jump,
// functors that change, CUDA's own malloc of Thrust; atomic pointers and flags; code for a target without brackets.
#include <thrust/detail/config.h>
#include <thrust/detail/raw_reference_cast.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/for_each.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/optional.h>
#include <thrust/random.h>
#include <thrust/system/cuda/error.h>
#include <thrust/system/cuda/memory.h>
#include <thrust/system_error.h>
#include <thrust/transform_reduce.h>
#include <thrust/zip_function.h>

#include <cuda/std/atomic>
#include <nv/target>

#include <cstdio>
#include <string>

static bool good = true;
static void expect(bool right, const char* what) {
  if (!right) std::printf("%s is wrong\n", what);
  good = good && right;
}

static void throw_on_error(cudaError_t e, const char* file, int line) {
  if (e != cudaSuccess) throw thrust::system_error(e, thrust::cuda_category(), std::string(file) + ":" + std::to_string(line));
}

struct scaled_sum {  // its operator is not const
  template <class A, class B, class C>
  __host__ __device__ void operator()(const A& a, const B& b, C& c) {
    c = 2 * a + b;
  }
};
struct copy_element {
  const int* from;
  thrust::device_ptr<int> to;
  __host__ __device__ void operator()(int i) { thrust::raw_reference_cast(to[i]) = from[i]; }
};
// The sum of a thread's own part of one sequence.
struct part_of_sequence {
  int length;
  __host__ __device__ unsigned long long operator()(unsigned part) const {
    thrust::default_random_engine engine;
    engine.discard((unsigned long long)length * part);
    unsigned long long sum = 0;
    for (int i = 0; i < length; ++i) sum += engine();
    return sum;
  }
};

struct node {
  int value;
  cuda::atomic<node*, cuda::thread_scope_device> next = LIBCUDACXX_ATOMIC_VAR_INIT(nullptr);
  cuda::std::atomic_flag taken = LIBCUDACXX_ATOMIC_FLAG_INIT;
};
// Each thread takes a node of the pool, and puts it in front of the list.
__global__ void push(node* pool, cuda::std::atomic<node*>* free, node* head) {
  node* const mine = free->fetch_add(1, cuda::std::memory_order_relaxed);
  new (mine) node{(int)(mine - pool), {nullptr}, {}};
  node* seen = head->next.load(cuda::std::memory_order_relaxed);
  do {
    mine->next.store(seen, cuda::std::memory_order_relaxed);
  } while (!head->next.compare_exchange_weak(seen, mine, cuda::std::memory_order_release));
}
__global__ void walk(node* head, int* result) {
  int sum = 0, count = 0;
  for (node* n = head->next.load(); n != nullptr; n = n->next.load()) {
    sum += n->value;
    count += !n->taken.test_and_set() && n->taken.test();
  }
  result[0] = sum;
  result[1] = count;
}

__host__ __device__ int where() {
  NV_IF_ELSE_TARGET(NV_IS_DEVICE, int at = 1; return at;, int at = 2; return at;)
}
__global__ void ask(int* to) { *to = where(); }

int main() {
  try {
    throw_on_error(cudaErrorInvalidValue, "file", 7);
    expect(false, "an error that is thrown");
  } catch (thrust::system_error& e) {
    expect(e.code().value() == cudaErrorInvalidValue && std::string(e.what()).find("file:7") == 0, "system_error");
    expect(e.code() == thrust::error_code(cudaErrorInvalidValue, thrust::system::cuda_category()), "error_code");
  }
  {
    thrust::device_vector<int> a(5, 3), b(5, 4), c(5);
    thrust::for_each(thrust::make_zip_iterator(thrust::make_tuple(a.begin(), b.begin(), c.begin())),
                     thrust::make_zip_iterator(thrust::make_tuple(a.end(), b.end(), c.end())),
                     thrust::make_zip_function(scaled_sum()));
    expect(c[4] == 10, "zip_function");
    // On the device, for the iterators say so: there is no policy.
    thrust::for_each(thrust::counting_iterator<int, thrust::device_system_tag>(0),
                     thrust::counting_iterator<int, thrust::device_system_tag>(5),
                     copy_element{thrust::raw_pointer_cast(c.data()), a.data()});
    expect(a[2] == 10, "for_each over numbers");
    thrust::cuda::pointer<int> p = thrust::cuda::malloc<int>(5);
    thrust::copy(c.begin(), c.end(), p);
    expect(p[3] == 10, "thrust::cuda::malloc");
    thrust::cuda::free(p);
    thrust::optional<int> none;
    expect(!none && none.value_or(3) == 3, "optional");
  }
  {
    const auto sum = [](int parts, int length) {
      return thrust::transform_reduce(thrust::device, thrust::counting_iterator<unsigned>(0), thrust::counting_iterator<unsigned>(parts), part_of_sequence{length}, 0ull, thrust::plus<unsigned long long>());
    };
    expect(sum(100, 70) == sum(1, 7000), "parts of a sequence");
    thrust::minstd_rand0 far;
    far.discard(1ull << 60);
    for (int i = 0; i < 3; ++i) far.discard((1ull << 60) - 1), far.discard(1);
    thrust::minstd_rand0 same;
    same.discard(1ull << 62);
    expect(far == same, "discard of many");
  }
  {
    const int n = 200;
    node* pool;
    cuda::std::atomic<node*>* free;
    int *result, host[2];
    cudaMalloc(&pool, (n + 1) * sizeof(node));
    cudaMalloc(&free, sizeof *free);
    cudaMalloc(&result, sizeof host);
    cudaMemset(pool, 0, (n + 1) * sizeof(node));
    node* const first = pool + 1;
    cudaMemcpy(free, &first, sizeof first, cudaMemcpyHostToDevice);
    push<<<n / 50, 50>>>(pool, free, pool);
    walk<<<1, 1>>>(pool, result);
    cudaMemcpy(host, result, sizeof host, cudaMemcpyDeviceToHost);
    expect(host[0] == n * (n + 1) / 2 && host[1] == n, "a list of atomic pointers");
    ask<<<1, 1>>>(result);
    cudaMemcpy(host, result, sizeof(int), cudaMemcpyDeviceToHost);
    expect(host[0] == 1 && where() == 2, "NV_IF_ELSE_TARGET");
    cudaFree(pool);
    cudaFree(free);
    cudaFree(result);
  }
  std::printf(good ? "names: PASSED\n" : "names: FAILED\n");
  return good ? 0 : 1;
}
