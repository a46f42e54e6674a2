// Classes that hold vectors of types which are defined later, as C++17 allows; prints the same on a GPU.
#include <cuda_runtime.h>

#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

class json;
class value {
 public:
  virtual ~value() = default;
  virtual int size() const { return 1; }
};
class array : public value {
 public:
  array() = default;
  array(array&& other) noexcept : all_(std::move(other.all_)) {}
  explicit array(std::vector<json>&& all) noexcept : all_(std::move(all)) {}
  std::vector<json>& all() { return all_; }
  int size() const override;

 private:
  std::vector<json> all_;
};
struct tree {
  std::string name;
  std::vector<tree> children;
  int nodes() const {
    int n = 1;
    for (const tree& t : children) n += t.nodes();
    return n;
  }
};
class json {
 public:
  explicit json(int n) : number(n) {}
  int number;
  std::shared_ptr<array> inner;
};
int array::size() const { return static_cast<int>(all_.size()); }

__global__ void twice(int* p, int n) {
  if (threadIdx.x < n) p[threadIdx.x] *= 2;
}

int main() {
  std::vector<json> first;
  for (int i = 0; i < 3; ++i) first.emplace_back(i + 1);
  array a(std::move(first));
  array b(std::move(a));
  b.all().emplace_back(10);
  int* p;
  cudaMallocManaged(&p, b.size() * sizeof(int));
  for (int i = 0; i < b.size(); ++i) p[i] = b.all()[i].number;
  twice<<<1, 32>>>(p, b.size());
  cudaDeviceSynchronize();
  int sum = 0;
  for (int i = 0; i < b.size(); ++i) sum += p[i];
  cudaFree(p);
  const tree t{"root", {{"left", {}}, {"right", {{"leaf", {}}}}}};
  std::printf("%d %d %d\n", sum, b.size(), t.nodes());
  return 0;
}
