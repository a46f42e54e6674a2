// SPDX-License-Identifier: Apache-2.0
// What each construct of CUDA C++ becomes, pass by pass.
#include <doctest/doctest.h>

#include <string>

#include "translated.hpp"

// Calls that our headers have.
const char* const kRuntime = "int cudaLaunchKernel(); int cudaFuncSetAttribute(); int cudaMalloc();";

TEST_CASE("launches: the kernel's expression and the configuration trade places") {
  CHECK(translation_of("void f() { k<<<1, 2>>>(a, b); }") == "void f() { (::simt_cuda::configure(1, 2), k(a, b)); }");
  CHECK(translation_of("void f() { ns::k<int, 4><<<dim3(1, 2), n, 0, s>>>(); }") ==
        "void f() { (::simt_cuda::configure(dim3(1, 2), n, 0, s), ns::k<int, 4>()); }");
  CHECK(translation_of("void f() { table[i]<<<1, 1>>>(x); }") ==
        "void f() { (::simt_cuda::configure(1, 1), table[i](x)); }");
  CHECK(translation_of("void f() { (*p)<<<1, 1>>>(x); }") == "void f() { (::simt_cuda::configure(1, 1), (*p)(x)); }");
  CHECK(translation_of("void f() { o.template k<3><<<1, sizeof(v<v<int>>)>>>(x); }") ==
        "void f() { (::simt_cuda::configure(1, sizeof(v<v<int>>)), o.template k<3>(x)); }");
}

TEST_CASE("launches that cannot be read, that a formatter took apart, and that a kernel makes") {
  CHECK(complaint_about("\nvoid f() { <<<1, 2>>>(a); }") ==
        "2: this launch cannot be read; write kernel<<<grid, block, shared bytes, stream>>>(arguments)");
  CHECK(translation_of("__global__ void k() {\n k<<<1, 2>>>(); }") == contains("(::simt_cuda::configure(1, 2), k())"));
  CHECK(translation_of("void f() { k << < 1, 2 >> > (a); }") == contains("(::simt_cuda::configure( 1, 2), k (a))"));
}

TEST_CASE("the cast to void* goes from the kernel of a runtime call") {
  CHECK(translation_of("void f() { cudaLaunchKernel((void*)k, g, b, a); }", kRuntime) ==
        "void f() { cudaLaunchKernel(k, g, b, a); }");
  CHECK(translation_of("void f() { cudaFuncSetAttribute(reinterpret_cast<const void*>(k), a, 1); }", kRuntime) ==
        "void f() { ::simt_cuda::ignored_result{\"cudaFuncSetAttribute\"} = cudaFuncSetAttribute( (k), a, 1); }");
}

TEST_CASE("the kernel of a graph's node is noted, as a statement and in a list") {
  CHECK(translation_of("void f() { p.func = (void*)k; p.extra = 0; }") ==
        "void f() { p.func = ::simt_cuda::kernel_address(k); p.extra = 0; }");
  CHECK(translation_of("params p = {.func = (void*)k<int, 2>, .gridDim = dim3(1, 1), .extra = 0};") ==
        "params p = {.func = ::simt_cuda::kernel_address(k<int, 2>), .gridDim = dim3(1, 1), .extra = 0};");
  CHECK(translation_of("params p = {.func = (void*)(k)};") == "params p = {.func = ::simt_cuda::kernel_address((k))};");
}

TEST_CASE("a kernel runs its body as a lambda for every thread and says where it is left") {
  const std::string text = translation_of("__global__ void k(int* p, int& r) { if (p) return; p[threadIdx.x] = r; }");
  CHECK(text == contains("void k(int* p, int& r) { ::simt_cuda::run_kernel(__PRETTY_FUNCTION__, [=, &r]("));
  CHECK(text == contains("if (p) for (::simt_cuda::leave_kernel();;) return;"));
  CHECK(text == contains("p[threadIdx.x] = r; for (::simt_cuda::leave_kernel(); false;) {} })"));
  CHECK(translation_of("__global__ void __cluster_dims__(2, 1, 1) k() {}") ==
        contains("::simt_cuda::use_cluster(::dim3(2 , 1 , 1 ));"));
}

