// SPDX-License-Identifier: Apache-2.0
// Variables for the device in forms that are seldom written: within functions and for lambdas, behind their types, in
// parentheses, as references and templates, several at once. Each group of numbers is one kernel's.
#include <cstdint>
#include <cstdio>

constexpr int kTwo = 2, kThree = 3;
enum { kFour = 4 };
struct pair_of {
  int a, b;
  constexpr __host__ __device__ pair_of(int x = 1, int y = 2) : a(x), b(y) {}
};
namespace inner {
struct plain {
  int a;
};
template <class T>
struct box {
  T a;
};
template <class T, int N>
struct fixed {
  T of[N];
};
__shared__ float between[2];
__device__ float first_between() { return between[0]; }
__device__ int of_namespace = 7;
}  // namespace inner

// Behind the type, and pointers.
inner::plain __device__ behind_a_path = {3};
inner::box<int> __constant__ behind_arguments[2] = {{1}, {2}};
inner::box<inner::box<int>> __device__ behind_two = {{4}};
inner::plain *__device__ pointer_behind;
int *const __constant__ fixed_pointer = nullptr;
struct declared_here {
  int a;
} static __device__ of_its_type = {5};
__device__ struct based : inner::plain {
  int b;
} of_based;
__device__ enum digits { one = 1, two } of_enumeration = two;

// Values in parentheses that begin with names, and names in parentheses.
__device__ pair_of sums(kTwo, kThree), product(kTwo *kThree, 1);
__device__ int from_a_name(kTwo), from_enumeration(kFour);
__constant__ float from_product(kTwo * 1.5f);
__device__ int(bracketed) = 3;
__device__ int(rows)[3] = {1, 2, 3};
__device__ int *(*pointers_in)(int) = nullptr;
__device__ int (*(*returns_pointer)(int))(float) = nullptr;
__device__ int inner::plain::*member = &inner::plain::a;
__device__ int (*with_parameters(int))(int);

// References, templates, attributes.
__device__ int referred = 8;
__device__ int &reference = referred;
template <class T>
__device__ T half_of = T(5) / T(2);
template <class T, int N>
__constant__ T repeated[N] = {T(1), T(2)};
template <>
__device__ double half_of<double> = 9;
[[maybe_unused]] __device__ int with_attribute = 1;
__device__ int attribute_behind [[maybe_unused]] = 2;
__device__ decltype(1.5f) as_expression[kThree < kFour ? 2 : 1] = {1, 2};
__device__ inner::fixed<int, (kThree > kTwo ? 4 : 5)> counted = {1, 2, 3, 4}, counted_too = {5};
__device__ float (*rows_of)[kFour] = nullptr, *list[2], single = 2;
__device__ int twin(int x) { return x + 1; }
typedef int (*function)(int);
__constant__ const int kSides = 3, kEdges(12);
__device__ const float kShare = 0.25f;
__device__ int sized[kSides + 1] = {1, 2, 3, 4};
__device__ function table[2] = {twin, nullptr};

__global__ void at_file_scope(float *o) {
  int i = 0;
  of_based.b = 4;
  list[1] = &single;
  ++reference;
  inner::plain p{6};
  pointer_behind = &behind_a_path;
  o[i++] = behind_a_path.a + behind_arguments[1].a + behind_two.a.a + pointer_behind->a + (fixed_pointer == nullptr);
  o[i++] = of_its_type.a + of_based.b + of_enumeration;
  o[i++] = sums.a * 10 + sums.b + product.a + from_a_name + from_enumeration + from_product;
  o[i++] = bracketed + rows[2] + (pointers_in == nullptr) + (returns_pointer == nullptr) + p.*member;
  o[i++] = referred + half_of<float> + half_of<double> + repeated<int, 3>[1];
  o[i++] = with_attribute + attribute_behind + as_expression[1] + counted.of[3] + counted_too.of[0];
  o[i++] = (rows_of == nullptr) + *list[1] + sizeof(as_expression) + table[0](4) + inner::of_namespace;
  int edges[kEdges];
  edges[kSides] = sized[kSides];
  o[i++] = edges[3] + kShare + sizeof(edges);
}

