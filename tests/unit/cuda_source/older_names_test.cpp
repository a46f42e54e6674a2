// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "translated.hpp"

TEST_CASE("texture and surface are CUDA's where the program has none of its own") {
  CHECK(text_of(translated("texture<float, 1> t; surface<void, 2> s;")) ==
        "::simt_cuda::texture<float, 1> t; ::simt_cuda::surface<void, 2> s;");
  CHECK(text_of(translated("texture<float> t; void f(S s) { s.texture = p->texture; }")) ==
        "::simt_cuda::texture<float> t; void f(S s) { s.texture = p->texture; }");
  for (const char* own :
       {"template <class T> struct texture { T x; }; texture<int> t;", "using texture = std::vector<int>; texture t;",
        "int texture; bool f() { return texture < 5; }", "own::texture<int> t;",
        "bool f(int texture, int n) { return texture < n && n > 2; }"})
    CHECK(text_of(translated(own)) == own);
}