TEST_CASE("built-in variables: parameters in a kernel, questions elsewhere, members untouched") {
  CHECK(translation_of("__device__ int f(s* q) { return threadIdx.x + q->threadIdx; }") ==
        "int f(s* q) { return (::simt_cuda::thread_idx()).x + q->threadIdx; }");
  CHECK(translation_of("__global__ void k() { auto f = [] { return blockIdx.x; }; }") ==
        contains("[] { return (::simt_cuda::block_idx()).x; }"));
}

TEST_CASE("shared arrays are references, named for reports") {
  const std::string one = translation_of("__global__ void k() { __shared__ float t[4][5]; }");
  CHECK(one == contains("typedef float simt_T_t[4][5];"));
  CHECK(one == contains("return \"t\";"));
  CHECK(one == contains("simt_T_t& t = ::simt_cuda::shared_variable<simt_N_t, simt_T_t>();"));
  CHECK(translation_of("__device__ void f() { extern __shared__ int d[]; }") ==
        contains("simt_T_d& d = ::simt_cuda::dynamic_shared<simt_N_d, simt_T_d>();"));
  const std::string outside = translation_of("extern __shared__ int d[];\n__global__ void k() { d[0] = 1; }");
  CHECK(outside == contains("mutable -> void { [[maybe_unused]] simt_T_d& d = ::simt_cuda::dynamic_shared<"));
}

TEST_CASE("device, constant and managed variables") {
  CHECK(translation_of("__device__ int x = 3;") ==
        contains("static int simt_I_x = 3; decltype(simt_I_x)& x __attribute__((section(\"simt_refs\"))) = "
                 "::simt_cuda::device_variable(simt_I_x, \"x\", ::simt_cuda::variable_kind::device);"));
  CHECK(translation_of("__constant__ float c[4];") == contains("::simt_cuda::variable_kind::constant"));
  CHECK(translation_of("__managed__ int m;") == contains("::simt_cuda::variable_kind::managed"));
  CHECK(translation_of("struct C { static __device__ int x; };") == contains("static simt_T_x& x;"));
  CHECK(translation_of("__device__ int C::x = 1;") ==
        contains("decltype(simt_I_C__x)& C::x __attribute__((section(\"simt_refs\"))) = "
                 "::simt_cuda::device_variable(simt_I_C__x, \"C::x\", ::simt_cuda::variable_kind::device);"));
  for (const char* member : {"template <class T> __device__ int C<T>::x = 1;", "__device__ int C<int>::x = 1;",
                             "struct C { static inline __device__ int x = 1; };"}) {
    CAPTURE(member);
    CHECK(
        complaint_about("\n" + std::string(member)) ==
        "2: a __device__ variable that is an inline static member, or one of a class template, is not supported; make "
        "it a variable of a namespace");
  }
}

TEST_CASE("a variable of the device is never the host's, however it is declared") {
  for (const char* declaration :
       {"int __device__ x = 1;", "n::V<int> __device__ x = {1};", "int *__device__ x;", "__device__ int(x) = 3;",
        "__device__ int (*(*x)(int))(float);", "__device__ V x(kN, 2 + kM);",
        "constexpr int n = 1; __device__ V x(n, n);", "struct T { int a; } __device__ x = {1};",
        "__device__ struct T : B<int> { int a; } x;", "__device__ int V::*x = &V::a;",
        "[[maybe_unused]] __device__ int x;", "__device__ decltype(1 + 2) x[3 < 4 ? 1 : 2];",
        "template <class T> __device__ T x = T(1);", "static __attribute__((unused)) __device__ int x = f<1, 2>(3);",
        "__device__ void (*x[])(int*) = {nullptr};", "__device__ std::array<int, (3 > 2)> x, y = {1};"}) {
    CAPTURE(declaration);
    CHECK(translation_of(declaration) == contains("::simt_cuda::device_variable(simt_I_x"));
  }
  CHECK(translation_of("__device__ int y; __device__ int &x = y;") ==
        contains("int &x __attribute__((section(\"simt_refs\"))) = y;"));
  CHECK(translation_of("__device__ V x(int, T y);") == "V x(int, T y);");
  CHECK(complaint_about("\n__device__ int x y;") ==
        "2: this declaration with __device__ is not understood; write one variable a declaration, with __device__ in "
        "front of its type");
  CHECK(complaint_about("__global__ void k() { __shared__ int x = 3; }") ==
        "1: a __shared__ variable has no initial value; nvcc does not take one either");
  // Where the word has no meaning for nvcc either.
  CHECK(translation_of("struct __device__ C { __device__ int x : 3; };") == "struct C { int x : 3; };");
  CHECK(translation_of("__device__ void f(__shared__ int* x);") == "void f( int* x);");
}

