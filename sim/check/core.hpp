// SPDX-License-Identifier: Apache-2.0
// The detector's core: tables, and the operations the event functions are made of. Internal to sim/check.
#pragma once

#include "sim/check/extended.hpp"
#include "sim/check/guesses.hpp"

namespace simt::check {

// One access on its way through the cells it touches.
struct operation {
  thread_state& thread;
  std::uintptr_t address;
  std::size_t size;
  std::uintptr_t pc;
  access_kind kind;
  time_id id;                                             // its descriptor
  simt::check::scope scope = simt::check::scope::system;  // atomics
  bool is_volatile = false, writes = false;               // writes: of volatile accesses only
  bool bad_memory = false;                                // a memory finding was made; one is enough for an access
  bool uninitialised = false;
  std::uintptr_t unwritten_from = 0, unwritten_to = 0;  // the run of unwritten bytes that the read is in
  time_id last_race_id = 0;  // the same pair in the next cell of the same access is the same finding
  std::uint32_t last_race_rank = 0;
  std::uintptr_t last_race_pc = 0;
  // Bytes of a copy to the host, or of an asynchronous one in pieces of `size`; 0: an ordinary access.
  std::size_t whole_copy = 0;
  std::uint32_t declared_align = 0;  // of the array that such a copy goes to, where that is the reason
};

// The other side of a race.
struct earlier_access {
  time_id id;
  std::uint32_t rank;
  access_kind kind;
  simt::check::scope scope = simt::check::scope::system;
  bool is_volatile = false, writes = false;
  std::uintptr_t pc = 0;  // 0: the descriptor's
};
// What a report calls an access: volatile ones are reads and writes.
template <class Access>
access_kind shown_kind(const Access& a) {
  return !a.is_volatile ? a.kind : a.writes ? access_kind::write : access_kind::read;
}

class detector_core {
 public:
  detector_core(const options& o, address_range device, address_range shared);
  ~detector_core();

  const options opt;
  const std::uint64_t serial;  // no other detector of the process has it
  const bool parallel;  // several workers: guard cells
  address_range device, shared;
  cell* device_cells = nullptr;
  cell* shared_cells = nullptr;
  descriptor_table descriptors;
  thread_sets sets;
  mosaic_table mosaics;
  std::unique_ptr<lease_table> leases;  // null: one worker

  // ---- cells ----
  cell* cell_of(std::uintptr_t address) {
    if (address - device.base < device.size) return device_cells + cell_index(address - device.base);
    if (address - shared.base < shared.size) return shared_cells + cell_index(address - shared.base);
    return nullptr;
  }
  bool in_shared(std::uintptr_t address) const { return address - shared.base < shared.size; }
  std::uint32_t lease_index(std::uintptr_t address) const { return lease_table::index((address - device.base) / 4); }
  // With several workers a thread guards the cells of 16 aligned bytes before it looks at them, by its lease or by the
  // group's lock; one group at a time. Addresses without cells need no guard.
  cell_guard_state guard_cells(std::uintptr_t address);
  // All cells of an access.
  void plain_access(operation& op, bool write);
  void atomic_access(operation& op, atomic_op what);  // guarded
  void plain_cell(operation& op, cell& c, std::uintptr_t granule, std::uint8_t mask, bool write);
  // Unwritten bytes (of `mask`) that a read needs; and the end of a run of them, which is a finding unless it may be
  // padding.
  void unwritten(operation& op, std::uintptr_t granule, std::uint8_t mask);
  void end_of_unwritten(operation& op);
  void extended_access(operation& op, extended_cell& e, std::uintptr_t granule, touch what);
  extended_cell& extend(operation& op, cell& c, std::uintptr_t granule);
  // An access of one or two bytes, if it can be said in a mosaic; false: nothing was recorded.
  bool mosaic_access(thread_state& t, std::uintptr_t address, std::uint8_t mask, bool write, std::uintptr_t pc);
  bool begin_mosaic(block_state& b, cell& c, std::uintptr_t granule, bool is_shared, std::uint32_t& pattern, word& before);
  word link_mosaics(block_state& b, word upper, word lower);
  extended_cell& extended_form(cell& c);  // of an extended cell or a mosaic, which becomes one
  bool is_over(const extended_cell& e, time_id done) const;  // it is whole and says nothing that is as young as `done`
  void simplify(cell& c);                                    // back to a compact cell if that says as much
  word last_write(const cell& c) const;                      // as a compact cell says it; the rank may be another
  std::uint8_t initialised_in(const cell& c, const object_record& o, std::uintptr_t granule) const;
  // A write of [address, address + size) ends the release sequences it overlaps (`keep_same`: not that of this
  // location).
  void overwrite_syncs(std::uintptr_t granule, std::uintptr_t address, std::size_t size, bool keep_same);
  sync_location* find_sync(std::uintptr_t address, std::uint32_t size);
  void forget(cell& c);  // back to zero; frees an extended cell
  void clear_cells(std::uintptr_t from, std::uintptr_t to, bool may_be_extended);
  void forget_extended(std::uintptr_t from, std::uintptr_t to);  // whole cells
  extended_cell* new_extended();
  void free_extended(extended_cell* e);
  word link(block_state& b, word group, word rest);  // a chain of reader groups: this one, then the rest, all older
  // Of t and the threads that follow it in steps of `step` ranks, `count` in all, which have the same descriptor; 0: their
  // set does not fit (never of one thread).
  word add_reader(thread_state& t, word readers, time_id id, std::uint32_t step = 0, std::uint32_t count = 1);
  std::uint32_t with_rank(block_state& b, std::uint32_t set, std::uint32_t rank);
  // `set` and these threads; kFull.
  std::uint32_t with_ranks(block_state& b, std::uint32_t set, std::uint32_t first, std::uint32_t step, std::uint32_t count);
  bool over_budget() const { return side_bytes() > opt.extra_bytes; }
  std::size_t side_bytes() const;

