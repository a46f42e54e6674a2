// SPDX-License-Identifier: Apache-2.0
// Inline PTX: instructions become calls, operands the expressions of the statement, and the rest is named.
#include <doctest/doctest.h>

#include <string>

#include "translated.hpp"

namespace {

// The instructions and registers that our headers have, as far as these tests use them.
const char* const kNames =
    "simt_ptx_add simt_ptx_mov simt_ptx_setp simt_ptx_sreg_laneid simt_ptx_addc simt_ptx_pmevent";

std::string statement(const std::string& text, const std::string& operands = "") {
  return "__device__ void f(int a, int b, int* p) {\nasm volatile(\"" + text + "\"" + operands + "); }";
}
std::string ptx(const std::string& text, const std::string& operands = "") {
  return translation_of(statement(text, operands), kNames);
}
std::string refusal(const std::string& text, const std::string& operands = "") {
  return translation_of(statement(text, operands), kNames);
}

}  // namespace

TEST_CASE("operands are the expressions in the statement's order") {
  const std::string text = ptx("add.s32 %0, %1, %2;", " : \"=r\"(a) : \"r\"(b + 1), \"r\"(p[0])");
  CHECK(text == contains("::simt_cuda::ptx::assign((a), ::simt_cuda::ptx::simt_ptx_add<std::int32_t>("));
  CHECK(text == contains("(b + 1), (p[0])"));
}

TEST_CASE("registers, predicates, constants, special registers") {
  const std::string text =
      ptx("{ .reg .pred q; .reg .u32 t; mov.u32 t, %%laneid; setp.eq.u32 q, t, 3; @q mov.u32 %0, 0f3f800000; @!q "
          "mov.u32 %0, "
          "-1; }",
          " : \"=r\"(a)");
  CHECK(text == contains("bool simt_reg_q = {};"));
  CHECK(text == contains("std::uint32_t simt_reg_t = {};"));
  CHECK(text == contains("::simt_cuda::ptx::simt_ptx_sreg_laneid()"));
  CHECK(text == contains("if (simt_reg_q) {"));
  CHECK(text == contains("if (!(simt_reg_q)) {"));
  CHECK(text == contains("__builtin_bit_cast(float, 0x3f800000u)"));
  CHECK(text == contains("(-1ll)"));
}

TEST_CASE("registers that are declared with a % are no special ones") {
  const std::string text =
      ptx("{ .reg .pred %%q; .reg .b32 %%r<2>; setp.eq.u32 %%q, %1, 3; @%%q mov.u32 %%r1, %%laneid; }",
          " : \"=r\"(a) : \"r\"(b)");
  CHECK(text == contains("bool simt_reg_q = {};"));
  CHECK(text == contains("if (simt_reg_q) {::simt_cuda::ptx::assign(simt_reg_r1, "));
  CHECK(text == contains("::simt_cuda::ptx::simt_ptx_sreg_laneid()"));
  CHECK(refusal("mov.u32 %0, %%q;", " : \"=r\"(a)") == contains("the special register '%q' is not supported"));
}

TEST_CASE("memory: space, offset, modifiers, vectors") {
  CHECK(ptx("ld.global.cg.v2.u32 {%0, %1}, [%2+8];", " : \"=r\"(a), \"=r\"(b) : \"l\"(p)") ==
        contains(
            "::simt_cuda::ptx::load<std::uint32_t>(\".cg.v2.\", ::simt_cuda::ptx::address((p), 8, false), (a), (b));"));
  CHECK(ptx("st.shared.u32 [%0], %1;", " :: \"r\"(a), \"r\"(b)") ==
        contains("::simt_cuda::ptx::address((a), 0, true)"));
  CHECK(ptx("bar.sync 0;") == contains("__syncthreads();"));
  CHECK(ptx("membar.gl;") == contains("__threadfence();"));
}

