// SPDX-License-Identifier: Apache-2.0
// Address space that is reserved in large pieces: how much of it, and what happens where the system refuses it.
#pragma once

#include <cstddef>
#include <cstdio>
#include <cstdlib>

namespace simt::sim {

inline constexpr int kSharedWorkers = 256;  // at most

struct reservation_plan {
  std::size_t device_bytes = std::size_t{4} << 40;
  int shared_workers = kSharedWorkers;  // workers that have shared memory, so more are never used
  int shared_slots_per_worker = 8192;   // blocks that each of them can hold at once
  bool limited = false;                 // made to fit a limit
};

// Settled at the first call, for the life of the process. A limit is SIMT_ADDRESS_SPACE (a whole number of GiB, at
// least 16; anything else ends the process with a line for people and exit code 2) or what `ulimit -v` leaves,
// whichever is less. What does not fit even the smallest plan is refused by mmap later.
const reservation_plan& reservations();

// The plan for `limit` bytes in all: device and shared memory with the detector's shadow of both, and room for the
// rest.
reservation_plan reservations_within(std::size_t limit);

// One line for people, and the exit code of a launch error: it may be before main, and no fault of the program.
// Here, since the detector needs it without the engine.
[[noreturn]] inline void end_without_address_space(std::size_t bytes, const char* what) {
  std::fprintf(stderr,
               "simt: cannot reserve %zu bytes of address space for %s; is `ulimit -v` set? 12 GiB are enough for a "
               "checked run\n",
               bytes, what);
  std::_Exit(2);
}

}  // namespace simt::sim
