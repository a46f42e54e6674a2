// SPDX-License-Identifier: Apache-2.0
// Memory that a helper allocates, as its caller names it.
#include "sim/report/allocated_name.hpp"

#include <doctest/doctest.h>

#include <string>

#include "kernel_text.hpp"

using namespace simt;

namespace {

// The helper stands in line 1, the call in line 2.
std::string named(const std::string& helper, const std::string& call, const std::string& name) {
  const test::kernel_text text(helper + "\nint main() { " + call + " }\n");
  source_reader sources;
  return name_by_caller(sources, text.at({access_kind::write, 1, "cudaMalloc"}, "make<float>"),
                        text.at({access_kind::write, 2, "make"}, "main"), name);
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