TEST_CASE("memory of other blocks of the cluster: by window, by pointer, with a barrier object that counts") {
  CHECK(ptx("mapa.shared::cluster.u32 %0, %1, 2;", " : \"=r\"(a) : \"r\"(b)") ==
        contains("assign((a), ::simt_cuda::ptx::map_window((b), (2ll)))"));
  CHECK(ptx("mapa.u64 %0, %1, 2;", " : \"=l\"(p) : \"l\"(p)") == contains("::simt_cuda::ptx::map_pointer((p), (2ll))"));
  CHECK(ptx("ld.shared::cluster.u32 %0, [%1+4];", " : \"=r\"(a) : \"r\"(b)") ==
        contains("::simt_cuda::ptx::cluster_address((b), 4)"));
  CHECK(ptx("ld.shared::cta.u32 %0, [%1];", " : \"=r\"(a) : \"r\"(b)") ==
        contains("::simt_cuda::ptx::address((b), 0, true)"));
  const std::string stored =
      ptx("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.b32 [%0], {%1, %1}, [%2];",
          " :: \"r\"(a), \"r\"(b), \"r\"(b)");
  CHECK(stored == contains("store<std::uint32_t>("));
  CHECK(stored == contains("mbarrier_change(\".cluster.\", ::simt_cuda::ptx::cluster_address((b), 0), 0, 0, "
                           "-static_cast<::std::int64_t>(2 * sizeof(std::uint32_t)));"));
  CHECK(ptx("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], 16, [%0];",
            " :: \"r\"(a), \"r\"(b)") ==
        contains(
            "copy_bulk(::simt_cuda::ptx::cluster_address((a), 0), ::simt_cuda::ptx::address((b), 0, true), (16ll), "));
}

TEST_CASE("a result that is not wanted goes nowhere") {
  CHECK(ptx("atom.global.add.u32 _, [%0], 1;", " :: \"l\"(p)") == contains("assign(::simt_cuda::ptx::sink(), "));
}

TEST_CASE("what is not covered is named at its line") {
  CHECK(refusal("mma.sync.aligned.m16n8k8 %0, %1;", " : \"=r\"(a) : \"r\"(b)") ==
        contains("gnu::error(\"inline PTX: 'mma.sync.aligned.m16n8k8' is not supported; write it in CUDA C++"));
  CHECK(refusal("bra done;") == contains("there is no label 'done' in this statement"));
  CHECK(refusal("mov.u32 %0, %%nosuch;", " : \"=r\"(a)") ==
        contains("the special register '%nosuch' is not supported"));
  CHECK(refusal("add.s32 %0, %1, %7;", " : \"=r\"(a) : \"r\"(b)") == contains("there is no operand '%7'"));
}

TEST_CASE("a carry is the statement's, the function's or the thread's") {
  const std::string first = R"(asm("add.cc.u32 %0, %0, %1;" : "+r"(a) : "r"(b)); )";
  const std::string second = R"(asm("addc.u32 %0, %0, %1;" : "+r"(a) : "r"(b)); )";
  const std::string both = R"(asm("add.cc.u32 %0, %0, %1; addc.u32 %0, %0, %1;" : "+r"(a) : "r"(b)); )";
  const std::string names = std::string(kNames) + " simt_ptx_addc";
  const auto f = [](const std::string& name, const std::string& body) {
    return "__device__ void " + name + "(int a, int b) { " + body + "}\n";
  };
  CHECK(translation_of(f("alone", both), names) == contains("({ bool simt_carry = false;"));
  const std::string of_function = translation_of(f("pair", first + second), names);
  CHECK(of_function == contains("pair(int a, int b) { [[maybe_unused]] bool simt_carry = false;"));
  CHECK(of_function != contains("({ bool simt_carry"));
  CHECK(of_function != contains("carry_of_thread"));
  const std::string of_thread = translation_of(f("add_cc", first) + f("addc", second) + f("alone", both), names);
  CHECK(of_thread == contains("add_cc(int a, int b) { ({ bool simt_carry = ::simt_cuda::carry_of_thread();"));
  CHECK(of_thread == contains("::simt_cuda::leave_carry(simt_carry); }) ; } void addc("));
  CHECK(of_thread == contains("alone(int a, int b) { ({ bool simt_carry = false;"));
}