TEST_CASE("constants keep their names, and have memory of the device") {
  const std::string text = translation_of("__constant__ const int n = 3; __device__ float x[n];");
  CHECK(text == contains("const int n = 3; [[maybe_unused]] static decltype(n)& simt_R_n"));
  CHECK(text == contains("::simt_cuda::device_variable(n, \"n\", ::simt_cuda::variable_kind::constant);"));
}

TEST_CASE("static variables of device functions are the device's") {
  for (const char* words : {"static", "static __device__", "__device__ static"}) {
    CAPTURE(words);
    const std::string text = translation_of("__device__ void f() { " + std::string(words) + " int x = 3; }");
    CHECK(text == contains("int simt_I_x = 3; struct simt_N_x {"));
    CHECK(text == contains("decltype(simt_I_x)& x = ::simt_cuda::static_variable<simt_N_x, decltype(simt_I_x), "
                           "::simt_cuda::variable_kind::device>();"));
  }
  CHECK(translation_of("__host__ __device__ void f() { static int x; }") ==
        contains("x = ::simt_cuda::on_device() ? ::simt_cuda::static_variable<"));
  CHECK(translation_of("__device__ void f() { static const int x[] = {1}; }") ==
        "void f() { static const int x[] = {1}; }");
  CHECK(translation_of("void f() { static int x; }") == "void f() { static int x; }");
}

TEST_CASE("lambdas and local classes name a shared variable without a capture") {
  const std::string text = translation_of("__global__ void k() { __shared__ int s; auto f = [=] { return s; }; }");
  CHECK(text == contains("[=] { [[maybe_unused]] simt_T_s& s = ::simt_cuda::shared_variable<simt_N_s, simt_T_s>();"));
  CHECK(translation_of("__global__ void k() { __shared__ int s; auto f = [](int s) { return s; }; }") ==
        contains("[](int s) { return s; }"));
  CHECK(translation_of("__global__ void k() { __shared__ int s; struct L { __device__ int f() { return s; } }; }") ==
        contains("int f() { [[maybe_unused]] simt_T_s& s"));
  CHECK(translation_of("__global__ void k() { __shared__ int s; decltype(s) t; }") ==
        contains("::std::remove_reference_t<decltype(s)> t;"));
}

TEST_CASE("a variable with its values in parentheses is no function") {
  for (const char* values : {"1", "-1", "x, 1", "&x", "sizeof(int)", "f(x, y), 2u"}) {
    CAPTURE(values);
    CHECK(translation_of("__device__ lock<device, 1> guard(" + std::string(values) + ");") ==
          contains("simt_I_guard, \"guard\", ::simt_cuda::variable_kind::device"));
  }
  for (const char* parameters : {"", "int", "int x = 1", "int (*f)(int), int", "table<1, 2> x"}) {
    CAPTURE(parameters);
    CHECK_FALSE(translation_of("__device__ lock<device, 1> guard(" + std::string(parameters) + ");") ==
                contains("simt_I_guard"));
  }
  const std::string variable = "simt_I_guard, \"guard\"";
  CHECK(translation_of("namespace n { constexpr int a = 1; } __device__ lock guard(n::a, n::a);") ==
        contains(variable));
  // What a system's header declares: how the name is used shows what it is.
  const std::string unknown = "__device__ lock guard(A, B); ";
  CHECK(translation_of(unknown + "__device__ int f() { return guard.x; }") == contains(variable));
  for (const char* use : {"__device__ int f(A a, B b) { return guard(a, b).x; }", "__device__ F f = guard;", ""})
    CHECK_FALSE(translation_of(unknown + use) == contains("simt_I_guard"));
  CHECK_FALSE(translation_of("__device__ float guard(A, B b); __device__ int f() { return guard[1]; }") ==
              contains("simt_I_guard"));
}

