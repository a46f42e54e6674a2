// SPDX-License-Identifier: Apache-2.0
// What exactly happened, as data: a cause and the facts that its phrase needs.
//
// Whoever finds a defect picks the cause and fills its facts; sim/report/phrasebook.hpp turns both into sentences when
// a report is rendered. Nothing here is text for people, but what the user's own program said (facts::text) and names.
// Facts are named behind each cause; what a finding has anyway (object, index, bytes, accesses) is not repeated.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace simt {

// Who takes part in the order that an atomic or a fence makes; as in PTX. system: device and host.
enum class sync_scope : std::uint8_t { thread, block, cluster, device, system };

// What the lanes of a warp do together.
enum class warp_operation : std::uint8_t { sync, shuffle, vote, match, reduction };

enum class cause : std::uint8_t {
  none,

  // Races: two accesses, the later first, that nothing orders.
  race_lanes,              // of one warp. barriers
  race_volatile_lanes,     // of one warp, both volatile. barriers
  race_block,              // of one block, in different warps. barriers
  race_volatile_block,     // the same, both volatile. barriers
  race_blocks,             // of different blocks of one launch
  race_blocks_handover,    // the same: one block reads what the other writes
  race_blocks_unfenced,    // of blocks: no fence keeps the earlier side before the flag, the third access, that told of
                           // it
  race_blocks_unacquired,  // of blocks: no fence behind the later side's look at what tells of the earlier one.
                           // later_scope: of such a fence
  race_held_lock,          // both sides hold a lock, which does not keep what they do in order. lock
  race_elements,           // of different elements of one launch of simt::launch_each
  race_async_copy,      // an asynchronous copy is one side, or both. wait_call; next_turn: it fills again what was in
                        // use; text: the call that gives its stage back, lock.given: its line
  race_streams,         // of different launches or copies
  race_graph,           // the same, and a branch of a graph is one side, or both
  race_host,            // the host is one side
  race_child,           // of a kernel and one that it launched, the later
  race_children,        // of two kernels that kernels launched
  race_unconfirmed,     // a read that some threads confirm by a compare-and-swap and some do not
  scope_atomics,        // two atomics of one launch, of which one has too narrow a scope. scopes
  scope_atomics_apart,  // the same in different launches, or with the host. scopes
  scope_order,          // of one launch; a release or acquire between the two has too narrow a scope
  scope_order_apart,    // the same in different launches, or with the host

  // Volatile data of another thread. facts::later_scope is what the fence needs; the third access, where there is one,
  // is the write of the flag or counter, or the reader's look at it.
  fence_missing,    // no fence between the write of the data and that of the flag
  fence_narrow,     // one whose scope does not reach the reader
  fence_of_reader,  // the writer has its fence; none between the reader's look at the flag and at the data

  // What is read through the read-only cache; the other access is the write by the same launch.
  noncoherent_read,

  // Accesses of device threads to memory.
  unwritten_shared,     // read before anything wrote to it
  unwritten_global,     // the same
  unwritten_copy,       // the host copies memory of which nothing was written. size: of the copy
  misaligned_access,    // of a plain type. text: the call that reads or writes a surface there
  misaligned_type,      // of a structure or vector type. type, alignment
  misaligned_whole,     // the same, of a type that nobody could name. alignment
  misaligned_refer,     // a reference to such a type is made. type, alignment
  misaligned_size,      // asynchronous copy whose size is no multiple of its pieces. size
  misaligned_array,     // asynchronous copy; the array is declared with less. alignment: of the array
  misaligned_copy,      // asynchronous copy; the address
  freed_memory,         // used after it was freed
  outside_before,       // in front of the object. distance: bytes before its start; size: of the object
  outside_behind,       // behind the object. distance: bytes past its end; size: of the object
  outside_all,          // near no object
  outside_left,         // shared memory of a block of the cluster, the other side, that has left the kernel
  outside_extent,       // an index of a view of one axis. position, extents, offset
  outside_extents,      // the same with more axes. position, extents, offset
  host_memory_read,     // a kernel reads memory of the host
  host_memory_written,  // a kernel writes it
  null_read,            // a kernel reads at a null pointer, or near it
  null_written,         // a kernel writes there

