// SPDX-License-Identifier: Apache-2.0
// What is said about two accesses that nothing orders.
#include "phrasebook.hpp"

namespace simt {
namespace {

constexpr const char* kUnordered = "{deeds} are not ordered: {later_doer} and {earlier_doer}";
constexpr const char* kWiden = "widen the scope of the atomic or fence, to device for threads of different blocks";
constexpr const char* kWidenApart =
    "widen the scope of the atomic or fence: device for threads of one GPU, system where the host takes part";
constexpr const char* kNarrowAtomics =
    "an atomic at {narrow_scope} scope does not reach the other thread, so the two are not atomic to each other";

constexpr phrase_row kRaceRows[] = {
    {cause::race_lanes, "race_lanes", kUnordered,
     "two lanes of one warp are not ordered without {sync_warp} or {sync}; no barrier has run between them",
     "{order_in_block}"},
    {cause::race_volatile_lanes, "race_volatile_lanes", kUnordered,
     "two lanes of one warp are not ordered without {sync_warp} or {sync}; no barrier has run between them; volatile "
     "keeps no lanes in step",
     "put {sync_warp} between reading the other lanes' elements and writing, and again before they are read"},
    {cause::race_block, "race_block", kUnordered, "{no_barrier}", "{order_in_block}"},
    {cause::race_volatile_block, "race_volatile_block", kUnordered,
     "no barrier has run between them; volatile orders no "
     "threads",
     "{order_in_block}"},
    {cause::race_blocks, "race_blocks", kUnordered,
     "blocks of one launch are not ordered: nothing makes block {later_block} wait for block {earlier_block}"
     "{no_grid_barrier}",
     "{order_of_blocks}"},
    {cause::race_blocks_handover, "race_blocks_handover", kUnordered,
     "blocks of one launch are not ordered: nothing makes block {later_block} wait for block {earlier_block}"
     "{no_grid_barrier}",
     "{order_of_blocks}"},
    {cause::race_blocks_unfenced, "race_blocks_unfenced", kUnordered,
     "block {later_block} may see what block {earlier_block} did at {flag_place} before {earlier_deed}: "
     "{why_unfenced}",
     "{mend_unfenced}"},
    {cause::race_blocks_unacquired, "race_blocks_unacquired", kUnordered,
     "block {later_block} has looked at a flag or counter that block {earlier_block} changed behind {earlier_line}, "
     "but no "
     "fence keeps that look before {later_line}: neither an atomic operation nor volatile keeps other accesses in "
     "order",
     "put {reaching_fence} between the look at the flag or counter and {later_line}"},
    {cause::race_held_lock, "race_held_lock", kUnordered,
     "both hold the lock that line {lock_taken} takes and line {lock_given} gives back; {lock_fails}", "{mend_lock}"},
    {cause::race_elements, "race_elements", kUnordered,
     "the elements of one launch are not ordered, whichever threads run them",
     "let each element write memory of its own, make the update atomic, or split the work into two launches"},
    {cause::race_async_copy, "race_async_copy", kUnordered, "{why_of_copy}", "{order_of_copy}"},
    {cause::race_streams, "race_streams", kUnordered,
     "{earlier_work} and {later_work}: no event, wait or common stream orders them",
     "put both on one stream, or record an event after {earlier_work} and wait for it before {later_work}"},
    {cause::race_graph, "race_graph", kUnordered,
     "{earlier_work} and {later_work}: no edge of the graph, no event and no wait orders them",
     "let the second node depend on the first: by an edge, or in a capture by an event that its stream waits for"},
    {cause::race_host, "race_host", kUnordered,
     "{earlier_work} and {later_work}: no event, wait or common stream orders them",
     "wait before the host touches the memory{at_host_line}: {wait_calls}"},
    {cause::race_child, "race_child", kUnordered,
     "kernel {earlier_kernel} launched kernel {later_kernel}: that begins behind what the launching thread did before, "
     "and no thread of {earlier_kernel} waits for it",
     "do in the parent before the launch what the child needs, with {sync} before it where other threads of the block "
     "take part; use what the child leaves in a kernel that is launched after it; a kernel that needs what the parent "
     "still does is launched into cudaStreamTailLaunch"},
    {cause::race_children, "race_children", kUnordered,
     "only kernels that one block launches on one stream run one after the other",
     "launch both from one block on one stream, give each memory of its own, or make the update atomic"},
    {cause::race_unconfirmed, "race_unconfirmed", kUnordered,
     "some threads confirm what they read with a compare-and-swap before they rely on it, and some rely on it alone",
     "read with an atomic"},
    {cause::scope_atomics, "scope_atomics", kUnordered, kNarrowAtomics, kWiden},
    {cause::scope_atomics_apart, "scope_atomics_apart", kUnordered, kNarrowAtomics, kWidenApart},
    {cause::scope_order, "scope_order", kUnordered, "{narrow_order}", "{widen}"},
    {cause::scope_order_apart, "scope_order_apart", kUnordered,
     "a release or acquire between them has a scope that does not reach the other thread ({earlier_work} to "
     "{later_work}); at system scope they would be ordered",
     kWidenApart},
    {cause::fence_missing, "fence_missing",
     "no fence keeps the data before its flag: {earlier_doer} writes it, {later_doer} reads it",
     "volatile orders nothing: others may see what is written at {flag_place} before the data",
     "put {reaching_fence} between writing the data and {flag_place}"},
    {cause::fence_narrow, "fence_narrow",
     "the fence between the data and its flag is too narrow: {earlier_doer} writes it, {later_doer} reads it",
     "{narrow_fence} does not reach the reader{narrow_reader}, who may see what is written at {flag_place} before the "
     "data",
     "make {narrow_fence} {reaching_fence}"},
    {cause::fence_of_reader, "fence_of_reader",
     "no fence keeps the reader's look at the flag before that at the data: {earlier_doer} writes it, {later_doer} "
     "reads it",
     "PTX promises the data only to who passes a fence or a barrier after reading the flag at {flag_place}; today's "
     "GPUs read in order",
     "put {reaching_fence} between {flag_place} and reading the data"},
    {cause::noncoherent_read, "noncoherent_read",
     "read through the read-only cache of what the same launch has written: {later_doer} and {earlier_doer}",
     "__ldg, ld.global.nc and texture fetches are for memory that no thread of the launch has written: that cache is "
     "not kept coherent with writes, so a GPU may give the value from before, behind barriers and fences, too",
     "read it by an ordinary load, or write it in an earlier launch"},
};

}  // namespace

std::span<const phrase_row> race_phrases() { return kRaceRows; }

}  // namespace simt