TEST_CASE("device heap: in device code only") {
  CHECK(translation_of("__device__ void f() { int* p = new int[4]; delete[] p; free(malloc(4)); }") ==
        "void f() { int* p = new (::simt_cuda::heap<>()) int[4]; ::simt_cuda::device_delete( p); "
        "::simt_cuda::device_free(::simt_cuda::heap<>().allocate(4)); }");
  CHECK(translation_of("void f() { free(malloc(4)); }") == "void f() { free(malloc(4)); }");
  CHECK(translation_of("__device__ void f() { ::operator delete(::operator new(4)); operator delete[](p, 4); }") ==
        "void f() { ::simt_cuda::heap_delete (::simt_cuda::heap_new (4)); ::simt_cuda::heap_delete (p, 4); }");
}

TEST_CASE("loops in a file with volatile data let other threads run") {
  CHECK(translation_of("__device__ void f(volatile int* p) { while (*p); }") ==
        "void f(volatile int* p) { while (*p){ ::simt_cuda::spin(); } }");
  CHECK(translation_of("__device__ void f(int* p) { while (*p); }") == "void f(int* p) { while (*p); }");
  CHECK(translation_of("__device__ void f(volatile int* p) { int x; do x = *p; while (x); x = 1; }") ==
        "void f(volatile int* p) { int x; do { ::simt_cuda::spin(); x = *p; } while (x); x = 1; }");
  CHECK(translation_of("__device__ void f(volatile int* p) { do { if (*p) break; } while (true); }") ==
        "void f(volatile int* p) { do {::simt_cuda::spin(); if (*p) break; } while (true); }");
  CHECK(translation_of("__device__ void f(volatile int* p) { do if (*p) return; else while (*p); while (*p); }") ==
        "void f(volatile int* p) { do { ::simt_cuda::spin(); if (*p) return; else while (*p){ ::simt_cuda::spin(); } } "
        "while (*p); }");
}

TEST_CASE("a body that differs for host and device is kept twice") {
  const auto t =
      translated("__host__ __device__ int f() { return 1; }", "", "__host__ __device__ int f() { return 2; }");
  CHECK(text_of(t) == "int f() { if (::simt_cuda::on_device()) { return 1; } else { return 2; } }");
}

TEST_CASE("what stands before a variable of the device") {
  CHECK(translation_of("extern \"C\" __constant__ int c = 1;") == contains("static int simt_I_c = 1;"));
  CHECK(translation_of("extern \"C\" __constant__ int c = 1;").find("extern") == std::string::npos);
  CHECK(translation_of("__device__ float a(1.5f), b{2};") == contains("static float simt_I_a(1.5f), simt_I_b{2};"));
  CHECK(translation_of("__device__ alignas(32) float a[8];") == contains("alignas(32) static float simt_I_a[8];"));
}

TEST_CASE("the name of a pointer to a function or an array stands within its type") {
  CHECK(translation_of("__device__ int (*f)(int) = g;") == contains("static int (*simt_I_f)(int) = g;"));
  CHECK(translation_of("__constant__ int (*const f[2])(int) = {g, h};") ==
        contains("static int (*const simt_I_f[2])(int) = {g, h};"));
  CHECK(translation_of("__global__ void k() { __shared__ float (*p)[4]; }") ==
        contains("typedef float (*simt_T_p)[4];"));
  CHECK(translation_of("__device__ int (*f(int i))(int) { return g; }") == "int (*f(int i))(int) { return g; }");
}

TEST_CASE("main begins the run") {
  CHECK(translation_of("int main() { return 0; }") == "int main() { ::simt_cuda::enter_main(); return 0; }");
}

TEST_CASE("allocations are named after what they are stored in") {
  CHECK(
      translation_of("void f() { cudaMalloc(&d_in, n); }", kRuntime) ==
      "void f() { ::simt_cuda::ignored_result{\"cudaMalloc\"} = cudaMalloc(::simt_cuda::named(\"d_in\", &d_in), n); }");
  CHECK(translation_of("void f() { cudaMalloc((void**)&d_in, n); }", kRuntime) ==
        contains("cudaMalloc(::simt_cuda::named(\"d_in\", ::simt_cuda::behind_cast(&d_in)), n)"));
  CHECK(translation_of("void f() { cudaMalloc(reinterpret_cast<void**>(&s.p[i]), n); }", kRuntime) ==
        contains("::simt_cuda::named(\"s.p[i]\", "));
}