  // ---- what memory is at an address not seen before ----
  struct memory_state {
    std::uint8_t valid = 0, initialised = 0;  // bytes of the cell
    const object_record* object = nullptr;
  };
  memory_state look_up(thread_state& t, std::uintptr_t granule);
  // The stretch of whole, live cells around `granule` that are alike while untouched; null: none. Kept by the block
  // until objects or their contents change (memory_version).
  const block_state::uniform_region* uniform_at(block_state& b, std::uintptr_t granule);
  const block_state::uniform_region* find_uniform(block_state& b, std::uintptr_t granule);
  std::uint64_t memory_version = 1;  // never changes while device threads of several OS threads run
  std::uint8_t initial_mask(const object_record& o, std::uintptr_t granule) const;
  object_record* find_object(std::uintptr_t address);  // live or freed, that holds the address
  object_record* nearest_object(std::uintptr_t address);
  block_state* owner_of_shared(std::uintptr_t address);
  // Shared memory of blocks whose cluster has begun, and they have not.
  struct expected_block {
    std::size_t size = 0;
    time_id since = 0;     // what was touched there later is this block's
    bool touched = false;  // by others of the cluster
  };
  std::map<std::uintptr_t, expected_block> expected_blocks;
  std::pair<std::uintptr_t, expected_block*> expected_owner(std::uintptr_t address);  // null: none
  // Shared arrays lie alike in all blocks: the address in `own` that corresponds to one in another block's memory.
  std::uintptr_t counterpart(const block_state& own, std::uintptr_t address);

  // ---- order ----
  bool agent_ordered(const launch_state& l, std::uint32_t agent) const;
  bool is_of(const block_state& b, time_id id) const {  // a descriptor of this block in this launch
    const descriptor& d = descriptors[id];
    return d.block == b.number && d.agent == b.launch->agent;
  }
  const knowledge& inherited(launch_state& l);     // the work of other streams that is ordered before the launch
  void publish(thread_state& t, clock_pair& out);  // t's clock now; t's later accesses are not in it
  // `now`: the access acquires; `by_barrier`: the next barrier of the block does.
  void acquire_location(thread_state& t, std::uintptr_t address, std::uint32_t size, simt::check::scope s, bool now,
                        bool by_barrier);
  void release_location(thread_state& t, std::uintptr_t address, std::uint32_t size, atomic_op what, order o,
                        simt::check::scope s);
  bool refresh_shared(thread_state& t, cell& c, std::uintptr_t granule);  // see there
  void settle_write(thread_state& t);
  void settle(thread_state& t);  // finish what the last event left open
  void settle_before_read(thread_state& t);

