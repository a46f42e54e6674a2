// SPDX-License-Identifier: Apache-2.0
// What becomes of a source in C that includes CUDA's headers.
#include <doctest/doctest.h>

#include <string>

#include "translated.hpp"

namespace {

// As if the preprocessor had read a header of ours and then these lines of user.c.
std::string of_c(const std::string& lines) {
  const std::string read = "# 1 \"/own/names.h\" 3\nint ours();\n# 1 \"user.c\"\n" + lines + "\n";
  simt::cuda_source::translation t = simt::cuda_source::translate(read, "/own", "", {.in_c = true});
  const std::size_t begin = t.text.find("# 1 \"user.c\"");
  if (begin == std::string::npos) return t.text;
  t.text.replace(begin, 12, "# 1 \"user.cu\"");
  return text_of(t);
}

}  // namespace

TEST_CASE("what stands outside of functions has C's linkage, headers between do not") {
  CHECK(of_c("int f(void);\nint x;") == "extern \"C\" { int f(void); int x; }");
  const std::string text = of_c("int f(void);\n# 1 \"/own/more.h\" 3\nclass ours;\n# 2 \"user.c\" 2\nint x;");
  CHECK(text == contains("extern \"C\" { int f(void); }"));
  CHECK(text == contains("extern \"C\" { int x; }"));
  CHECK(text == contains("} class ours; extern"));
}

TEST_CASE("memory without a type becomes a pointer of any") {
  CHECK(of_c("void f() { p = malloc(4); }") == contains("p = ::simt_cuda::value_in_c(malloc(4));"));
  CHECK(of_c("void f() { if (!(p = calloc(1, n))) return; }") ==
        contains("(p = ::simt_cuda::value_in_c(calloc(1, n)))"));
  CHECK(of_c("void* malloc(unsigned long);") == "extern \"C\" { void* malloc(unsigned long); }");
}

TEST_CASE("pointers are converted where C converts them, and other values are left alone") {
  CHECK(of_c("void f(void* a) { node* n = a; }") == contains("node* n = ::simt_cuda::value_in_c(a);"));
  CHECK(of_c("node* f(void* a) { return list->next[0]; }") ==
        contains("return ::simt_cuda::value_in_c(list->next[0]);"));
  CHECK(of_c("void f() { x = y + 1; p = __null; for (i = n; i < m; ++i) {} }") ==
        contains("{ x = y + 1; p = __null; for (i = n; i < m; ++i) {} }"));
}

TEST_CASE("words of C++ are names in C, but not in a header for both languages") {
  CHECK(of_c("int class, this; float* restrict new;") ==
        "extern \"C\" { int class_in_c, this_in_c; float* __restrict__ new_in_c; }");
  CHECK(of_c("# 1 \"both.h\" 1\nclass c;\n# 2 \"user.c\" 2\nint x;") == contains("class c;"));
}
