// SPDX-License-Identifier: Apache-2.0
// A finding: one defect of a user's kernel or host code, as plain data.
//
// Checks make findings, renderers show them; nothing in this file decides or prints. The names of the
// rules are part of the tool's contract (cli.md) and never change.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace simt {

enum class rule : std::uint8_t {
  race_global,         // two unordered accesses to device memory, at least one a write and one not atomic
  race_shared,         // the same in a block's shared memory
  race_scope,          // ordered only if every scope were system: a scope is too narrow
  out_of_bounds,       // outside the allocation, the shared array or the view's extents
  uninitialized_read,  // a byte that nothing has written
  misaligned,          // address no multiple of the access size
  use_after_free,
  invalid_free,  // freed twice, or never allocated
  leak,          // still allocated at exit
  host_memory,   // a kernel touched host memory, or the host touched device memory
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
};
inline constexpr int rule_count = static_cast<int>(rule::unwritten_output) + 1;

enum class severity : std::uint8_t { error, warning, note };
enum class access_kind : std::uint8_t { read, write, atomic };
enum class memory_space : std::uint8_t { global, shared, local, host };

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

// One level of a call stack, innermost first; file is relative to the source root, line counts from 1 (0: unknown).
struct stack_frame {
  std::string function;
  std::string file;
  int line = 0;
};

// One side of a finding: who did what, where in the source.
struct access {
  access_kind kind = access_kind::read;
  std::uintptr_t pc = 0;  // code address; file, line, function and stack come from it
  std::string file;       // as recorded by the compiler, relative to the source root
  int line = 0;
  int column = 0;         // where in the line the compiler places it: an operator or a bracket; 0: unknown
  std::string function;
  std::string path;              // absolute path of `file`, to show its text; may be gone
  std::string agent = "thread";  // "thread": block and thread say which; else "host" or "stream NAME"
  index3 block, thread;
  std::string value;  // what was read or written, as text; empty: not known
  std::string state;  // for barriers and hangs: what this thread waits for; empty otherwise
  std::vector<stack_frame> stack;
  std::vector<std::uintptr_t>
      callers;  // code addresses of the enclosing calls, innermost first; `stack` is made of them
};

struct finding {
  simt::rule rule = rule::race_global;
  simt::severity severity = severity::error;
  std::string message;  // one line: what happened
  std::string why;      // why it is a defect: what does not order the two, which limit was passed
  std::string fix;      // what to change
  memory_space space = memory_space::global;
  std::string object;               // name of the buffer or shared array; empty: unknown
  std::vector<std::int64_t> index;  // element of the object; empty: not applicable
  std::string type;                 // element type of the object, "float"; empty: unknown
  std::int64_t bytes = 0;           // size of the access
  std::int64_t count = 1;           // accesses that this finding stands for
  std::string kernel;
  std::vector<access> accesses;  // the later side first where there are two
  std::vector<std::uintptr_t> leaked;  // leak: the allocations it stands for; not part of a report
  std::string replay;            // command that shows it again
};

}  // namespace simt