// Within functions: one for all threads, and it lives on.
__device__ int counted_calls() {
  static int calls = 2;
  return atomicAdd(&calls, 1);
}
template <class T>
__device__ T of_template() {
  static __device__ T value = 3;
  return atomicAdd(&value, T(1));
}
struct with_member {
  __device__ int next() const {
    __device__ static int value[kTwo] = {1, 2};
    return ++value[1];
  }
};
__host__ __device__ int of_each_side() {
  static int value = 5;
  return ++value;
}
__global__ void within_functions(float *o) {
  static __device__ int counter = 1, several[2] = {3, 4}, *nothing = nullptr;
  static __constant__ float constants[3] = {1, 2, 3};
  static const int weights[3] = {5, 6, 7};
  static __device__ struct {
    int a, b;
  } unnamed = {1, 2};
  auto plain = [] {
    static __device__ int in_lambda = 4;
    return ++in_lambda + counter;
  };
  struct local {
    static __device__ int twice() { return 2 * several[1]; }
  };
  ++counter;
  auto copied = [=] { return counter + several[0]; };
  counter += 10;
  unnamed.a++;
  o[0] = counter + several[1] + (nothing == nullptr);
  o[1] = constants[threadIdx.x + 2] + weights[threadIdx.x + 1] + unnamed.a;
  o[2] = plain() + local::twice();
  o[3] = copied();
  o[4] = counted_calls() + of_template<int>() + of_template<float>() + with_member().next() + of_each_side();
}

// Shared ones: of the block, also for lambdas that copy what is automatic, and for members of local classes.
template <class T, int N>
__device__ T of_types(T x) {
  typedef T row[N];
  __shared__ typename inner::box<T> box;
  __shared__ row rows[kTwo][sizeof(int) / 2];
  __shared__ decltype(box) another;
  box.a = x;
  rows[1][1][N - 1] = x;
  another.a = x;
  return box.a + rows[1][1][N - 1] + another.a;
}
__global__ void shared_forms(float *o) {
  __shared__ int numbers[4], last, *chosen, (*whole)[4];
  inner::plain __shared__ behind[2];
  inner::fixed<int, (kThree > kTwo ? 4 : 5)> __shared__ counted_here;
  __shared__ struct {
    int a;
    float b[kThree];
  } unnamed;
  __shared__ __align__(64) char aligned[3];
  int(__shared__ bracketed_here)[2];
  __shared__ int inner::plain::*chosen_member;
  auto copies = [=](int i) { return numbers[i] + last; };
  auto nothing = [] { return numbers[1]; };
  struct local {
    __device__ int sum() const { return numbers[0] + last; }
  };
  auto shadowed = [](int last) { return last; };
  numbers[0] = 1, numbers[1] = 2, last = 5, chosen = &last, whole = &numbers;
  behind[1].a = 3, counted_here.of[3] = 4, unnamed.b[2] = 6, aligned[2] = 1, bracketed_here[1] = 7;
  chosen_member = &inner::plain::a;
  inner::between[0] = 8;
  o[0] = copies(1) * 10 + nothing() + local().sum();
  o[1] = *chosen + (*whole)[0] + behind[1].*chosen_member + counted_here.of[3] + unnamed.b[2] + bracketed_here[1];
  o[2] = inner::first_between() + inner::between[0] + shadowed(3) + aligned[2] + reinterpret_cast<uintptr_t>(aligned) % 64;
  o[3] = of_types<int, 3>(2) + of_types<float, 2>(0.5f);
  o[4] = [&](auto x) {
    __shared__ decltype(x) of_argument[2];
    of_argument[1] = x;
    return of_argument[1];
  }(2.5f);
}

void show(const char *title, float *o, int n) {
  float h[8];
  cudaMemcpy(h, o, sizeof h, cudaMemcpyDeviceToHost);
  printf("%s:", title);
  for (int i = 0; i < n; ++i) printf(" %g", h[i]);
  printf("\n");
}

int main() {
  float *o;
  cudaMalloc(&o, 8 * sizeof *o);
  cudaMemset(o, 0, 8 * sizeof *o);
  for (int turn = 0; turn < 2; ++turn) {
    at_file_scope<<<1, 1>>>(o);
    show("at file scope", o, 8);
    within_functions<<<1, 1>>>(o);
    show("within functions", o, 5);
  }
  shared_forms<<<1, 1>>>(o);
  show("shared", o, 5);
  printf("the host's own: %d\n", of_each_side());
  int h = 0;
  cudaMemcpyFromSymbol(&h, bracketed, sizeof h);
  pair_of two;
  cudaMemcpyFromSymbol(&two, sums, sizeof two);
  size_t size = 0;
  cudaGetSymbolSize(&size, repeated<int, 3>);
  int more = 20;
  cudaMemcpyToSymbol(behind_arguments, &more, sizeof more, sizeof more);
  at_file_scope<<<1, 1>>>(o);
  show("after a copy", o, 1);
  printf("%d %d %d\n", h, two.b, int(size));
  float share = 0;
  cudaMemcpyFromSymbol(&share, kShare, sizeof share);
  cudaMemcpyFromSymbol(&h, kEdges, sizeof h);
  printf("%g %d\n", share, h);
  cudaFree(o);
}
