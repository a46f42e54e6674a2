// SPDX-License-Identifier: Apache-2.0
// What is said about a kernel that did not reach its end.
#include "phrasebook.hpp"

namespace simt {
namespace {

constexpr const char* kInvalidAddress = "{faulter} of kernel {kernel} accessed invalid address {address}";
constexpr const char* kTrapEnds = "a trap ends the launch; the results of all its threads are lost";
constexpr const char* kFindOut = "find out why the condition does not hold for this thread";
constexpr const char* kMaskRule =
    "every lane that a mask names, and no other, must execute the same warp operation with the same mask";
constexpr const char* kMaskFix =
    "name the lanes that take part: compute the mask before the branch, with {ballot_of_condition}";

constexpr phrase_row kFaultRows[] = {
    {cause::fault_freed, "fault_freed", kInvalidAddress, "the memory had been freed",
     "free the buffer after the last kernel that uses it"},
    {cause::fault_no_allocation, "fault_no_allocation", kInvalidAddress, "the address belongs to no allocation",
     "guard the index with the array's extent"},
    {cause::fault_null, "fault_null", "{faulter} of kernel {kernel} dereferences a null pointer",
     "the address is null, or an offset from null: on a GPU this crashes", kCopyInOrTestNull},
    {cause::fault_no_device, "fault_no_device", kInvalidAddress, "the address is neither device nor shared memory",
     "check the index; `--check memory` names the array"},
    {cause::fault_misaligned, "fault_misaligned",
     "{faulter} of kernel {kernel} made a vector access at an address that is no multiple of its size",
     "an aligned type was loaded or stored there; this CPU traps as a GPU does",
     "align the data, or access it by its members' own type; `--check memory` names the array"},
    {cause::fault_division, "fault_division", "{faulter} of kernel {kernel} divided an integer by zero",
     "the result is unspecified on a GPU and a trap on this CPU", "guard the divisor"},
    {cause::fault_constant, "fault_constant", "{faulter} of kernel {kernel} writes to constant memory: {element}",
     "kernels may only read constant memory; on a GPU the write is lost, or other threads go on with the old value",
     "make it a variable of the device (__device__), or write it from the host ({copy_to_symbol}) between launches"},
    {cause::fault_stack, "fault_stack", "{faulter} of kernel {kernel} used up its stack of {size} bytes",
     "local arrays and calls of the thread need more than one thread's stack holds",
     "make local arrays smaller or the recursion shallower, or raise the stack: --stack {larger_size} (environment "
     "SIMT_STACK)"},
    {cause::fault_trap, "fault_trap", "{faulter} of kernel {kernel} trapped: the kernel called {trap}", kTrapEnds,
     kFindOut},
    {cause::fault_expect, "fault_expect", "{faulter} of kernel {kernel} trapped: {text}", kTrapEnds, kFindOut},
    {cause::fault_assert, "fault_assert", "{faulter} of kernel {kernel} trapped: assertion {text}", kTrapEnds,
     kFindOut},
    {cause::fault_instruction, "fault_instruction", "{faulter} of kernel {kernel} trapped: illegal instruction",
     kTrapEnds, kFindOut},
    {cause::fault_exception, "fault_exception", "{faulter} of kernel {kernel} threw an exception: {text}",
     "there are no exceptions on a GPU: this kernel would not compile there",
     "write an error code to memory instead of throwing"},
    {cause::fault_deadlock, "fault_deadlock",
     "kernel {kernel} cannot go on: every thread waits for something that no other thread can bring about",
     "no thread that could end the wait is left", "make every thread that is waited for arrive"},
    {cause::fault_hang, "fault_hang",
     "kernel {kernel} does not end: all threads that are left wait in loops, and none of them can end the others' wait",
     "the flag or lock that they wait for is never set; a kernel runs where it is launched, so what its host thread "
     "sets after the launch, or a later launch on another stream, comes too late",
     "look at what should have set it: a thread that left, a block that was never resident, a missing store; kernels "
     "that wait for each other belong into one launch"},
    {cause::fault_hang_blocks, "fault_hang_blocks",
     "kernel {kernel} does not end: all threads that run wait in loops, and {count} or more of {size} blocks "
     "have not begun",
     "a block begins when the device has room for it, and none of those that it holds can end",
     "launch no more blocks than the device holds at once, and let each do more of the work: what all blocks wait for, "
     "such as a barrier made by hand, needs all of them there; if they do not wait for other blocks, look for the "
     "store that should have ended their wait"},
    {cause::fault_hang_locks, "fault_hang_locks",
     "kernel {kernel} does not end: all threads that are left wait for locks, and none of them can give one back",
     "whoever holds a lock waits for another one, or has left without giving it back",
     "take locks in the same order everywhere, and give each back on every path"},
    {cause::fault_hang_object, "fault_hang_object",
     "kernel {kernel} does not end: all threads that are left wait at {counter}, and nobody is left to arrive there",
     "{counter} opens when as many have arrived as it was made for{object_expects}, and fewer have come",
     "make {counter} for the number of arrivals that come to it, each thread's one: those that go another way, or "
     "leave, do not count{text}"},
    {cause::fault_hang_count, "fault_hang_count",
     "kernel {kernel} does not end: all threads that are left wait for {counter} to reach a value, and nobody is left "
     "to change it",
     "{counter} counts who has come, as in a barrier made by hand: those that wait expect another number than has been "
     "counted",
     "wait for as many as are counted: the number of blocks where one thread of each counts, that of all threads where "
     "each does; set the counter back before the next launch; or launch it cooperatively, and use {sync_grid} instead"},
    {cause::fault_endless, "fault_endless", "kernel {kernel} does not end: {faulter} is in a loop that never ends",
     "its registers and its stack come back to the same state again and again, and it touches no other memory",
     "make something in the loop change its condition; a loop that waits for another thread must read by an atomic or "
     "volatile, or the compiler reads only once"},
    {cause::fault_timeout, "fault_timeout", "kernel {kernel} did not end within the time limit",
     "given up by --timeout",
     "look at the loop around this place: what is to end it does not come about; one that waits for another thread "
     "must read by an atomic or volatile; raise --timeout if the kernel is only slow"},
    {cause::fault_own_lane, "fault_own_lane",
     "{faulter} of kernel {kernel}: lane {lane} called with mask {mask}, which does not name it", kMaskRule,
     "name every lane that comes here, lane {lane} among them: 0xffffffff where the whole warp does; else compute the "
     "mask before the branch, with {ballot_of_condition}"},
    {cause::fault_lanes_missing, "fault_lanes_missing",
     "{faulter} of kernel {kernel}: warp {warp}: {operation} with mask {mask} waits for {lane_list}, which never "
     "{comes_or_come}",
     kMaskRule, kMaskFix},
    {cause::fault_not_cooperative, "fault_not_cooperative",
     "{faulter} of kernel {kernel} trapped: grid sync in a launch that is not cooperative", kTrapEnds,
     "launch it cooperatively: {cooperative}"},
    {cause::fault_map_rank, "fault_map_rank",
     "{faulter} of kernel {kernel} trapped: there is no block {lane} in a cluster of {size}",
     "{map_shared} takes the rank of a block of the same cluster", "check the rank against the size of the cluster"},
    {cause::fault_map_address, "fault_map_address",
     "{faulter} of kernel {kernel} trapped: {map_shared} of an address outside the block's own shared memory",
     "{map_shared} takes an address in the block's own shared memory and gives the same place in another block's",
     "pass the address of a shared array of this block"},
};

}  // namespace

std::span<const phrase_row> fault_phrases() { return kFaultRows; }

}  // namespace simt