  // ---- agents ----
  std::uint32_t next_agent() const;  // number that the next launch or copy gets
  agent& agent_of(std::uint32_t number) { return agents[number - first_agent]; }
  bool on_host(std::uint32_t number) { return number >= first_agent && agent_of(number).kind == agent_kind::host; }
  void begin_agent(launch_state& l, int stream, agent a);
  std::deque<agent> agents;
  time_id horizon = kFirstTime;  // ids below it are ordered before all that may still come
  std::uint32_t first_agent = 0;
  struct stream_state {
    std::string name;
    detector::position done;         // by stream: what is ordered before the stream's next work
    std::deque<std::uint32_t> live;  // its agents, oldest first; their sequences follow each other
    // inherited() of the stream's last launch that was asked for it: what comes after adds to that.
    struct {
      knowledge known;
      detector::position after;
      std::uint32_t upto = 0;  // agents below are judged
    } inherited;
    // The fences of the host's code there, and what it saw: they count for what it does later, as another agent.
    struct {
      std::array<clock_pair, kReaches> fenced;
      std::array<knowledge, kReaches> acquirable;
    } host;
  };
  void retire_oldest_agent();
  // What comes after an agent knows what its threads learned through atomics: order is transitive. They learn from older
  // agents only, so when one of them is retired all that it learned of is done.
  void pass_on(block_state& b);
  std::vector<std::uint32_t> learners;  // agents with `learned`
  std::uint64_t retired_early = 0;  // not known to be done: races with them are missed from then on
  std::vector<stream_state> streams;
  void host_access(int stream, std::uintptr_t address, std::size_t bytes, bool write, std::string what,
                   std::span<const std::uintptr_t> stack, bool waited,
                   const std::vector<std::pair<std::uintptr_t, std::uintptr_t>>* init, bool copied_out = false);
  thread_state& host_thread(int stream);  // whose next event follows
  void host_acted(thread_state& t, int stream);
  clock_pair host_known;              // what the host has learned through atomics
  block_state* host_block = nullptr;  // the thread that does them
  std::uint32_t host_agent = 0;       // its agent
  bool host_waited = false;           // since the last one
  bool never_written(const object_record& o, std::uintptr_t address, std::size_t bytes);

  // ---- blocks ----
  block_state& take_block();
  void give_block(block_state& b);
  std::mutex pool_mutex;
  std::map<std::uint32_t, std::pair<std::uint32_t, std::uint32_t>>
      async_issuers;  // copy -> block, rank; of this launch
  std::vector<std::unique_ptr<block_state>> all_blocks;
  std::vector<block_state*> free_blocks;
  std::map<std::uintptr_t, block_state*> shared_owners;
  std::mutex owners_mutex;
  std::unique_ptr<launch_state> current;
  std::unique_ptr<launch_state> host_launch;
  std::vector<std::unique_ptr<launch_state>> old_launches;

  std::map<std::uintptr_t, object_record> objects;
  std::deque<extended_cell> extended_pool;
  std::vector<extended_cell*> extended_free;
  std::mutex extended_mutex;
  std::atomic<std::size_t> record_count{0};
  std::atomic<std::uint64_t> inexact{0};

  // ---- findings ----
  // Tests look here: every race and memory defect before folding. Null otherwise.
  struct sighting {
    rule what;
    std::uintptr_t address;  // of the cell
    std::uint8_t mask;       // its bytes
    const operation* op;
    const earlier_access* before;  // null: memory
  };
  void (*on_sighting)(void*, const sighting&) = nullptr;
  void* on_sighting_data = nullptr;
  static constexpr std::size_t kNone = ~std::size_t{0};
  void report_race(operation& op, std::uintptr_t granule, std::uint8_t mask, const earlier_access& before,
                   bool scope_only);
  void report_memory(operation& op, rule r, std::uintptr_t at);
  std::size_t add_finding(rule r, const std::string& object, std::uintptr_t pc, std::uintptr_t other_pc, severity s,
                          bool& fresh);
  struct finding_key {
    rule what;
    std::string object;
    std::uintptr_t pc, other;
    auto operator<=>(const finding_key&) const = default;
  };
  std::vector<finding> found;
  std::map<finding_key, std::size_t> found_index;
  std::uint64_t dropped = 0;
  mutable std::mutex found_mutex;
  guess_book guesses;  // under found_mutex
  // Forgets the plain reads of `address` by thread t: its compare-and-swap stands for them. Guarded.
  void forget_guesses(thread_state& t, std::uintptr_t address, std::uint32_t size);
};

inline cell_guard_state detector_core::guard_cells(std::uintptr_t address) {
  cell* const c = parallel ? cell_of(address) : nullptr;
  if (c == nullptr) return {};
  if (!in_shared(address)) {
    const std::uint32_t index = lease_index(address);
    if (leases->hold(index)) return {nullptr, true};
  }
  lock_group(c);
  return {c, false};
}
inline void end_guard(const cell_guard_state& g) {
  if (g.leased) end_lease();
  if (g.locked != nullptr) unlock_group(g.locked);
}
class cell_guard {
 public:
  cell_guard(detector_core& d, std::uintptr_t address) : state_(d.guard_cells(address)) {}
  explicit cell_guard(cell* c) : state_{c, false} { lock_group(c); }
  ~cell_guard() { end_guard(state_); }
  cell_guard(const cell_guard&) = delete;
  cell_guard& operator=(const cell_guard&) = delete;

