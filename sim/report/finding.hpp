// SPDX-License-Identifier: Apache-2.0
// A finding: one defect of a user's kernel or host code, as plain data.
//
// Checks make findings, renderers show them; nothing in this file decides, prints or says anything in words: that is
// the phrasebook's (phrasebook.hpp). The names of the rules are part of the tool's contract (docs/cli.md) and never
// change.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cause.hpp"
#include "thread_order.hpp"

namespace simt {

enum class rule : std::uint8_t {
  race_global,         // two unordered accesses to device memory, at least one a write and one not atomic
  race_shared,         // the same in a block's shared memory
  race_scope,          // ordered only if every scope were system: a scope is too narrow
  missing_fence,       // volatile data whose flag may be seen before it
  noncoherent_read,    // a read through the read-only cache of what the same launch has written
  out_of_bounds,       // outside the allocation, the shared array or the view's extents
  uninitialized_read,  // a byte that nothing has written
  misaligned,          // address no multiple of the access size
  use_after_free,
  invalid_free,    // freed twice, or never allocated
  leak,            // still allocated at exit
  constant_write,  // a kernel wrote to constant memory
  host_memory,     // a kernel touched host memory, or the host touched device memory
  barrier_divergence,
  barrier_early_exit,
  warp_mask,
  deadlock,
  hang,
  stack_overflow,
  device_trap,
  device_exception,
  division_by_zero,
  unwritten_output,
  unchecked_error,          // a failed call whose result nobody looked at
  nondeterministic_output,  // schedules give different results
};
inline constexpr int rule_count = static_cast<int>(rule::nondeterministic_output) + 1;

enum class severity : std::uint8_t { error, warning, note };
enum class access_kind : std::uint8_t { read, write, atomic };
enum class memory_space : std::uint8_t { global, shared, local, host };

// Accesses that nothing orders.
constexpr bool is_race(rule r) { return r == rule::race_global || r == rule::race_shared || r == rule::race_scope; }

std::string_view name(rule r);  // "race-global"
std::string_view name(severity s);
std::string_view name(access_kind k);
std::string_view name(memory_space s);
std::optional<rule> rule_from_name(std::string_view name);

// Position in a grid or block; x is the fastest axis.
struct index3 {
  std::int64_t x = 0, y = 0, z = 0;
  friend bool operator==(const index3&, const index3&) = default;
};
inline constexpr index3 kUnknownPosition{-1, -1, -1};
inline bool is_known(const index3& i) { return i.x >= 0; }

// One level of a call stack, innermost first; file is relative to the source root, line counts from 1 (0: unknown).
struct stack_frame {
  std::string function;
  std::string file;
  int line = 0;
};

// Who makes an access.
enum class actor : std::uint8_t {
  thread,  // of a kernel: access::block and access::thread say which, where that is known
  host,    // code of the host
  stream,  // the device, or the host's callback, on behalf of access::stream
};

// What an access is part of.
enum class work : std::uint8_t {
  kernel,
  async_copy,  // of a kernel: started by its thread, which has not waited for it
  copy_to_device,
  copy_to_host,
  copy_on_device,
  fill,
  host_code,   // an access of host code, not of a call of the API
  callback,    // of host code that a stream called
  allocation,  // that a stream orders (cudaMallocAsync)
  release,     // the same (cudaFreeAsync)
};

// What somebody does at the place that an access names, where no access of memory says it.
enum class deed : std::uint8_t {
  none,
  waits_here,  // at this barrier
  waits_at_block_barrier,
  waits_at_cluster_barrier,
  waits_at_grid_barrier,
  waits_at_named_barrier,
  waits_for_lanes,
  spins,  // in a loop on memory
  exited,
  takes_part,  // in this operation of the warp
  reads_value,
  loads,      // an atomic read, or one of the host's through volatile
  allocated,  // what is still allocated
  failed,     // of a call
  frees,
  accesses,  // as the message says
  divides,
  ran_out_of_stack,
  trapped,
  last_seen,   // before an exception
  goes_round,  // for ever
  tells,       // others, by a flag or counter, that data is there
  is_told,     // by a flag or counter
  still_ran,   // when the time was up
};

// Of who waits at a barrier that has a number: how many threads have come, and how many it is for.
struct named_wait {
  std::int32_t barrier = -1;  // -1: at no such barrier
  std::int32_t arrived = 0, expected = 0;
  friend bool operator==(const named_wait&, const named_wait&) = default;
};

// One side of a finding: who did what, where in the source.
struct access {
  access_kind kind = access_kind::read;
  std::uintptr_t pc = 0;  // code address; file, line, function and stack come from it
  std::string file;       // as recorded by the compiler, relative to the source root
  int line = 0;
  int column = 0;  // where in the line the compiler places it: an operator or a bracket; 0: unknown
  std::string function;
  std::string path;  // absolute path of `file`, to show its text; may be gone
  actor agent = actor::thread;
  simt::work work = work::kernel;
  std::string stream;  // name of the stream that it is work of; empty: of none, or not known
  std::string kernel;  // of its launch; empty: of none
  index3 block, thread;
  std::string value;  // what was read or written, as text; empty: not known
  simt::deed deed = deed::none;
  named_wait named;
  std::vector<stack_frame> stack;
  // Code addresses of the enclosing calls, innermost first; `stack` is made of them. They mean nothing outside the
  // process and are no part of a report's data.
  std::vector<std::uintptr_t> callers;
};

struct finding {
  simt::rule rule = rule::race_global;
  simt::severity severity = severity::error;
  simt::cause cause = cause::none;
  simt::facts facts;
  memory_space space = memory_space::global;
  std::string object;               // name of the buffer or shared array; empty: unknown
  std::vector<std::int64_t> index;  // element of the object; empty: not applicable
  std::string type;                 // element type of the object, "float"; empty: unknown
  std::int64_t bytes = 0;           // size of the access
  std::int64_t count = 1;           // accesses that this finding stands for
  std::string kernel;
  std::vector<access> accesses;           // the later side first where there are two
  std::vector<std::uintptr_t> leaked;     // leak: the allocations it stands for; no part of a report's data
  std::vector<std::uintptr_t> allocated;  // by these calls, innermost first; no part of a report's data
  std::string replay;                     // command that shows it again
  // Of findings with one cause, the first has the others' places in the list, and they have its place; -1: it is alone.
  std::vector<std::int64_t> members;
  std::int64_t part_of = -1;
  thread_order order;         // that shows it, where a search has found it in another one than that of thread numbers
  bool unsure_place = false;  // the earlier side names the line of one of several readers, not surely its own
  std::string debug;          // command that stops a debugger in the thread; empty: no thread is known
};

// Whether it is shown under another one, which has the same cause.
inline bool is_member(const finding& f) { return f.part_of >= 0; }

std::string_view name(actor a);
std::string_view name(work w);
std::string_view name(deed d);

}  // namespace simt