  // What the host does with device memory.
  host_reads_device,     // by a plain access
  host_writes_device,    // by a plain access
  host_reads_variable,   // the same, of a variable at namespace scope, by its name
  host_writes_variable,  // the same
  copy_reads_freed,      // a copy, refused. size: of the copy
  copy_writes_freed,     // a copy, refused. size: of the copy
  copy_reads_outside,    // a copy, refused. offset: where it starts; size: of the object
  copy_writes_outside,   // a copy, refused. offset: where it starts; size: of the object
  freed_twice,           // address
  freed_inside,          // freed by an address that is not the start of its allocation. address
  freed_unknown,         // never allocated. address
  leaked,                // size: of the allocation
  call_failed,           // of the runtime, and nobody looked. text: its name; type: the error
  output_never_written,  // of a program's declared output. count: elements; size: of the output, in elements
  output_differs,        // between two schedules. text: those
  printed_differs,       // between two schedules. text: those
  output_wrong_once,     // right under one schedule, wrong under another. text: those

  // Barriers and warps.
  barriers_differ,       // threads of a block wait at different ones
  barrier_unreachable,   // threads wait at one that others can never reach. barriers, count: threads that wait
  barrier_skipped,       // threads went past one that others wait at, to their end. count: of them; size: of the block
  blocks_missing,        // blocks left that others wait for at the grid's barrier. count: of them; size: all blocks
  barrier_after_exit,    // threads exited before a barrier of their block. count: of them; size: threads of the block
  lanes_exited,          // a mask names lanes that have exited. operation, warp, lanes: those; mask
  lanes_elsewhere,       // a mask names lanes that went past the operation. The same
  shuffle_from_outside,  // a shuffle reads from a lane that takes no part. mask, lane

  // What ends a kernel.
  fault_freed,            // an access to freed memory. address
  fault_no_allocation,    // an access where nothing is allocated. address
  fault_null,             // an access at a null pointer, or near it. address
  fault_no_device,        // an access to what is no memory of the device. address
  fault_misaligned,       // an aligned instruction at an unaligned address
  fault_division,         // of an integer by zero
  fault_constant,         // a kernel writes to constant memory
  fault_stack,            // a thread's stack is used up. size: of the stack
  fault_trap,             // the kernel stopped itself
  fault_expect,           // a condition that the kernel states does not hold. text: as the program states it
  fault_assert,           // a failed assert(). text: its expression, with file and line
  fault_instruction,      // an illegal instruction
  fault_exception,        // text: what it said
  fault_deadlock,         // every thread waits, none can go on
  fault_hang,             // every thread that is left waits in a loop on memory
  fault_hang_blocks,      // the same, and blocks have not begun. count, size: of the grid
  fault_hang_locks,       // the same, and the loops take locks
  fault_hang_object,      // the same, at a cuda::barrier or latch. target: its name; operand: how many arrivals it was
                          // made for, by the text; update_line: where
  fault_hang_count,       // the same, and the loops wait for a count. target: its name
  fault_endless,          // a thread's loop comes back to the same state for ever
  fault_timeout,          // the time limit is over
  fault_own_lane,         // a lane's mask does not name it. lane, mask
  fault_lanes_missing,    // lanes that a mask names never come. operation, warp, mask, lanes: those that miss
  fault_not_cooperative,  // a grid barrier in a launch that is not cooperative
  fault_map_rank,         // map_shared names a block that the cluster has not. lane: the block; size: of the cluster
  fault_map_address,      // map_shared of an address outside the block's shared memory

  // What a real GPU reports, without a thread or a line. kernels, text: the driver's words
  gpu_address,
  gpu_alignment,
  gpu_space,  // an address of another memory space
  gpu_code,   // a jump to where no code is
  gpu_stack,
  gpu_assert,
  gpu_instruction,
  gpu_launch,   // a trap, or shared or local memory out of bounds
  gpu_limit,    // over the time that the system grants
  gpu_timeout,  // over --timeout. seconds
  gpu_other,
};
inline constexpr int cause_count = static_cast<int>(cause::gpu_other) + 1;

// A race of two blocks of one launch: a barrier of the grid would order them, a block's barrier does not.
constexpr bool is_between_blocks(cause c) {
  return c == cause::race_blocks || c == cause::race_blocks_handover || c == cause::race_blocks_unfenced ||
         c == cause::race_blocks_unacquired;
}

