// SPDX-License-Identifier: Apache-2.0
// The detector's parts, put together. Internal to sim/check.
//
// Each part owns its state and says its invariants at the head of its own header. A part knows only parts that stand
// above it here:
//
//   epochs  sets  byte_patterns  time, and what shadow words name
//   shadow                       cells, their guards, rows that summarise them, slow cells
//   agents                       launches, copies, the host's code: what streams order (epochs)
//   children                     what kernels launch (agents)
//   objects  blocks              what memory is at an address, and whose it is (agents)
//   log                          what was found, folded
//   reports                      makes findings of what the checks saw (all above)
//   memory                       what the tables beside the cells may take (epochs, sets, slow cells)
//   readers  forms  syncs        what a cell says: who read, in which form, what was released there
//   accesses                     compares an access with the cells and records it (all above)
//
// The events of detector.hpp are functions that call the parts in turn: access.cpp, atomics.cpp, barriers.cpp,
// detector.cpp (launches and blocks), objects.cpp (memory and the host). What they share is below the parts.
#pragma once

#include "sim/check/access_checker.hpp"
#include "sim/check/child_launches.hpp"
#include "sim/check/finding_log.hpp"
#include "sim/check/launch_reads.hpp"

namespace simt::check {

class detector_core {
 public:
  detector_core(const options& o, address_range device, address_range shared);

  const options opt;
  const std::uint64_t serial;  // no other detector of the process has it
  epoch_table epochs;
  thread_sets sets;
  byte_pattern_table byte_patterns;
  shadow_memory shadow;
  agent_order agents;
  object_table objects;
  block_table blocks;
  finding_log log{opt.max_findings};
  reporter reports;

  side_memory memory;
  reader_groups readers;
  cell_forms forms;
  sync_variables syncs;
  access_checker accesses;

  // ---- arrays that launches only read ----
  unordered_reads past_reads;  // of launches that have ended
  launch_reads reads;          // of `launch`
  // An announced write of the running launch.
  void watch_write(const block_state& b, std::uintptr_t from, std::uintptr_t to) {
    if (from < b.unwritten.base + b.unwritten.size && b.unwritten.base < to && reads.forbids_write(from, to))
      reads.doubtful = true;
  }

  // ---- what a thread's last event left open ----
  void flush(thread_state& t);
  // The same, but a write that raced may wait for one more event: see pending_write.
  void flush_before_read(thread_state& t);

  // ---- agents and the host ----
  void begin_agent(launch_state& l, int stream, agent a);
  void pass_on(const block_state& b);  // what it has learned, when it ends
  void host_access(int stream, std::uintptr_t address, std::size_t bytes, bool write, work what,
                   std::span<const std::uintptr_t> stack, bool waited,
                   const std::vector<std::pair<std::uintptr_t, std::uintptr_t>>* init, bool copied_out = false);
  thread_state& host_thread(int stream);  // whose next event follows
  void host_acted(thread_state& t, int stream);
  block_state* host_block = nullptr;  // the thread that does them
  std::uint32_t host_agent = 0;       // its agent
  bool host_waited = false;           // since the last one
  bool never_written(const object_record& o, std::uintptr_t address, std::size_t bytes);

  child_launches children{agents};
  std::uint64_t running_child = 0;  // the number of the running launch; 0: of the host's

  // ---- blocks ----
  block_state& take_block();
  void give_block(block_state& b);
  launch_state launch;       // that runs, or ran last
  launch_state host_launch;  // of copies and the host's code
};

}  // namespace simt::check
