// SPDX-License-Identifier: Apache-2.0
// What is said about accesses of device threads to memory that they may not use, or not yet.
#include "phrasebook.hpp"

namespace simt {
namespace {

constexpr const char* kCheckIndex = "{check_index}";
constexpr const char* kCopyIn = "{copy_in} and {pass_that}";
constexpr const char* kCopyPromise =
    "the call promises multiples of {bytes} and the hardware copies as many bytes at once: it traps, or leaves some "
    "out";
constexpr const char* kArrayPromise =
    "the call promises multiples of {bytes}: an array that is declared for less lies at one by luck, here and on a GPU";
constexpr const char* kAlignCopy = "align the array (alignas({bytes})) and the size, or promise less";
constexpr const char* kTypeAlignment =
    "the type promises this alignment, so a GPU may use one wide access, which traps where it does not hold";
constexpr const char* kAlignType = "align the data, or access it by its members' own type";
constexpr const char* kNotOfDevice =
    "the address is neither device memory, nor shared memory, nor a variable of this thread: on a GPU this crashes, or "
    "meets other data where it is a variable of another thread";
constexpr const char* kNull = "the address is null, or an offset from null: on a GPU this crashes";
constexpr const char* kExtents = "the view has {extents} elements; element ({position}) would lie at offset {offset}";

constexpr phrase_row kMemoryRows[] = {
    {cause::unwritten_shared, "unwritten_shared", "read of {element}, which nothing has written",
     "no thread, copy or fill has stored to this shared memory since it was given to the block",
     "write it before it is read, and wait at a barrier where another thread writes it; shared memory starts "
     "undefined"},
    {cause::unwritten_global, "unwritten_global", "read of {element}, which nothing has written",
     "no thread, copy or fill has stored to this device memory since it was allocated",
     "fill the buffer or copy data to it first; if a kernel was to write it, look at that one's grid and guards"},
    {cause::unwritten_copy, "unwritten_copy", "copy of {size_bytes} of {object}, none of which was ever written",
     "no thread, copy or fill has stored to this device memory since it was allocated",
     "look for the kernel or copy that should have written them: it was not launched, left early, or wrote elsewhere"},
    {cause::misaligned_access, "misaligned_access", "{act} at an address that is no multiple of {bytes}",
     "a GPU traps on accesses that are not aligned to their size", "{mend_alignment}"},
    {cause::misaligned_type, "misaligned_type",
     "{kind} of type {type} at an address that is no multiple of {alignment}", kTypeAlignment, kAlignType},
    {cause::misaligned_whole, "misaligned_whole",
     "{kind} of a structure or vector type at an address that is no multiple of {alignment}", kTypeAlignment,
     kAlignType},
    {cause::misaligned_refer, "misaligned_refer",
     "reference to type {type} at an address that is no multiple of {alignment}", kTypeAlignment, kAlignType},
    {cause::misaligned_size, "misaligned_size", "asynchronous copy of {size} bytes, which is no multiple of {bytes}",
     kCopyPromise, kAlignCopy},
    {cause::misaligned_array, "misaligned_array",
     "asynchronous copy in pieces of {bytes} {to_or_from} {element}, whose array is only aligned to {alignment}",
     kArrayPromise, kAlignCopy},
    {cause::misaligned_copy, "misaligned_copy",
     "asynchronous copy in pieces of {bytes} {to_or_from} an address that is no multiple of {bytes}", kCopyPromise,
     kAlignCopy},
    {cause::freed_memory, "freed_memory", "{act} of {element} after it was freed", "the allocation has ended",
     "{free_later}"},
    {cause::outside_before, "outside_before", "{act} at {element}, outside the {allocation}",
     "{distance_bytes} before the start of {object} ({size_bytes})", kCheckIndex},
    {cause::outside_behind, "outside_behind", "{act} at {element}, outside the {allocation}",
     "{distance_past}the end of {object} ({size_bytes})", kCheckIndex},
    {cause::outside_all, "outside_all", "{act} outside any {allocation}", "there is no {space} memory at this address",
     "{check_bytes}"},
    {cause::outside_left, "outside_left", "{act} at {element} in the shared memory of a block that has left the kernel",
     "a block's shared memory ends with it, and nothing keeps block {earlier_block} in the kernel until block "
     "{later_block} has used it",
     "put {sync_cluster} behind the last access to another block's shared memory ({later_line} is one), so that no "
     "block of the cluster leaves before all have done theirs"},
    {cause::outside_extent, "outside_extent", "index ({position}) is outside the extents {extents} of {view}", kExtents,
     "guard the index: i < size()"},
    {cause::outside_extents, "outside_extents", "index ({position}) is outside the extents {extents} of {view}",
     kExtents, "guard every axis of the index: row < extent(0) && column < extent(1)"},
    {cause::host_memory_read, "host_memory_read", "{caller} reads memory of the host", kNotOfDevice, kCopyIn},
    {cause::host_memory_written, "host_memory_written", "{caller} writes memory of the host", kNotOfDevice, kCopyIn},
    {cause::null_read, "null_read", "{caller} dereferences a null pointer", kNull, kCopyInOrTestNull},
    {cause::null_written, "null_written", "{caller} dereferences a null pointer", kNull, kCopyInOrTestNull},
};

}  // namespace

std::span<const phrase_row> memory_phrases() { return kMemoryRows; }

}  // namespace simt
