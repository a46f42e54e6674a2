// SPDX-License-Identifier: Apache-2.0
// What a search over schedules asks of a run, and what the run tells it: data between the tool and a scheduler that
// decides at every step (sim/exec/scheduler/stepwise.hpp).
//
// A step is an access to a place that threads share in conflict: two of them touch it, one of them writes, and no
// barrier stands between. A place is four bytes of an allocation or of a block's shared memory, by a number that is the
// same in every run of the program. A thread is block * threads of a block + rank.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace simt {

inline constexpr std::uint64_t kAnyPlace = 0;  // of memory without such a number: taken for one place with all others

// A store that a load is to read before it is done: whose, what it stores (its bytes, the lowest first), and how.
struct store_to_come {
  std::int64_t thread = -1;  // -1: none
  std::uint64_t value = 0;
  int scope = 0;  // 0: a plain store; else that of a strong one, as pending_access::scope has it, plus 1
  explicit operator bool() const { return thread >= 0; }
  bool operator==(const store_to_come&) const = default;
};

// At this step of the run, counted from 0 over its launches, this thread goes on instead of the one that would, or
// reads an older value: one that is so many stores behind the newest, or one that comes later. A store takes its place
// before so many.
struct schedule_departure {
  std::int64_t step = 0, thread = 0;
  std::uint32_t older = 0;
  store_to_come later{};
  bool operator==(const schedule_departure&) const = default;
};

// Where this thread would go on with its own step of that number, `to` does, or reads an older value. Unlike a
// departure it still has its meaning when those before it are left out.
struct schedule_switch {
  std::int64_t thread = 0, own_step = 0, to = 0;
  std::uint32_t older = 0;
  store_to_come later{};
};

// What takes turns in a search. Of a warp or block one thread at a time stands for all: the one that did the last step,
// else the first by number that can go on.
enum class schedule_unit : std::uint8_t { thread, warp, block };

struct step_request {
  std::vector<schedule_departure> departures;                // explore: by rising step
  std::shared_ptr<const std::vector<std::uint64_t>> places;  // those known so far; null: none
  std::int64_t depth = 0, steps = 0;                         // pct: of the defect; of a run, as the last one counted
  bool weak_memory = false;                                  // loads read what PTX allows
  std::vector<schedule_switch> switches{};                   // explore: instead of departures
  bool keeps_trail = false;  // the trail has lines, of pct, too, and nobody else who could have gone on
  bool draws_older = false;  // and those that nobody decides over do so by chance
  bool tells_others = true;  // explore: the record has a trail, with those who could have gone on
  schedule_unit unit = schedule_unit::thread;
};

// update: an atomic operation that may write; fence: of sequential consistency, where a memory model is followed.
enum class step_kind : std::uint8_t { read, write, update, fence };

struct step_choice {
  std::int64_t thread = 0;
  std::uint64_t place = 0;
  std::uint32_t places = 1;  // in a row
  step_kind kind = step_kind::read;
  std::uintptr_t pc = 0;     // of a step that was done: in the report of a run from its file's beginning on
  std::uint32_t older = 0;   // it reads a value that is so many stores behind the newest, or is stored there
  std::uint64_t source = 0;  // where a memory model is followed: see weak_memory::source
  bool operator==(const step_choice&) const = default;
};

struct explored_step {
  step_choice did;
  std::int64_t running = -1;  // the thread that did the step before, where it still could go on; -1: it could not
  std::vector<step_choice> others{};  // who else could have gone on, behind the last departure of the request
  std::int64_t usual = -1;            // who would have gone on in the order of thread numbers
  std::string file{};                 // where the step is, if the request keeps the trail
  int line = 0;
  // Where a memory model is followed: what was read or stored (of an update both, of more than 8 bytes a hash). Of a
  // load that reads a store to come, the newest value then.
  std::uint64_t value = 0;
  int scope = 0;          // of the access, as in store_to_come
  store_to_come later{};  // what was read comes later
  bool operator==(const explored_step&) const = default;
};

struct step_record {
  std::int64_t steps = 0;                 // of all launches
  std::int64_t threads = 0;               // of the launch with the most
  std::int64_t units = 0;                 // schedule_unit, of the launch with the most
  std::vector<std::uint64_t> new_places;  // seen in conflict, and not among those of the request; sorted
  std::vector<explored_step> trail;       // explore, if it was asked for
  bool cut = false;                       // more steps than are kept (kMostSteps)
  bool disturbed = false;                 // a clock had a say in it: a thread ran alone for too long
  bool missed = false;                    // a departure named a thread that could not go on
  bool unkept = false;    // a load read a store to come that did not come, or must not: there is no such run
  bool given_up = false;  // the search's time ended first (run_request::give_up_seconds): nothing is known
  bool operator==(const step_record&) const = default;
};

// step_choice::source of a load that reads a store to come; `newest`: if it read the newest.
constexpr std::uint64_t source_of(const store_to_come& s, std::uint64_t newest) {
  std::uint64_t h = newest;
  for (const std::uint64_t each :
       {static_cast<std::uint64_t>(s.thread) + 11, s.value, static_cast<std::uint64_t>(s.scope)}) {
    h = (h ^ each) * 0x9E3779B97F4A7C15ULL;
    h ^= h >> 31;
  }
  return h | 1;
}

inline constexpr std::int64_t kMostSteps = 200'000;  // of one run

}  // namespace simt
