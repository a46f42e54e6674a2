// SPDX-License-Identifier: Apache-2.0
// What a compiler says of a translated line is said of the line as the user wrote it.
#include "frontends/cuda/driver/compiler_messages.hpp"
#include "frontends/cuda/driver/cuda_words.hpp"

#include <doctest/doctest.h>

#include <fstream>

#include "frontends/cuda/translate/line_alignment.hpp"
#include "scratch_folder.hpp"

using namespace simt::cuda_source;

namespace {

// The written words at the place of `read` where `at` begins, to the end of the line.
std::string written_at(const std::string& read, const std::string& at, const std::vector<std::string_view>& written) {
  const source_column c = column_as_written(read, read.find(at), written);
  return (c.is_ours ? "ours: " : "") + std::string(written[c.line].substr(c.column));
}

}  // namespace

TEST_CASE("a name keeps its place where words before it were translated") {
  CHECK(written_at(" inline int twice(int x) { return x * too; }", "too",
                   {"__device__ inline int twice(int x) { return x * too; }"}) == "too; }");
  CHECK(written_at("float&  s = shared(); s[(::simt_cuda::thread_idx()).x] = (::simt_cuda::thread_idx()).y + bad;",
                   "bad", {"__shared__ float s; s[threadIdx.x] = threadIdx.y + bad;"}) == "bad;");
}

TEST_CASE("what a macro became is at the macro's name; its arguments are where they stand") {
  const std::string read = "  do { cudaError_t e = (cudaMalloc(a, 100)); if (e) fail(e); } while (0);";
  CHECK(written_at(read, "if", {"  CHECK(cudaMalloc(a, 100));"}) == "CHECK(cudaMalloc(a, 100));");
  CHECK(written_at(read, "cudaMalloc", {"  CHECK(cudaMalloc(a, 100));"}) == "cudaMalloc(a, 100));");
  CHECK(written_at(read, "a, 100", {"  CHECK(cudaMalloc(", "    a, 100));"}) == "a, 100));");
}

TEST_CASE("the kernel of a launch is found before its configuration") {
  const std::string read = "  f(1); (::simt_cuda::configure(1, 32), add(a, b));";
  CHECK(written_at(read, "add", {"  f(1); add<<<1, 32>>>(a, b);"}) == "add<<<1, 32>>>(a, b);");
  CHECK(written_at(read, "a, b", {"  f(1); add<<<1, 32>>>(a, b);"}) == "a, b);");
}

TEST_CASE("text that nobody wrote is ours") {
  const std::string read =
      "void k() { ::simt_cuda::run_kernel(__PRETTY_FUNCTION__, [=]() mutable -> void { int i; }); }";
  CHECK(written_at(read, "[=]", {"__global__ void k() { int i; }"}) == "ours: { int i; }");
}

TEST_CASE("messages: places, severities, and what is left out") {
  const scratch_folder folder;
  const std::string file = (folder.path / "a.cu").string();
  std::ofstream(file) << "__device__ int f(int x) {\n  return x * too;\n}\n";
  std::vector<compiler_message> all = read_messages(
      file + ":2:26: error: use of undeclared identifier 'too'\n" + file +
      ":2:4: note: while substituting into a lambda expression here\n1 error generated.\nld: not found\n");
  place_in_source(all, "# 1 \"" + file + "\"\n int f(int x) {\n  [ours]() {} return x * too;\n}\n");
  REQUIRE(all.size() == 2);
  CHECK(all[0].severity == "error");
  CHECK(all[0].line == 2);
  CHECK(all[0].column == 14);
  CHECK(all[0].length == 3);
  CHECK(all[0].written == "  return x * too;");
  CHECK(all[0].text == "use of undeclared identifier 'too'");
  CHECK(all[1].file.empty());
  CHECK(all[1].text == "ld: not found");
}

TEST_CASE("messages: a type that the translator made has the user's name") {
  CHECK(read_messages("a.cu:1:2: error: no member 'x' in 'simt_T_s' (aka 'float[32]')\n")[0].text ==
        "no member 'x' in 'float[32]'");
}

TEST_CASE("messages of the translator point at what they name") {
  const scratch_folder folder;
  const std::string file = (folder.path / "a.cu").string();
  std::ofstream(file) << "\n  cudaMaloc(&a, 1);\n";
  std::vector<compiler_message> all(1);
  all[0].file = file, all[0].line = 2, all[0].text = "'cudaMaloc' is not supported";
  quote_lines(all);
  CHECK(all[0].column == 3);
  CHECK(all[0].length == 9);
}

TEST_CASE("a name of CUDA that nobody declared is not there; what it looks like is no help") {
  const auto said = [](const std::string& line) { return read_messages("a.cu:1:1: error: " + line + "\n")[0].text; };
  const std::string rest = " is not supported by the simulator, or misspelt (docs/cuda_source.md lists all)";
  CHECK(said("unknown type name 'cudaFooHandle_t'; did you mean 'cudaMemPool_t'?") == "'cudaFooHandle_t'" + rest);
  CHECK(said("use of undeclared identifier 'CU_STREAM_WAIT_VALUE_GEQ'") == "'CU_STREAM_WAIT_VALUE_GEQ'" + rest);
  CHECK(said("no member named 'mr' in namespace 'thrust'") == "'thrust::mr'" + rest);
  CHECK(said("no template named 'BlockRadixTask' in namespace 'cub'; did you mean 'BlockRadixSort'?") ==
        "'cub::BlockRadixTask'" + rest);
  CHECK(said("\u2018CUtensorMap\u2019 was not declared in this scope; did you mean \u2018CUtexObject\u2019?") ==
        "'CUtensorMap'" + rest);
  CHECK(said("unknown type name 'curandState'") == "'curandState'" + rest + "; it may lack #include <curand_kernel.h>");
  CHECK(said("unknown type name 'cublasHandle_t'") ==
        "'cublasHandle_t'" + rest + "; it may lack #include <cublas_v2.h>");
  CHECK(said("use of undeclared identifier 'count'") == "use of undeclared identifier 'count'");
  CHECK(said("no matching function for call to 'cudaMemcpy'") == "no matching function for call to 'cudaMemcpy'");
  CHECK(said("use of undeclared identifier 'cudart'; did you mean 'cuda'?") ==
        "use of undeclared identifier 'cudart'; did you mean 'cuda'?");
}

