// SPDX-License-Identifier: Apache-2.0
// What is said about the host's dealings with device memory: touching it, copying, freeing, forgetting it.
#include "phrasebook.hpp"

namespace simt {
namespace {

constexpr const char* kNotOfHost = "device memory is not in the host's address space: on a GPU this crashes";
constexpr const char* kHostsOwn =
    "in host code the name means a variable of the host's own: on a GPU kernels and host do not see each other's "
    "values there";
constexpr const char* kCopyOfFreed =
    "freed memory may already belong to somebody else; here nothing was copied and an error was returned";
constexpr const char* kCopyPastEnd =
    "here nothing was copied and an error was returned; on a GPU the copy may reach other data";
constexpr const char* kFreeAfterCopy = "free the memory after its last copy";
constexpr const char* kCopyLess = "{copy_less}";
constexpr const char* kFreeRule = "{free_rule}";

constexpr phrase_row kHostRows[] = {
    {cause::host_reads_device, "host_reads_device", "the host reads device memory{quoted}", kNotOfHost, "{copy_out}"},
    {cause::host_writes_device, "host_writes_device", "the host writes device memory{quoted}", kNotOfHost,
     "{copy_out}"},
    {cause::host_reads_variable, "host_reads_variable", "the host reads the device variable{quoted} by its name",
     kHostsOwn, "copy its value out with {copy_from_symbol}, and read the copy"},
    {cause::host_writes_variable, "host_writes_variable", "the host writes the device variable{quoted} by its name",
     kHostsOwn, "copy the value to it with {copy_to_symbol}"},
    {cause::copy_reads_freed, "copy_reads_freed", "a copy of {act_bytes} from '{object}', which has been freed",
     kCopyOfFreed, kFreeAfterCopy},
    {cause::copy_writes_freed, "copy_writes_freed", "a copy of {act_bytes} to '{object}', which has been freed",
     kCopyOfFreed, kFreeAfterCopy},
    {cause::copy_reads_outside, "copy_reads_outside",
     "a copy of {act_bytes} from '{object}'{from_byte} reaches past its end ({size_bytes})", kCopyPastEnd, kCopyLess},
    {cause::copy_writes_outside, "copy_writes_outside",
     "a copy of {act_bytes} to '{object}'{from_byte} reaches past its end ({size_bytes})", kCopyPastEnd, kCopyLess},
    {cause::freed_twice, "freed_twice", "'{object}' is freed a second time",
     "the memory may already belong to somebody else", "free each buffer once, with the address it was given"},
    {cause::freed_inside, "freed_inside",
     "the pointer that is freed points {distance_bytes} into '{object}', not at its start", kFreeRule,
     "pass the pointer that the allocation returned"},
    {cause::freed_unknown, "freed_unknown", "{address} is freed, but no allocation starts there", kFreeRule,
     "pass the pointer that the allocation returned, once"},
    {cause::leaked, "leaked", "{prefix}{size_bytes} {is_or_are} still allocated at exit",
     "nothing freed the allocation that was made here",
     "free it on every path before the program ends, or give it one owner that does so when it goes out of scope"},
    {cause::call_failed, "call_failed", "{text} failed, and nobody looked at its result",
     "it returned {type}; the program goes on as if it had succeeded",
     "{mend_call}look at the result of every call, or ask for the last error behind it"},
    {cause::output_never_written, "output_never_written",
     "{count} of {size} elements of output {object} {was_or_were} never written",
     "no thread of any launch stored to them; they keep what they held before",
     "launch enough threads to cover the array, or loop with grid_stride"},
    {cause::output_differs, "output_differs", "output {object} depends on the schedule", "{text}",
     "order the steps that the result depends on, or make the result the same in every order"},
    {cause::printed_differs, "printed_differs", "what the program prints depends on the schedule", "{text}",
     "order the steps that the result depends on, or make the result the same in every order"},
    {cause::output_wrong_once, "output_wrong_once", "the result is right under one schedule and wrong under another",
     "{text}", "order the steps that the result depends on: an atomic operation, a lock or a barrier"},
};

}  // namespace

std::span<const phrase_row> host_phrases() { return kHostRows; }

}  // namespace simt
