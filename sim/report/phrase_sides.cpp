// SPDX-License-Identifier: Apache-2.0
// What is said of one side of a finding: who it is and what it does there. Part of the phrasebook.
#include <fmt/format.h>

#include "phrasebook.hpp"

namespace simt {

std::string coordinates(const index3& i) { return fmt::format("({},{},{})", i.x, i.y, i.z); }

std::string who(const access& a) {
  switch (a.agent) {
    case actor::host:
      return "the host";
    case actor::stream:
      return "stream " + a.stream;
    case actor::thread:
      break;
  }
  if (!is_known(a.block)) return "a thread";
  if (!is_known(a.thread)) return "a thread of block " + coordinates(a.block);
  return "thread " + coordinates(a.thread) + " of block " + coordinates(a.block);
}

std::string_view tie_of_members(const finding& f) {
  return f.rule == rule::leak ? "of memory that the same function allocates" : "with the same cause, mended with it";
}

std::string how_often(const finding& f) {
  if (is_race(f.rule)) return fmt::format("{} conflicting accesses at these lines", f.count);
  const deed what = f.accesses.empty() ? deed::none : f.accesses[0].deed;
  const bool accessed =
      what == deed::none || what == deed::reads_value || what == deed::loads || what == deed::accesses;
  return fmt::format("{} {} at these lines", f.count, accessed ? "accesses" : "times");
}

std::string doing(const access& a) {
  switch (a.deed) {
    case deed::none:
      break;
    case deed::waits_here:
      return "waits at this barrier";
    case deed::waits_at_block_barrier:
      return "waits at a block barrier";
    case deed::waits_at_cluster_barrier:
      return "waits at a cluster sync";
    case deed::waits_at_grid_barrier:
      return "waits at a grid sync";
    case deed::waits_at_named_barrier:
      if (a.named.barrier < 0) return "waits at a named barrier";
      return fmt::format("waits at barrier {}: {} of {} threads have come", a.named.barrier, a.named.arrived,
                         a.named.expected);
    case deed::waits_for_lanes:
      return "waits for lanes of its warp";
    case deed::spins:
      return "spins in a loop on memory";
    case deed::exited:
      return "has left the kernel";
    case deed::takes_part:
      return "takes part";
    case deed::reads_value:
      return "reads the value";
    case deed::loads:
      return a.agent == actor::host ? "reads it, by an atomic or through volatile" : "reads it atomically";
    case deed::allocated:
      return "allocated it here";
    case deed::failed:
      return "failed here";
    case deed::frees:
      return "frees it here";
    case deed::accesses:
      return "makes it here";
    case deed::divides:
      return "divides here";
    case deed::ran_out_of_stack:
      return "ran out of stack here";
    case deed::trapped:
      return "trapped here";
    case deed::last_seen:
      return "was last seen here before the exception";
    case deed::goes_round:
      return "goes round here";
    case deed::tells:
      return "sets the flag";
    case deed::is_told:
      return "reads the flag";
    case deed::still_ran:
      return "was here when the time was up";
  }
  switch (a.work) {
    case work::async_copy:
      return "asynchronous copy started by this thread";
    case work::callback:
      return "in a host callback";
    case work::allocation:
      return "allocates it";
    case work::release:
      return "frees it";
    default:
      return {};
  }
}

}  // namespace simt
