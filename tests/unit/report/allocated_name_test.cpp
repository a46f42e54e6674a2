// SPDX-License-Identifier: Apache-2.0
// Memory that a helper allocates, as its caller names it.
#include "sim/report/allocated_name.hpp"

#include <doctest/doctest.h>

#include <string>

#include "kernel_text.hpp"

using namespace simt;

namespace {

// The helper stands in line 1, the call in line 2.
std::string named(const std::string& helper, const std::string& call, const std::string& name,
                  const std::string& at = "make") {
  const test::kernel_text text(helper + "\nint main() { " + call + " }\n");
  source_reader sources;
  return name_by_caller(sources, text.at({access_kind::write, 1, "cudaMalloc"}, "make<float>"),
                        text.at({access_kind::write, 2, at}, "main"), name);
}

}  // namespace

TEST_CASE("memory of a helper has the name that its caller gives it") {
  const std::string returns = "T* make(int n) { T* p; cudaMalloc(&p, n); return p; }";
  CHECK(named(returns, "float* mass = make<float>(9);", "p") == "mass");
  CHECK(named(returns, "float* mass = mine::make<float>(9);", "p") == "mass");
  CHECK(named(returns, "use(make<float>(9));", "p").empty());
  const std::string stores = "void make(float** where, int n) { float* p; cudaMalloc(&p, n); *where = p; }";
  CHECK(named(stores, "make(&mass, 9);", "p") == "mass");
  CHECK(named(stores, "make((float**)&mass, 9);", "p") == "mass");
  CHECK(named("void make(float** where, int n) { cudaMalloc(where, n); }", "make(&mass, 9);", "where") == "mass");
}

TEST_CASE("a name that is not the helper's own stays") {
  CHECK(named("int make() { cudaMalloc(&data, 4); return 0; }", "int status = make();", "data").empty());
  CHECK(named("void make() { cudaMalloc(&g.p, 4); }", "make();", "g.p").empty());
}

TEST_CASE("elements and members have the name that the call stores them by, and of two calls the one that it is") {
  const std::string returns = "T* make(int n) { T* p; cudaMalloc(&p, n); return p; }";
  CHECK(named(returns, "layer[k + 1] = make<float>(9);", "p") == "layer[k+1]");
  CHECK(named(returns, "net.layer[k]->w = make<float>(9);", "p") == "net.layer[k]->w");
  CHECK(named(returns, "float *a = make<float>(9), *b = make<float>(8);", "p", "make<float>(9)") == "a");
  CHECK(named(returns, "float *a = make<float>(9), *b = make<float>(8);", "p", "make<float>(8)") == "b");
  const std::string stores = "void make(float** where, int n) { cudaMalloc(where, n); }";
  CHECK(named(stores, "make(&a, 9); make(&net.b[2], 8);", "where", "make(&a") == "a");
  CHECK(named(stores, "make(&a, 9); make(&net.b[2], 8);", "where", "make(&net") == "net.b[2]");
}

TEST_CASE("a vector is named where it is made") {
  const auto vector = [](const std::string& line, const std::string& at) {
    const test::kernel_text text("int main() {\n  " + line + "\n}\n");
    source_reader sources;
    return name_of_vector(sources, text.at({access_kind::write, 2, at}, "main"));
  };
  const std::string two = "thrust::device_vector<int> keys(64), values(64);";
  CHECK(vector(two, "keys") == "keys");
  CHECK(vector(two, "values") == "values");
  CHECK(vector("thrust::device_vector<int> keys = other;", "keys") == "keys");
  CHECK(vector("ints keys{1, 2};", "keys") == "keys");
  CHECK(vector("batch.keys.resize(9);", "resize") == "batch.keys");
  CHECK(vector("use(thrust::device_vector<int>(64));", "thrust").empty());
  CHECK(vector("return keys(64);", "keys").empty());
}