TEST_CASE("a name that was left out for a reason is refused with it") {
  const auto said = [](const std::string& line) { return read_messages("a.cu:1:1: error: " + line + "\n")[0].text; };
  CHECK(said("unknown type name 'cudaIpcMemHandle_t'; did you mean 'cudaMemPool_t'?") ==
        "'cudaIpcMemHandle_t' is not supported: memory and events of one process are not seen by others (IPC) "
        "(docs/cuda_source.md lists all)");
  CHECK(said("use of undeclared identifier '__isGridConstant'") ==
        "'__isGridConstant' is not supported: a kernel's parameters are each thread's own here "
        "(docs/cuda_source.md lists all)");
  CHECK(said("no template named 'BlockRadixRank' in namespace 'cub'; did you mean 'BlockRadixSort'?") ==
        "'cub::BlockRadixRank' is not supported: sort keys with their numbers by cub::BlockRadixSort instead "
        "(docs/cuda_source.md lists all)");
  CHECK(said("use of undeclared identifier 'mySparseMatrix'") == "use of undeclared identifier 'mySparseMatrix'");
}

TEST_CASE("typing mistakes are said in the words of CUDA, once") {
  const auto said = [](std::vector<compiler_message> all) {
    say_in_cuda_words(all);
    std::string text;
    for (const compiler_message& m : all) text += m.severity + ": " + m.text + "\n";
    return text;
  };
  const auto error = [](const std::string& text, const std::string& written = {}) {
    return compiler_message{.severity = "error", .file = "a.cu", .line = 3, .text = text, .written = written};
  };
  const auto note = [](const std::string& text, const std::string& file = "/x/simt_cuda/device_functions.hpp") {
    return compiler_message{.severity = "note", .file = file, .line = 1, .text = text};
  };
  CHECK(said({error("unknown type name '__share__'")}) ==
        "error: unknown type name '__share__'; did you mean __shared__?\n");
  CHECK(said({error("unknown type name 'Matrix'")}) == "error: unknown type name 'Matrix'\n");
  CHECK(said({error("no member named 'X' in 'uint3'")}) ==
        "error: no member named 'X' in 'uint3'; did you mean 'x'?\n");
  CHECK(said({error("no member named 'cout' in namespace 'std'")}) ==
        "error: no member named 'cout' in namespace 'std'; add #include <iostream>\n");
  CHECK(said({error("invalid operands to binary expression ('void (int *)' and 'int')", "k<<1, 1>>(a);"),
              error("invalid operands to binary expression ('int' and 'int *')", "k<<1, 1>>(a);")}) ==
        "error: a launch is written kernel<<<grid, block>>>(arguments)\n");
  CHECK(said({error("illegal initializer (only variables can be initialized)", "__shared__ int s = 0;")})
            .starts_with("error: a __shared__ variable has no initial value"));
  // What notes in our headers say is said by the error.
  CHECK(said({error("use of undeclared identifier 'atomicadd'; did you mean 'atomicAdd'?"),
              note("'atomicAdd' declared here")}) ==
        "error: use of undeclared identifier 'atomicadd'; did you mean 'atomicAdd'?\n");
  CHECK(said({error("use of undeclared identifier 'blockdim'; did you mean 'blockDim'?"),
              note("'blockDim' declared here", "a.cu")}) ==
        "error: use of undeclared identifier 'blockdim'; did you mean 'blockDim'?\n");
  CHECK(said({error("no matching function for call to 'cudaMemcpy'"),
              note("candidate function not viable: requires 4 arguments, but 3 were provided")}) ==
        "error: no matching function for call to 'cudaMemcpy': requires 4 arguments, but 3 were provided\n");
  CHECK(said({error("no matching function for call to 'cudaMalloc'"),
              note("candidate template ignored: could not match 'T *' against 'int'")}) ==
        "error: the first argument of cudaMalloc is the address of the pointer that it sets: cudaMalloc(&x, ...)\n");
  // The user's own functions: one has its reason in the error, several have theirs each.
  const std::string wrong =
      "candidate function not viable: no known conversion from 'int *' to 'float *' for 1st argument";
  CHECK(said({error("no matching function for call to 'k'"), note(wrong, "a.cu")}) ==
        "error: no matching function for call to 'k': no known conversion from 'int *' to 'float *' for 1st argument\n"
        "note: 'k' is declared here\n");
  CHECK(said({error("no matching function for call to 'k'"), note(wrong, "a.cu"), note(wrong, "a.cu")}) ==
        "error: no matching function for call to 'k'\nnote: " + wrong + "\nnote: " + wrong + "\n");
}
