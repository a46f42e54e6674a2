// SPDX-License-Identifier: Apache-2.0
// What loads may read, and where stores take their place, by the memory model of PTX (PTX ISA, "Memory Consistency
// Model"), where threads run one after the other.
//
// Each location keeps its last stores in coherence order. A load reads the newest, or an older one that is not
// overwritten before it in causality order. A store becomes the newest, or takes a place before some that were done
// earlier and are not before it in causality order; not between an atomic update and what that has read. What must not
// be overlooked is a thread's view: for each location the oldest store that it may still read, or follow. A view grows
// by what the thread does itself
// (its stores, and stores that it read with moral strength), and by the views of others: those that were released with
// a value that it acquires, with every scope reaching the other side, and at barriers. fence.sc are in one order for
// each pair that reaches each other.
//
// To let a load read an older store, that value lies in memory from the announcement of the load to the next one of
// anything, when the newest is put back; so it is behind a store that is not the newest. So compiled code needs to know
// nothing of it.
//
// A load may also be told to read a store to come (load buffering; stores_to_come.cpp).
//
// Why the rest breaks no axiom: a step comes before all that it can be ordered before (threads run one after the other,
// and nothing reads what is stored later), so what orders a store is known when it is done. In what threads see of one
// location with moral strength, positions only rise: along a thread's own accesses because its view does, from a store
// to its readers, and to what is stored behind it. So there is no cycle, wherever a store stands above the view.
//
// Not followed, so that less is shown than is allowed: read-modify-writes that read or follow anything but the newest,
// and all but the newest for accesses that are not aligned, larger than 8 bytes, or of another size than those before.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <sim/exec/clean_stack.hpp>
#include <sim/exec/scheduler/pending_access.hpp>
#include <sim/report/explored_run.hpp>

namespace simt::sim {

struct block_context;
struct device_thread;
struct launch_state;

class weak_memory {
 public:
  // draws: loads whose value nobody chose take an older one by chance.
  weak_memory(bool draws, std::uint64_t seed);
  ~weak_memory();

  void launch_begins(const launch_state& l);
  void launch_ends();
  // What was chosen in a launch that is played back; and in the one that has ended.
  void play_back(const std::string& choices);
  std::string take_choices();

  // The thread does this now.
  void begins(const device_thread& t, std::uintptr_t pc, const pending_access& what) {
    begin(t, pc, what);
    clean_stack_below();
  }
  // The atomic operation that was begun last is done.
  void is_done(bool wrote, pending_access::order o) {
    if (pending_.open) finish(wrote, o);
    clean_stack_below();
  }
  // Memory is as all stores have left it: before anybody looks at it or waits.
  void settle();
  // Threads of a block have waited for each other; all of it, or those in `ranks`. Whole blocks have.
  void met(const block_context& b);
  void met(const block_context& b, std::span<const std::int32_t> ranks);
  void met(std::span<block_context* const> blocks);
  void met_all();  // all threads of the grid

  // Older values that the thread might read, by how many stores they are behind the newest; of a store, how many it may
  // take its place before.
  std::vector<std::uint32_t> offers(const device_thread& t, std::uintptr_t pc, const pending_access& what);
  // The next load to begin reads that one, or the next store goes there.
  void choose(std::uint32_t older) { chosen_ = older; }
  // Aligned, and of 1, 2, 4 or 8 bytes.
  static bool is_simple(const pending_access& what);
  // The next load to begin reads that store, which comes later.
  void choose(const store_to_come& later) { chosen_later_ = later; }
  // A load has read a store to come that has not come in its launch, or that PTX forbids it to read. Asked once.
  bool is_unkept() const { return unkept_; }
  bool take_unkept() { return std::exchange(unkept_, false); }
  // The next access to begin is the step of that number; and what such steps have read or stored since this was asked.
  void begins_step(std::size_t number) { next_step_ = static_cast<std::int64_t>(number); }
  std::vector<std::pair<std::size_t, std::uint64_t>> take_values() { return std::exchange(values_, {}); }
  // A number for what the access would depend on: the store that it reads or follows, and the order of fences. 0: it
  // has none of its own, the accesses before it to the same memory count.
  std::uint64_t source(const pending_access& what, std::uint32_t older);
  // Has a store been done since this was last asked that memory does not show?
  bool has_placed_earlier() { return std::exchange(placed_earlier_, false); }

 private:
  using order = pending_access::order;
  using scope = pending_access::scope;
  using kind = pending_access::kind;

  // For each location the oldest store that may be read. Shared until it changes.
  class view {
   public:
    std::uint64_t at(std::uint32_t location) const;
    void raise(std::uint32_t location, std::uint64_t position);
    void join(const view& other);

