// SPDX-License-Identifier: Apache-2.0
#include "thread_histories.hpp"

#include <unordered_map>

namespace simt::cli {
namespace {

constexpr std::size_t kLongest = 64;  // steps of the thread behind the load

std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  a = (a ^ b) * 0x9E3779B97F4A7C15ULL;
  a ^= a >> 29;
  a *= 0xBF58476D1CE4E5B9ULL;
  return a ^ (a >> 32);
}

bool stores(const explored_step& s) { return s.did.kind == step_kind::write || s.did.kind == step_kind::update; }

// What was read or stored.
std::uint64_t value_of(const explored_step& s) { return s.later ? s.later.value : s.value; }

std::uint64_t with_access(std::uint64_t h, const explored_step& s) {
  return mixed(mixed(mixed(h, s.did.pc), s.did.place), static_cast<std::uint64_t>(s.did.kind) + s.did.places * 8);
}
std::uint64_t with_step(std::uint64_t h, const explored_step& s) { return mixed(with_access(h, s), value_of(s)); }
// With a load, whatever it reads.
std::uint64_t with_load(std::uint64_t h, const explored_step& s) { return mixed(mixed(with_access(h, s), 0), 1); }
std::uint64_t nothing_yet(std::int64_t thread) { return mixed(static_cast<std::uint64_t>(thread) + 1, 2); }

}  // namespace

void thread_histories::add(const std::vector<explored_step>& trail) {
  struct open_load {
    std::uint64_t history, value;
  };
  struct thread {
    std::uint64_t history;
    std::vector<open_load> loads;  // the last ones
  };
  std::unordered_map<std::int64_t, thread> threads;
  for (const explored_step& s : trail) {
    thread& t = threads.try_emplace(s.did.thread, thread{nothing_yet(s.did.thread), {}}).first->second;
    if (t.loads.size() == kLongest) t.loads.erase(t.loads.begin());
    for (open_load& l : t.loads) {
      l.history = with_step(l.history, s);
      if (stores(s)) seen_.insert(mixed(l.history, l.value));
    }
    if (s.did.kind == step_kind::read) t.loads.push_back({with_load(t.history, s), value_of(s)});
    t.history = with_step(t.history, s);
  }
}

bool thread_histories::all_justified(const std::vector<explored_step>& trail) const {
  for (std::size_t i = 0; i < trail.size(); ++i)
    if (trail[i].later && !justified(trail, i)) return false;
  return true;
}

bool thread_histories::justified(const std::vector<explored_step>& trail, std::size_t load) const {
  const explored_step& l = trail[load];
  const std::int64_t reader = l.did.thread;
  std::uint64_t h = nothing_yet(reader);
  for (std::size_t i = 0; i < load; ++i)
    if (trail[i].did.thread == reader) h = with_step(h, trail[i]);
  h = with_load(h, l);
  std::uint64_t up_to_store = 0;
  for (std::size_t i = load + 1; i < trail.size(); ++i) {
    const explored_step& s = trail[i];
    if (s.did.thread == l.later.thread && s.did.kind == step_kind::write && s.did.place == l.did.place &&
        s.value == l.later.value)
      break;
    if (s.did.thread != reader) continue;
    if (stores(s) && s.did.place == kAnyPlace) return false;  // its value may stand for others
    h = with_step(h, s);
    if (stores(s)) up_to_store = h;
  }
  if (up_to_store == 0) return true;
  return l.value != l.later.value && seen_.contains(mixed(up_to_store, l.value));
}

}  // namespace simt::cli