TEST_CASE("calls whose result is thrown away are marked, others are not") {
  const std::string kFree = "int cudaFree();";
  CHECK(translation_of("void f() { cudaEventQuery(e); while (cudaEventQuery(e)) {} }", kFree) ==
        "void f() { ::simt_cuda::unheeded_query(), cudaEventQuery(e); while (cudaEventQuery(e)) {} }");
  CHECK(translation_of("void f() { if (a) cudaFree(p); else cudaFree(q); }", kFree) ==
        "void f() { if (a) ::simt_cuda::ignored_result{\"cudaFree\"} = cudaFree(p); else "
        "::simt_cuda::ignored_result{\"cudaFree\"} = cudaFree(q); }");
  for (const char* kept : {"void f() { (void)cudaFree(p); }", "void f() { e = cudaFree(p); }",
                           "void f() { check(cudaFree(p)); }", "void f() { if (cudaFree(p) != 0) return; }"})
    CHECK(translation_of(kept, kFree) == kept);
}

TEST_CASE("a colon in front of what is put in stays a colon") {
  CHECK(translation_of("void f() { switch (c) { case 1:cudaFree(p); } }", "int cudaFree();") ==
        contains("case 1: ::simt_cuda::ignored_result{\"cudaFree\"} = cudaFree(p);"));
}

TEST_CASE("a statement begins behind labels, commas, attributes and in the head of a for, too") {
  const std::string kFree = "int cudaFree();";
  const auto marked = [&](std::string text) {  // `@` stands where a mark is expected
    const std::string mark = "::simt_cuda::ignored_result{\"cudaFree\"} = ";
    std::string plain = text;
    for (std::size_t at; (at = plain.find('@')) != std::string::npos;) plain.erase(at, 1);
    for (std::size_t at; (at = text.find('@')) != std::string::npos;) text.replace(at, 1, mark);
    CHECK(translation_of(plain.c_str(), kFree) == text);
  };
  marked(
      "void f() { switch (c) { case 1: @cudaFree(p); case a ? 1 : 2: case 3: @cudaFree(p); default: @cudaFree(p); } }");
  marked("void f() { again: @cudaFree(p); goto again; }");
  marked("void f() { if (a) first: second: @cudaFree(p); }");
  marked("void f() { @::cudaFree(p); if (a) @::cudaFree(p); e = ::cudaFree(p); }");
  marked("void f() { x++, @cudaFree(p), g(a, b), @cudaFree(q); }");
  marked("void f() { if (a) [[unlikely]] @cudaFree(p); }");
  marked("void f() { for (@cudaFree(p), i = 0; i < 3; ++i, @cudaFree(q)) ; }");
  // The result goes somewhere.
  marked("int f() { return x, cudaFree(p); }");
  marked("void f() { e = a ? 0 : cudaFree(p); b ? g() : cudaFree(p); }");
  marked("void f() { g(1, cudaFree(p)); int e[] = {cudaFree(p), cudaFree(q)}; int h{cudaFree(p)}; }");
  marked("void f() { for (int x : cudaFree(p)) ; while (cudaFree(p)) ; e = (x, cudaFree(p)); }");
  marked("int f() { return own::cudaFree(p), 1; }");
}

TEST_CASE("calls that are not there, at their line, with the nearest that is") {
  const std::string header = "int cudaMalloc(); int cudaFree(); int cudaError_t();";
  CHECK(complaint_about("\nvoid f() { cudaMalocc(); }", header) ==
        "2: 'cudaMalocc' is not supported; the nearest that is: 'cudaMalloc' (docs/cuda_source.md lists all)");
  CHECK(complaint_about("void f() { cublasCreate(); }", header) ==
        "1: 'cublasCreate' is declared in <cublas_v2.h>, which is not included here");
  CHECK(complaint_about("void f() { cublasAnything(); }", header + " int cublasCreate();") ==
        "1: 'cublasAnything' is not supported (docs/cuda_source.md lists all)");
  CHECK(complaint_about("void cudaCheck(int); void f() { cudaCheck(cudaFree()); }", header) == "");
  CHECK(complaint_about("void f() { cudaGetSurfaceReference(); }", header) ==
        contains("1: 'cudaGetSurfaceReference' is not supported: what asks for references by name is gone"));
}