   private:
    using entries = std::vector<std::pair<std::uint32_t, std::uint64_t>>;  // by location
    std::shared_ptr<entries> entries_;
  };
  struct who {
    std::int64_t thread = -1, block = -1, cluster = -1;
  };
  // The first operation of a release pattern.
  struct head {
    who by;
    scope reach = scope::system;
    view seen;
  };
  struct store {
    std::uint64_t id = 0, value = 0;
    std::uint64_t position = 0;  // in the coherence order, with room between two neighbours
    who by;
    bool strong = false, by_update = false;
    scope reach = scope::system;
    std::vector<head> heads;
  };
  struct location {
    std::uint32_t id = 0, bytes = 0;
    std::uintptr_t address = 0;
    std::vector<store> stores;  // by position
    const store& newest() const { return stores.back(); }
    const store& behind(std::size_t older) const { return stores[stores.size() - 1 - older]; }
  };
  // What a strong read has observed, and no acquire has taken over.
  struct unacquired {
    std::uint32_t location = 0;
    bool by_update = false;
    scope reach = scope::system;
    head from;
  };
  // A store that somebody has read before it is done (stores_to_come.cpp).
  struct early_reader {
    who by;
    scope reach = scope::system;
    bool strong = false;
    std::vector<scope> acquired;  // at the scopes of the acquires that were to take it over, before it is done
  };
  struct promise {
    std::uint32_t location = 0;
    store_to_come what;
    std::uint64_t position = 0;
    std::uint32_t mark = 0;  // a location of its own: who has a view of it is behind a reader in causality order
    std::vector<early_reader> readers;
  };
  struct thread_state {
    view seen;
    std::vector<head> fenced;  // by scope, of its fences
    std::map<std::uint32_t, std::vector<head>> released;
    std::vector<unacquired> observed;
    // How often it read that store though it is not the newest, or went before that one, at a place in the code.
    std::map<std::pair<std::uintptr_t, std::uint64_t>, int> overlooked;
    std::uint64_t stores = 0, fences = 0;
  };

  static bool reaches(scope s, const who& from, const who& to);
  static bool strong_together(scope a, const who& by, scope b, const who& with);
  who name_of(std::int64_t block, std::int32_t rank) const;
  location* find(std::uintptr_t address, std::size_t bytes);
  location& locate(std::uintptr_t address, std::size_t bytes);
  void forget(std::uintptr_t address, std::size_t bytes);
  static const store& overlooked_store(const location& x, const pending_access& what, std::uint32_t older);
  static constexpr std::uint64_t kRoom = std::uint64_t{1} << 32;  // between stores, for those that take a place there
  static std::uint64_t between(std::uint64_t a, std::uint64_t b);
  void begin(const device_thread& t, std::uintptr_t pc, const pending_access& what);
  void finish(bool wrote, order o);
  void note_value(const pending_access& what, std::int64_t step, std::uint64_t before);
  promise* promise_of(std::uint32_t location, std::int64_t thread);
  void read_early(const location& x, thread_state& me, const store_to_come& s, const who& by,
                  const pending_access& what);
  void acquires_early(std::int64_t thread, scope s, const location* x);
  std::uint64_t place_on_top(const location& x, const store& s, const promise* own) const;
  void keep(const promise& p, const store& s, const thread_state& me);
  void fence(const who& t, order o, scope s);
  void acquire(thread_state& me, const who& t, const head& h, scope s);
  void meet(std::span<const who> threads);
  std::uint64_t number();

  bool draws_;
  std::uint64_t state_;
  std::int64_t threads_of_block_ = 1;
  const launch_state* launch_ = nullptr;
  std::unordered_map<std::uintptr_t, std::vector<location>> locations_;  // by address / 8
  std::unordered_map<std::int64_t, thread_state> threads_;
  std::map<std::pair<scope, std::int64_t>, view> fences_;  // what fence.sc have seen, of a block, a cluster, all
  static constexpr std::uint64_t kNoFence = 3;             // as no store is named, so that source() of both is never 0
  std::uint64_t last_fence_ = kNoFence;
  std::uint32_t next_location_ = 0;
  std::uint32_t chosen_ = 0;
  std::uint64_t accesses_ = 0;  // loads and stores
  bool placed_earlier_ = false;
  std::vector<promise> promises_;  // those that are not kept yet
  store_to_come chosen_later_;
  bool unkept_ = false;
  std::int64_t next_step_ = -1;
  std::vector<std::pair<std::size_t, std::uint64_t>> values_;
  std::string choices_;
  std::map<std::uint64_t, std::uint32_t> played_back_;
  std::map<std::uint64_t, store_to_come> played_back_early_;
  bool plays_back_ = false;

  struct {
    bool open = false, simple = false;
    bool older_in_memory = false;
    who by;
    pending_access what;
    std::uint32_t older = 0;   // behind the newest store: what is read, or followed
    store_to_come later;       // what is read instead
    std::uint64_t before = 0;  // what an update has found
    std::int64_t step = -1;
  } pending_;
};

}  // namespace simt::sim