TEST_CASE("a statement that is a loop's body keeps what others see of its waiting") {
  const std::string body = R"(asm volatile("mov.u32 %0, %1;" : "=r"(a) : "r"(b));)";
  const auto loop = [&](const std::string& text) {
    return translation_of("__device__ void f(int a, int b, volatile int* p) { " + text + " }", kNames);
  };
  CHECK(loop("do " + body + " while (a == 0);") == contains("do { ::simt_cuda::spin(); ({ "));
  CHECK(loop("do " + body + " while (a == 0);") == contains("}) ; } while (a == 0);"));
  CHECK(loop("while (*p) " + body) == contains("while (*p) { ::simt_cuda::spin(); ({ "));
}

TEST_CASE("assembly of the host is the compiler's") {
  CHECK(translation_of("void f() { asm(\"nop\"); }", kNames) == "void f() { asm(\"nop\"); }");
}

TEST_CASE("video instructions: types, parts of registers, signs, and those that are not there") {
  const std::string three = " : \"=r\"(a) : \"r\"(a), \"r\"(b), \"r\"(p[0])";
  CHECK(ptx("vadd.s32.u32.s32.sat.add %0, %1, %2, %3;", three) ==
        contains("::simt_cuda::ptx::video_scalar<std::int32_t, std::uint32_t, std::int32_t>(\".sat.add.\", "
                 "::simt_cuda::ptx::video::add, {}, (a), {}, (b), {}, (p[0]))"));
  CHECK(ptx("vsub.u32.u32.u32 %0.b1, %1.h1, %2, %3;", three) == contains("{8, 8}, (a), {16, 16}, (b), {}, (p[0]))"));
  CHECK(ptx("vmad.s32.s32.s32.shr7 %0, -%1, %2, -%3;", three) ==
        contains("(\".shr7.\", true, true, (a), {}, (b), {}, (p[0]))"));
  CHECK(ptx("vset4.u32.u32.ge %0, %1, %2, %3;", three) ==
        contains("video_lanes<4, ::std::uint32_t, std::uint32_t, std::uint32_t>(\".ge.\", "));
  CHECK(refusal("vavrg.u32.u32.u32 %0, %1, %2, %3;", three) == contains("'vavrg.u32.u32.u32' is not supported"));
  CHECK(refusal("vadd.u32.u32.u32 %0, %1.b4, %2;", three) == contains("'vadd.u32.u32.u32' is not supported"));
  CHECK(refusal("vshl2.u32.u32.u32 %0, %1, %2, %3;", three) == contains("'vshl2.u32.u32.u32' is not supported"));
}

TEST_CASE("exit returns from the kernel that it stands in, and only from there") {
  const auto kernel = [](const std::string& body) { return "__global__ void k(int* p) {\n" + body + "}"; };
  const std::string leave = "for (::simt_cuda::leave_kernel();;) return;";
  CHECK(translation_of(kernel("if (p) { asm volatile(\"exit;\"); } else asm(\"ret;\"::);"), kNames) == contains(leave));
  CHECK(translation_of(kernel("asm volatile(\"{ .reg .pred q; setp.eq.u32 q, %0, 3; @q exit; }\" :: \"r\"(*p));"),
                       kNames) == contains("if (simt_reg_q) {" + leave + "}"));
  const std::string elsewhere = "'exit' ends a thread only where it stands in a kernel itself";
  CHECK(refusal("exit;") == contains(elsewhere));
  CHECK(translation_of(kernel("auto f = [&] { asm(\"exit;\"); }; f();"), kNames) == contains(elsewhere));
  CHECK(translation_of(kernel("auto f = [&](int) { if (p) { asm(\"exit;\"); } }; f(1);"), kNames) ==
        contains(elsewhere));
  CHECK(translation_of(kernel("struct s { void f() { asm(\"exit;\"); } }; s{}.f();"), kNames) == contains(elsewhere));
  CHECK(ptx("pmevent 3;") == contains("::simt_cuda::ptx::simt_ptx_pmevent<void>(\".\", (3ll));"));
}