TEST_CASE("every token stays on its line") {
  const auto t = translated("__global__ void k(\n    int* p)\n{\n  p[0] = 1;\n}");
  const std::string text = t.text.substr(t.text.rfind("# 1 \"user.cu\""));
  int line = 0;
  std::size_t at = text.find('\n') + 1;
  for (line = 1; text.find("p[0]", at) > text.find('\n', at); ++line) at = text.find('\n', at) + 1;
  CHECK(line == 4);
}

TEST_CASE("words of C++20 are names where the grammar makes them one") {
  CHECK(translation_of("int concept = 1; int f() { return concept + g.requires(2); }") ==
        "int concept_before_cpp20 = 1; int f() { return concept_before_cpp20 + g.requires_before_cpp20(2); }");
  CHECK(translation_of("int requires(int); int co_yield, *consteval;") ==
        "int requires_before_cpp20(int); int co_yield_before_cpp20, *consteval_before_cpp20;");
  for (const char* newer :
       {"template <class T> concept c = requires(T t) { t; };",
        "template <class T> requires c<T> void f(T) requires(sizeof(T) > 2) { co_return; }",
        "consteval int f() { return 1; } constinit int x = 1;", "task g() { co_yield x; co_await (x); }"})
    CHECK(translation_of(newer) == newer);
}

TEST_CASE("names of the program beside those of std") {
  using namespace simt::cuda_source;
  const auto renamed = [](const std::string& lines) {
    return text_of(translate(preprocessed(lines), "/own", {}, {.rename_names_of_std = true}));
  };
  const std::string uses =
      "using namespace std; int count; enum { left }; int f(int n) { return ::count + left + std::count; }";
  CHECK(translated(uses).has_names_of_std);
  CHECK(renamed(uses) ==
        "using namespace std; int count_of_program; enum { left_of_program }; int f(int n) { return "
        "::count_of_program + left_of_program + std::count; }");
  CHECK_FALSE(translated("int count;").has_names_of_std);
  CHECK_FALSE(translated("using namespace std; void f() { int count; }").has_names_of_std);
  CHECK_FALSE(translated("using namespace std; int count; int f(set<int> s) { return s.count(1); }").has_names_of_std);
}

// Where the text stands in what the compiler reads, counted from 1.
static int column_in(const std::string& translated, const std::string& text) {
  const std::size_t at = translated.find(text);
  if (at == std::string::npos) return 0;
  return static_cast<int>(at - (translated.rfind('\n', at) + 1)) + 1;
}

TEST_CASE("what the compiler reads keeps the columns of the user's lines") {
  const std::string written = "__global__ void k(int* p) { int  i = threadIdx.x;  /* x */ if (i < N) p[i]   += 2; }";
  const std::string read = "__global__ void k(int* p) { int i = threadIdx.x; if (i < (1 + 77)) p[i] += 2; }";
  const auto text_of_file = [&](const std::string& path) { return path == "user.cu" ? written + "\n" : std::string(); };
  const std::string text = simt::cuda_source::translate(preprocessed(read), "/own", {}, {.text_of = text_of_file}).text;
  for (const char* const part : {"i = threadIdx", "if (", "p[i]", "+="})
    CHECK(column_in(text, part) == static_cast<int>(written.find(part)) + 1);
  CHECK(column_in(text, "for (::simt_cuda::leave_kernel") == static_cast<int>(written.find('}')) + 1);
  CHECK(column_in(text, "77") == static_cast<int>(written.find("N)")) + 1);  // of a macro: its name
  // Line and file are as they were.
  for (std::size_t at = text.find("user.cu\"\n"); at != std::string::npos; at = text.find("user.cu\"\n", at + 1))
    CHECK(text.substr(text.rfind("# ", at), 4) == "# 1 ");
}

TEST_CASE("a shift that a macro gave stays one operator") {
  const std::string written = "int y = ROTR(x, 2);", read = "int y = (((x) >> (2)) | ((x) << (32 - (2))));";
  const auto text_of_file = [&](const std::string& path) { return path == "user.cu" ? written + "\n" : std::string(); };
  const std::string text = simt::cuda_source::translate(preprocessed(read), "/own", {}, {.text_of = text_of_file}).text;
  CHECK(text == contains(">>"));
}