 private:
  cell_guard_state state_;
};

// The stretch around `granule` if the block has it at hand.
inline const block_state::uniform_region* known_uniform(const block_state& b, std::uintptr_t granule) {
  const std::uint64_t version = b.core->memory_version;
  for (const auto& r : b.regions)
    if (granule - r.from < r.size && r.version == version) return &r;
  return nullptr;
}
inline const block_state::uniform_region* detector_core::uniform_at(block_state& b, std::uintptr_t granule) {
  const auto* const r = known_uniform(b, granule);
  return r != nullptr ? r : find_uniform(b, granule);
}

// ---- order between two accesses ---------------------------------------------------------------------------------

// Is there a thread of `any` whose access `id` is not ordered before what `t` does now? `who`: such a thread.
template <class Any>
inline bool find_unordered(const thread_state& t, time_id id, Any any, std::uint32_t& who, bool wide = false) {
  const block_state& b = *t.block;
  const launch_state& l = *b.launch;
  if (id < l.floor) return false;
  const descriptor& d = b.core->descriptors[id];
  const knowledge& k = wide ? t.clocks->known.wide : t.clocks->known.real;
  const std::uint64_t block = std::uint64_t{d.agent} << 32 | d.block;
  if (d.agent != l.agent) {
    if (b.core->agent_ordered(l, d.agent)) return false;
    if (k) {
      const time_id whole = known_until(k, std::uint64_t{d.agent} << 32 | kWholeAgent, 0);
      if (id < whole && (whole == kIdMask || !(d.block & kAsyncBlock))) return false;
    }
  } else if (d.block == b.number) {
    if (id < b.base) return false;
    const time_id* lanes = b.lanes_used ? b.lanes.data() + std::size_t{t.rank} * kWarp : nullptr;
    return any([&](std::uint32_t r) {
      if (r == t.rank || (lanes && r / kWarp == t.rank / kWarp && id < lanes[r % kWarp])) return false;
      if (k && id < known_until(k, block, r)) return false;
      who = r;
      return true;
    });
  } else if (!(d.block & kAsyncBlock) && id < b.grid_base) {
    return false;
  }
  if (!k) return any([&](std::uint32_t r) { return who = r, true; });
  return any([&](std::uint32_t r) {
    if (id < known_until(k, block, r)) return false;
    who = r;
    return true;
  });
}

inline bool ordered(const thread_state& t, time_id id, std::uint32_t rank, bool wide = false) {
  std::uint32_t who;
  return !find_unordered(
      t, id, [&](auto f) { return f(rank); }, who, wide);
}

// Calls of one stretch of 4 KiB of code, which are at least 4 bytes apart, never share a site.
inline block_state::access_site& site_of(block_state& b, std::uintptr_t pc) {
  return b.sites[(pc >> 2 ^ pc >> 12) & 1023];
}

// May what t does now at `pc` go by the site's descriptor? Not once t has released or the block passed a barrier since.
inline bool is_current(const block_state::access_site& site, const thread_state& t, std::uintptr_t pc) {
  return site.pc == pc && site.id >= min_id(t);
}

inline time_id descriptor_for(thread_state& t, std::uintptr_t pc) {
  block_state& b = *t.block;
  auto& site = site_of(b, pc);
  if (is_current(site, t, pc)) [[likely]]
    return site.id;
  site.id = b.core->descriptors.add({pc, 0, b.launch->agent, b.number});
  site.pc = pc;
  return site.id;
}

}  // namespace simt::check