// Where a barrier may stand that orders the two sides of a race, or of which some threads did not come: by the text
// alone. Lines; 0: not known, or there is none.
inline constexpr std::uint32_t kWholeWarp = 0xffffffffU;
struct barrier_place {
  int after = 0, before = 0;  // the statements that it goes between
  int guard = 0;              // the outermost branch or loop around both that not all threads take alike
  bool guard_is_loop = false;
  std::uint32_t lanes = 0;  // those that take the branch of one warp around both; 0: there is no such branch
  bool in_loop = false;     // a loop has both
  int turn = 0;             // the innermost of them that all threads take alike: its head,
  int turn_begin = 0, turn_end = 0, turn_behind = 0;  // its body, and the end of the statement of the later side there
  bool turn_synchronizes = false;
  bool turn_is_bare = false;       // its body is one statement without braces
  bool turn_reads_others = false;  // one statement in it reads what other threads write there in the same turn
  bool turn_ends_in_head = false;  // of do { } while (x): the later side stands in the condition
  int call_guard = 0;            // a branch around the call of the function that holds both, which not all threads take
  bool in_two_branches = false;  // the guard is an if, and each side is in one of its two branches
  std::string upper, lower;      // of two statements on one line: the end of their texts
  bool turns_share = false;      // of a guard that is a loop: its turns use the same memory, by the text
  int leave = 0;                 // a return, continue or break in front of the place that only some threads take
  friend bool operator==(const barrier_place&, const barrier_place&) = default;
};

// An update that is not atomic, as the kernel writes it: bins[b] += n.
struct line_update {
  int line = 0;
  std::string target, operation, operand;
  bool value_used = false;
  friend bool operator==(const line_update&, const line_update&) = default;
};

// A read and a write behind it of one word that each thread does, so that a barrier between them orders nothing: they
// have to be one atomic operation. base = *counter; *counter += n;
struct one_step {
  int read_line = 0, write_line = 0;  // 0: there is none
  std::string result;                 // what takes the value that was read: "base"; empty: not known
  std::string call;                   // the write is this atomic operation: "atomicAdd(&counter, 1)"
  bool two_statements = false;        // one reads, one writes
  bool is_test = false;               // a condition reads
  bool does_more = false;             // the branch on what was read holds other statements, too
  friend bool operator==(const one_step&, const one_step&) = default;
};

// A lock that both sides of a race hold by the text, and what it lacks.
struct held_lock {
  int taken = 0, given = 0;                           // lines; 0: there is none
  bool by_branch = false;                             // who has not got it goes around: if (atomicCAS(m, 0, 1) == 0) {
  bool fence_behind = false, fence_in_front = false;  // behind the taking, in front of the giving
  bool takes_relaxed = false, gives_relaxed = false;  // the order is named, and keeps nothing
  int store_column = 0;                               // a plain store gives it back
  std::string target, operation, operand;             // of that store
  std::vector<int> also_given;  // other lines that give it back without a fence, as in two branches
  bool by_macros = false;       // both stand in macros: lines are those of their names
  friend bool operator==(const held_lock&, const held_lock&) = default;
};

// What stands between a write and the flag that tells of it, which one thread may set for its whole block: by the text.
struct way_to_flag {
  int fence = 0;            // the line of a fence; 0: there is none
  bool of_writer = false;   // who writes passes that fence; else only who tells does
  bool no_barrier = false;  // others than the writer may tell, and none has made them wait for it, or for its fence
  friend bool operator==(const way_to_flag&, const way_to_flag&) = default;
};

// How the function of an asynchronous copy waits between the copy and its use, by the text. Lines; 0: nothing there.
struct copy_wait {
  int waits = 0;           // what waits for the copy
  int leaves = 0;          // how many of the last batches that leaves under way
  int barrier = 0;         // a barrier of the block, behind that where it is there
  bool for_all = false;    // who waits, or would, waits for the other threads' copies, too
  int next_turn = 0;       // the end of the body of the loop around both, where it lacks a barrier before the next copy
  bool own = false;        // one thread copies and uses it, for which its own wait is enough
  bool unbatched = false;  // nothing ends the batch that the copy is in (__pipeline_commit) in front of that
  int batch_guard = 0;     // the branch around what ends the batch that is not around the wait
  int batched = 0;         // where that ends it
  // All that is wanted is there by the text, so the wait is for too few batches.
  bool is_for_too_few() const { return leaves != 0 && (own || (barrier != 0 && next_turn == 0)); }
  friend bool operator==(const copy_wait&, const copy_wait&) = default;
};