TEST_CASE("the host's name of a variable of the device is its shadow") {
  const std::string variables = "__constant__ float c[4]; __device__ int n; __device__ int* p; __managed__ int m[2]; ";
  const auto in_host = [&](const std::string& statements) {
    return translation_of(variables + "__global__ void k(const float*); void f(float* h, float* other) { " +
                          statements + " }");
  };
  CHECK(in_host("e = cudaMemcpy(c, h, 16, cudaMemcpyHostToDevice);") ==
        contains("cudaMemcpy(::simt_cuda::shadow_of(c), h, 16"));
  CHECK(in_host("e = cudaMemcpy(h, &c[2], 4, 2);") == contains("cudaMemcpy(h, ::simt_cuda::shadow_of(&c[2]), 4"));
  CHECK(in_host("e = cudaMemcpy((void*)&n, h, 4, 1);") == contains("cudaMemcpy(::simt_cuda::shadow_of((void*)&n), h"));
  CHECK(in_host("e = cudaMemset(reinterpret_cast<char*>(c), 0, 4);") ==
        contains("cudaMemset(::simt_cuda::shadow_of(reinterpret_cast<char*>(c)), 0"));
  CHECK(in_host("k<<<1, 1>>>(c);") == contains("k(::simt_cuda::shadow_of(c))"));
  // Values, pointers, managed memory, symbols, names of its own.
  for (const char* none : {"cudaMalloc((void**)&p, 4);", "k<<<1, 1>>>(p);", "e = cudaMemcpyToSymbol(p, &p, 8);",
                           "k<<<1, 1>>>(n);", "e = cudaMemcpy(m, h, 4, 1);", "e = cudaMemcpyToSymbol(c, h, 16);",
                           "float c[4]; e = cudaMemcpy(other, c, 16, 1);", "e = cudaMemcpy(x.c, h, 16, 1);",
                           "float* c = h; e = cudaMemcpy(c, h, 16, 1);", "k<<<1, 1>>>(other);"})
    CHECK(in_host(none) != contains("shadow_of"));
  CHECK(translation_of(variables + "void f(const float* c) { e = cudaMemcpy(d, c, 4, 1); }") != contains("shadow_of"));
}

TEST_CASE("the host may use a pointer of the device as its own where the device does not, or is told its value") {
  const auto kind_of_p = [](const std::string& rest) {
    const std::string text = translation_of("__device__ float* p; " + rest);
    const std::size_t at = text.find("\"p\", ::simt_cuda::variable_kind::");
    return at == std::string::npos ? std::string() : text.substr(at + 33, text.find(')', at) - at - 33);
  };
  const std::string host = "pointer_of_host", device = "device";
  CHECK(kind_of_p("void f() { cudaMalloc(&p, 4); }") == host);
  CHECK(kind_of_p("__global__ void k() { *p = 1; } void f() { cudaMalloc(&p, 4); }") == device);
  CHECK(kind_of_p("__global__ void k() { *p = 1; } void f() { e = cudaMemcpyToSymbol(p, &p, 8); }") == host);
  CHECK(kind_of_p("__global__ void k() { *p = 1; } void f() { e = cudaMemcpyToSymbolAsync(p, &h, 8); }") == host);
  CHECK(kind_of_p("__global__ void k() { *p = 1; } void f() { e = cudaMemcpyFromSymbol(&h, p, 8); }") == device);
  CHECK(kind_of_p("__global__ void k() { *p = 1; } void f() { e = cudaMemcpyToSymbol(q, &h, 8); }") == device);
  // Names of the device's own.
  CHECK(kind_of_p("__global__ void k(float* p) { *p = 1; }") == host);
  CHECK(kind_of_p("__global__ void k(float* x) { float* p = x; *p = 1; }") == host);
  CHECK(kind_of_p("__global__ void k(S s) { *s.p = 1; }") == host);
  CHECK(translation_of("__device__ float* p[2];") == contains("variable_kind::pointer_of_host"));
  CHECK(translation_of("__device__ float p[2];") == contains("variable_kind::device"));
}

TEST_CASE("an initial value names an earlier variable of its own declaration") {
  const std::string text = translation_of("__device__ double a = 1, *b = &a, c = 2;");
  CHECK(text ==
        contains("*simt_I_b = &::simt_cuda::device_variable(simt_I_a, \"a\", ::simt_cuda::variable_kind::device)"));
  CHECK(translation_of("__device__ S a = {1}, b = {x.a, n::a};") == contains("simt_I_b = {x.a, n::a}"));
}
