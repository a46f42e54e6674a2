// SPDX-License-Identifier: Apache-2.0
// What the rules about kernels that stop mean.
#include "explain.hpp"

namespace simt {

std::vector<rule_knowledge> trap_knowledge() {
  return {
      {rule::stack_overflow, "a device thread used more stack than it has",
       R"(Each device thread has a stack of its own for local arrays, spilled variables and calls. Deep recursion or a
large local array goes past its end. The simulator's stacks are larger than a GPU's usual limit (CUDA gives 1 KiB a
thread unless told otherwise), so a kernel that overflows here will not run there.)",
       R"(SIMT_DEVICE int depth(int n) { return n == 0 ? 0 : 1 + depth(n - 1); }
...
out[i] = depth(1 << 20);     // stack-overflow)",
       R"(Turn the recursion into a loop, move large arrays to shared or global memory, or, if the depth is bounded and
meant, raise the limit: simrun --stack BYTES here, the device's stack limit on a GPU.)"},
      {rule::device_trap, "the kernel stopped itself: a failed assert or t.trap()",
       R"(A thread called t.trap() or an assertion in device code failed. On a GPU the whole launch ends with an error
and the context is lost; here the finding names the thread and the line.)",
       R"(assert(bin < bins.size());   // device-trap)",
       R"(The condition was wrong for the thread that is named: look at its indices and values. Use the block and thread
of the finding to print or break there.)"},
      {rule::device_exception, "a C++ exception left a kernel",
       R"(Device code cannot throw: nvcc does not compile throw expressions in device code, and a library function that
throws on the host does not exist there. On the simulator the exception ends the launch; the finding carries its
type and message.)",
       R"(SIMT_DEVICE void k(simt::thread t, simt::view<int> x) {
  std::vector<int> v(4);
  x[0] = v.at(7);            // device-exception: std::out_of_range
})",
       R"(Check the condition and handle it, or call t.trap(). Use plain arrays, views and shared memory in kernels.)"},
      {rule::division_by_zero, "an integer was divided by zero",
       R"(An integer division or remainder by zero stops a program on x86 and gives an unspecified number on a GPU,
silently. Either way the result is meaningless, so it is reported where it happens. (Dividing the smallest integer by
-1 is the same defect.) Floating-point division by zero gives infinity and is none.)",
       R"(const int per_bin = n / used;   // division-by-zero where used is 0)",
       R"(Guard the divisor, or make sure on the host that it cannot be zero before the launch:

    const int per_bin = used > 0 ? n / used : 0;)"},
  };
}

}  // namespace simt