// Values of a cause. A cause's comment names those that it sets; the others keep their defaults.
struct facts {
  std::int64_t barriers = 0;        // how many the block had passed
  std::uintptr_t last_barrier = 0;  // code address of the last of them; for this process only
  int barrier_line = 0;             // its line, where that is in the later access's file
  bool next_turn = false;           // it stands between the two in a loop: one side belongs to the loop's next turn
  bool cooperative = false;         // of a race: blocks of its launch may wait for each other
  bool named_barriers = false;      // of a race: threads of its block have met at barriers that have numbers
  bool waits_by_atomics = false;    // its sides are in two branches that wait for each other by atomic operations
  std::string barrier_object;       // its function waits at this cuda::barrier: "full"; empty: at none
  std::string wait_call;            // of an asynchronous copy: what waits for it, "pipe.consumer_wait()"
  copy_wait copy;
  way_to_flag told;
  bool of_grid = false;      // of a barrier: the grid's
  int branch_line = 0;       // of the condition around a barrier that not all come to; 0: not known
  int return_line = 0;       // or of the condition under which some left; 0: not known
  bool in_place = false;     // both accesses are one update, as of x in x += 1
  std::string target;        // what the later access names, as the kernel writes it: "bins[b]"; empty: not known
  std::string update;        // the operator of an update in place: "+=", "++"
  std::string operand;       // of such an update: "n"; empty for ++
  bool value_used = false;   // of ++x: the new value is used
  bool both_update = false;  // each is an update by itself, atomic or not; see plain_update
  int plain_update = 0;      // the line of the one that is not atomic, where the other one is
  int update_line = 0;       // of one of several that are not: of the one in target, update and operand
  std::vector<line_update> other_updates;  // the rest
  one_step step;
  bool flag = false;      // a word that a condition reads and that gets a constant, or is set by an atomic operation
  std::string two_names;  // of two writes: "left[i] and right[i]", which were not meant to be one place
  bool steps_of_lanes = false;  // each side is an update that reads another lane's element, as s[t] += s[t + 8]
  bool same_array = false;      // both name one array, or nobody knows
  bool reads_first = false;     // of one array: what one block reads another overwrites further down in the text
  bool next_call = false;       // a barrier stands between the two, and no loop is around: another call of a function
  int unlock_line = 0;          // a plain write that gives back what others take by an atomic operation
  held_lock lock;
  barrier_place place;
  int narrow_line = 0;            // of a scope that is too narrow: where it is named; 0: not known
  int loop_end = 0;               // last line of the innermost loop around both, where a barrier at its end would help
  int loop_begin = 0;             // the first line of that loop's body, also where a barrier in it is no cure
  bool from_before_loop = false;  // of a group: some accesses come before that loop
  int between_low = 0, between_high = 0;  // of a group: lines between which one barrier orders all of it; 0: its own
  std::int64_t count = 0;
  std::int64_t size = 0;
  std::int64_t distance = 0;
  std::int64_t offset = 0;  // in elements for views, in bytes for copies
  std::int64_t alignment = 0;
  std::uint64_t address = 0;
  std::uint32_t mask = 0, lanes = 0;  // one bit a lane
  std::int32_t warp = 0, lane = 0;
  warp_operation operation = warp_operation::sync;
  sync_scope later_scope = sync_scope::thread, earlier_scope = sync_scope::thread;
  std::vector<std::int64_t> position, extents;  // of a view
  double seconds = 0;
  std::string type;                  // of the language
  std::string text;                  // what the program or the driver said
  std::vector<std::string> kernels;  // one of them it was
  bool more_kernels = false;         // or one that is not in the list
  friend bool operator==(const facts&, const facts&) = default;
};

// Stable names in a report's data: "race_lanes", "block", "shuffle".
std::string_view name(cause c);
std::string_view name(sync_scope s);
std::string_view name(warp_operation o);

}  // namespace simt
