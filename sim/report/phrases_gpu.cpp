// SPDX-License-Identifier: Apache-2.0
// What is said about a launch that a real GPU gave up: the driver names no thread and no line.
#include "phrasebook.hpp"

namespace simt {
namespace {

constexpr const char* kFailed = "{suspects} failed: {text}";
constexpr const char* kNameIt = "run the program on the simulator with --check all, which names thread, line and array";

constexpr phrase_row kGpuRows[] = {
    {cause::gpu_address, "gpu_address", kFailed, "a thread accessed an address that belongs to no allocation", kNameIt},
    {cause::gpu_alignment, "gpu_alignment", kFailed, "an address is no multiple of the size of its access", kNameIt},
    {cause::gpu_space, "gpu_space", kFailed, "an instruction for one memory space was given an address of another",
     kNameIt},
    {cause::gpu_code, "gpu_code", kFailed, "a thread jumped to an address that holds no code", kNameIt},
    {cause::gpu_stack, "gpu_stack", kFailed, "a thread's call stack is corrupt or too small",
     "make local arrays smaller or the recursion shallower, or raise the stack: --stack BYTES"},
    {cause::gpu_assert, "gpu_assert", kFailed,
     "trap(), expect() or assert() ended the launch; the driver's message on standard error names block and thread",
     "find out why the condition does not hold for this thread"},
    {cause::gpu_instruction, "gpu_instruction", kFailed, "a thread executed an illegal instruction", kNameIt},
    {cause::gpu_launch, "gpu_launch", kFailed, "a thread trapped or accessed shared or local memory out of bounds",
     kNameIt},
    {cause::gpu_limit, "gpu_limit", kFailed, "the kernel ran longer than the system lets a kernel run on this device",
     "give the kernel less work, or use a device without a display"},
    {cause::gpu_timeout, "gpu_timeout", "{suspects} failed: it has not ended after {seconds} s",
     "a loop waits for a flag or a lock that is never set, or the work takes longer than the timeout",
     "run it on the simulator with --timeout, which says who waits where, or raise the timeout"},
    {cause::gpu_other, "gpu_other", kFailed, "the driver gave up the device's context",
     "start the program again; if it happens again, see the system's log"},
};

}  // namespace

std::span<const phrase_row> gpu_phrases() { return kGpuRows; }

}  // namespace simt
