// SPDX-License-Identifier: Apache-2.0
// What the rules about memory mean.
#include "explain.hpp"

namespace simt {

std::vector<rule_knowledge> memory_knowledge() {
  return {
      {rule::out_of_bounds, "an access outside the allocation, the shared array or the extents of the view",
       R"(The kernel used an address or an index outside what it was given. An index of a view outside its extent is
reported even where the address happens to lie in the same buffer or in another one: x(i, j) with j too large reads
the next row and a GPU says nothing.

The usual cause is a grid that is larger than the data and a guard that is missing or lets some threads through.)",
       R"(SIMT_DEVICE void scale(simt::thread t, simt::view<float> x, float f) {
  auto [i] = t.grid<1>();
  x[i] *= f;              // out-of-bounds: the last block has more threads than elements are left
})",
       R"(Guard the access, with || between the axes where a thread must leave:

    if (i >= x.size()) return;

or loop with t.grid_stride(x.size()), which visits each element once whatever the grid. Do not return before a
barrier that the other threads of the block wait at.)"},
      {rule::uninitialized_read, "a byte was read that nothing has written",
       R"(The bytes belong to a live buffer or shared array, but no kernel, copy or fill has written them since they
were allocated. On a GPU they hold what was there before. Shared memory starts uninitialised in every block, and
a new simt::buffer holds nothing either. The check follows copies: copying such bytes is no defect, using
them is.)",
       R"(auto& sums = t.shared<"sums", float[32]>();
if (t.lane() == 0 && t.thread_idx().x < 32) sums[t.warp()] = mine;
t.sync();
total += sums[t.lane()];   // uninitialized-read: only sums[0] was ever written)",
       R"(Write the bytes first on every path, or give the array a start value and a barrier:

    if (t.thread_idx().x < 32) sums[t.thread_idx().x] = 0;
    t.sync();)"},
      {rule::misaligned, "the address is no multiple of the size of the access",
       R"(A GPU can load and store a value only at a multiple of its size: 4 bytes at 4, 8 at 8, a float4 at 16. A host
CPU forgives this; a GPU stops the kernel with "misaligned address". The cause is most often a cast: float4 loads
from a float pointer with an odd offset, or a struct laid over a byte buffer.)",
       R"(auto* four = reinterpret_cast<float4*>(&x[i + 1]);
float4 v = *four;          // misaligned: &x[i + 1] is a multiple of 4, not of 16)",
       R"(Keep vector accesses at multiples of their own size (pad rows, start at an aligned element), use narrower
loads at the ragged ends, or copy the bytes with memcpy, which makes no promise about alignment.)"},
      {rule::use_after_free, "an access to device memory that has been freed",
       R"(The buffer that the address belonged to has been destroyed or freed. A GPU may give the same addresses to the
next allocation, so that the kernel reads or destroys somebody else's data. Launches run asynchronously: a buffer that
goes out of scope on the host before the stream is synchronised is freed while kernels still use it.)",
       R"(simt::view<float> v;
{
  simt::buffer<float> x(1024, "x");
  v = x.view();
}                                         // x is freed here
simt::launch<scale>(stream, cfg, v, 2.f);   // use-after-free in scale)",
       R"(Let the buffer live until the last kernel that uses it has finished: declare it outside, or call
stream.synchronize() before it goes.)"},
      {rule::invalid_free, "memory was freed twice, or was never allocated by this device",
       R"(The pointer handed to a free is not the start of a live allocation: it was freed before, points into the
middle of a buffer, or came from somewhere else (the host's allocator, the stack, another device).)",
       R"(float* p = nullptr;
cudaMalloc(&p, 100 * sizeof(float));
cudaFree(p);
cudaFree(p);           // invalid-free)",
       R"(Let simt::buffer own the memory: it frees once. With raw pointers give every allocation one owner, and free
with the function that belongs to the one that allocated.)"},
      {rule::leak, "device memory that is still allocated when the program ends",
       R"(The allocation was never freed. The operating system takes the memory back when the process ends, but a
long-running program that does this in a loop runs out of device memory. The finding names the place of the
allocation.)",
       R"(void step() {
  float* scratch = nullptr;
  cudaMalloc(&scratch, 1 << 22);     // leak
  relax<<<grid, block>>>(scratch);
})",
       R"(Use simt::buffer, or free what was allocated on every path, early returns and exceptions included.)"},
      {rule::constant_write, "a kernel wrote to constant memory",
       R"(Kernels may only read a __constant__ variable: multiprocessors keep copies of it that no store updates. A direct
assignment is an error of nvcc; through a pointer or a cast it compiles, and what happens is not defined.)",
       R"(__constant__ float weights[9];
__global__ void scale(float by) {
  const_cast<float*>(weights)[threadIdx.x] *= by;   // constant-write
})",
       R"(Make it a variable of the device (__device__, SIMT_DEVICE_VARIABLE), or write it from the host between launches.)"},
      {rule::host_memory, "a kernel touched host memory, or the host touched device memory",
       R"(Host and device memory are different memories: a pointer of one means nothing to the other. On the simulator
both live in one process, so the access would work here; on a GPU it is an illegal address or a crash. Managed and
pinned memory may be used by both and is not reported.)",
       R"(std::vector<float> x(1024);
simt::launch<scale>(stream, cfg, simt::view<float>(x.data(), 1024), 2.f);   // host-memory in scale)",
       R"(Copy: simt::to_device(x) gives a buffer that kernels may use, simt::to_host(buffer) brings it back. A host
array passed straight to a launch is copied in and out for you; a raw pointer to it is not.)"},
      {rule::unwritten_output, "elements of an output that no thread has written (a warning)",
       R"(The program declares this buffer as an output, and after the last launch some of its elements still hold what
they held before. Most often the grid is too small for the data and the kernel has no loop over the rest.)",
       R"(simt::launch<inc>(stream, {.grid = 100, .block = 64}, x);
// unwritten-output: x has 1,000,000 elements, 6,400 threads leave 993,600 of them out)",
       R"(Cover the data: grid = (n + block - 1) / block with a guard in the kernel, or a grid-stride loop that makes any
grid right:

    for (auto i : t.grid_stride(x.size())) x[i] += 1;)"},
      {rule::unchecked_error, "a call of the CUDA runtime failed, and the program did not look at its result",
       R"(Calls of the runtime say by their result that they did nothing. A program that throws the result away, and does not
ask cudaGetLastError() later either, goes on with memory that was never allocated or never copied. The finding names the
first such call. In a run without checks it is a warning.)",
       R"(cudaMemcpy(d_x, h_x, bytes, cudaMemcpyDeviceToHost);   // unchecked-error: the wrong way round, nothing is copied)",
       R"(Look at the result: if (cudaError_t e = cudaMemcpy(...); e != cudaSuccess) { ... }. Write (void) before a call whose
failure does not matter.)"},
      {rule::nondeterministic_output, "the result of a program depends on the schedule",
       R"(Two runs that differ only in the order in which threads went on gave different outputs. Where the program compares
its result and only one of them is right, that is an error; where it has no opinion, or finds both right, a warning: an
order of elements may be free. The finding names both schedules. `simrun --explore` and `--schedule pct` look for it.)",
       R"(if (t.atomic_add(arrived[0], 1) == 0) winner[0] = t.rank();   // nondeterministic-output: whoever comes first)",
       R"(Find the step that the result hangs on: the finding's replay shows the second schedule. Make it the same in every
order (the smallest rank instead of the first to come), or order the threads.)"},
  };
}

}  // namespace simt
