// SPDX-License-Identifier: Apache-2.0
// Runs a random small program through the fast detector and the brute-force oracle at once and compares:
//  - every race that the fast one sees is one in the oracle, at those bytes, with that earlier access and its class;
//  - at every byte both see the first race, and the first that no scope would cure, at the same step;
//  - the same for reads of uninitialised bytes.
#pragma once

#include <sys/mman.h>

#include <random>
#include <sstream>
#include <string>

#include "oracle.hpp"
#include "sim/check/core.hpp"

namespace random_programs {

using namespace simt::check;
using simt::rule;

class program {
 public:
  explicit program(std::uint64_t seed) : rng_(seed), seed_(seed) {}

  // Empty: agreement. Else the first difference.
  std::string run() {
    memory_ =
        static_cast<unsigned char*>(mmap(nullptr, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    device_ = reinterpret_cast<std::uintptr_t>(memory_);
    shared_ = device_ + 4096;
    options o;
    o.volatile_reads_lag = false;
    if (const char* w = std::getenv("SIMT_ORACLE_WORKERS")) o.workers = std::atoi(w);
    detector d(o, {device_, 4096}, {shared_, 4096});
    d_ = &d;
    d.core().on_sighting = [](void* self, const detector_core::sighting& s) { static_cast<program*>(self)->sight(s); };
    d.core().on_sighting_data = this;
    host_now_.resize(1);
    streams_.resize(3);
    device_bytes_ = 4 * pick(1, 10);
    allocation a;
    a.address = device_;
    a.size = device_bytes_;
    a.info = {"data", "int", 4, {}};
    const bool initialised = chance(60);
    d.allocated(a, initialised);
    if (initialised)
      for (std::size_t i = 0; i < device_bytes_; ++i) oracle_.initialised.insert(device_ + i);
    d.new_stream("a");
    d.new_stream("b");
    const int actions = pick(1, 5);
    for (int i = 0; i < actions && error_.empty(); ++i) {
      if (chance(60))
        launch();
      else
        host_work();
      if (chance(40)) order_streams();
    }
    if (error_.empty()) compare();
    munmap(memory_, 8192);
    return error_;
  }

  int races = 0, scope_races = 0, uninit = 0;

 private:
  std::mt19937_64 rng_;
  std::uint64_t seed_;
  unsigned char* memory_ = nullptr;
  std::uintptr_t device_ = 0, shared_ = 0;
  std::size_t device_bytes_ = 0, shared_bytes_ = 0;
  detector* d_ = nullptr;
  oracle::detector oracle_;
  std::string error_;
  // SIMT_ORACLE_TRACE=1 prints the program as it runs.
  bool trace_ = std::getenv("SIMT_ORACLE_TRACE") != nullptr;
  template <class... T>
  void trace(const char* format, T... x) {
    if (!trace_) return;
    std::printf("%4d ", oracle_.step);
    std::printf(format, x...);
    std::printf("\n");
  }
  struct stream {
    oracle::both now;
  };
  std::vector<stream> streams_;
  std::vector<oracle::both> host_now_;
  int host_agents_[3] = {-1, -1, -1}, launches_ = 0;  // the host's code, by stream: its own thread and callbacks
  std::map<std::uintptr_t, int> seen_any_, seen_full_;
  std::set<int> seen_uninit_steps_;
  std::map<std::pair<std::uint32_t, std::pair<std::uint32_t, std::uint32_t>>, int> agent_index_;  // agent, block, rank

  int pick(int low, int high) { return static_cast<int>(rng_() % static_cast<unsigned>(high - low + 1)) + low; }
  bool chance(int percent) { return pick(1, 100) <= percent; }
  template <class T>
  const T& one_of(const std::vector<T>& v) {
    return v[static_cast<std::size_t>(pick(0, static_cast<int>(v.size()) - 1))];
  }
  void fail(const std::string& what) {
    if (error_.empty())
      error_ = "seed " + std::to_string(seed_) + ", step " + std::to_string(oracle_.step) + ": " + what;
  }

  // ---- what the fast detector sees, checked at once ----
  void sight(const detector_core::sighting& s) {
    const block_state& b = *s.op->thread.block;
    const int me = agent_index_.at({b.launch->agent, {b.number, s.op->thread.rank}});
    if (!s.before) {
      if (s.what == rule::uninitialized_read) {
        seen_uninit_steps_.insert(oracle_.step);
        if (!oracle_.uninit_steps.count(oracle_.step)) fail("uninitialised read reported, but the bytes are written");
      } else {
        fail("memory finding " + std::string(name(s.what)));
      }
      return;
    }
    descriptor other = d_->core().descriptors[s.before->id];
    if (s.before->pc != 0) other.a = s.before->pc;
    const auto found = agent_index_.find({other.agent, {other.block, s.before->rank}});
    if (found == agent_index_.end()) return fail("earlier side is nobody");
    const int you = found->second;
    const bool scope_only = s.what == rule::race_scope;
    (scope_only ? scope_races : races)++;
    // The access that runs now is the last of `me` (oracle first).
    const oracle::access& now = oracle_.accesses.back();
    if (now.agent != me) return fail("the later side is another agent");
    bool pair_found = false, pc_found = false;
    for (std::uintptr_t i = 0; i < 4; ++i) {
      if (!(s.mask >> i & 1)) continue;
      const std::uintptr_t byte = s.address + i;
      bool ok = false, perhaps = true;
      for (const race_pair& p : now_races_) {
        if (p.agent != you || byte < p.from || byte >= p.to || p.full == scope_only) continue;
        const bool kind_ok = s.before->kind == simt::access_kind::atomic  ? oracle::atomic(p.what)
                             : s.before->kind == simt::access_kind::write ? p.what == oracle::kind::plain_write
                                                                          : p.what == oracle::kind::plain_read;
        if (!kind_ok) continue;
        ok = true;
        perhaps = perhaps && p.perhaps;
        if (p.pc == other.a || s.before->kind == simt::access_kind::read) pc_found = true;
      }
      if (!ok)
        for (const race_pair& p : now_races_)
          if (p.agent == you)
            trace("  oracle: agent %d kind %d bytes %ld-%ld full %d", p.agent, static_cast<int>(p.what),
                  static_cast<long>(p.from - device_), static_cast<long>(p.to - device_), p.full);
      if (!ok)
        return fail("false alarm: " + std::string(name(s.what)) + " at byte " + std::to_string(byte - device_) +
                    ", agent " + std::to_string(me) + " against " + std::to_string(you) + " (kind " +
                    std::to_string(static_cast<int>(s.before->kind)) + ")");
      pair_found = true;
      if (perhaps) continue;
      seen_any_.try_emplace(byte, oracle_.step);
      if (!scope_only) seen_full_.try_emplace(byte, oracle_.step);
    }
    if (!pair_found) fail("no byte reported");
    if (!pc_found) {
      std::ostringstream o;
      o << "the earlier side's place is wrong: agent " << me << " against " << you << " kind "
        << static_cast<int>(s.before->kind) << std::hex << " pc " << other.a << " not among";
      for (const race_pair& p : now_races_)
        if (p.agent == you) o << ' ' << p.pc;
      fail(o.str());
    }
  }

  struct race_pair {
    int agent;
    oracle::kind what;
    std::uintptr_t from, to, pc;
    bool full;
    bool perhaps = false;  // the fast detector may see it, and need not
  };
  std::vector<race_pair> now_races_;

  // Lists the oracle's races of an access before it is performed there.
  void before(int t, oracle::kind k, scope s, std::uintptr_t address, std::size_t size, bool is_volatile = false) {
    now_races_.clear();
    for (const auto& a : oracle_.accesses) {
      const std::uintptr_t from = std::max(a.address, address), to = std::min(a.address + a.size, address + size);
      if (from >= to) continue;
      if (k == oracle::kind::plain_write && oracle_.observed(a, t, from)) continue;
      const bool perhaps = k == oracle::kind::plain_write && oracle_.observed_by_its_write(a, t, from);
      if (const int r = oracle_.race(a, t, k, s, address, size, is_volatile))
        now_races_.push_back({a.agent, a.what, from, to, a.pc, r == 2, perhaps});
    }
  }

  void compare() {
    auto diff = [&](const char* what, const std::map<std::uintptr_t, int>& slow,
                    const std::map<std::uintptr_t, int>& fast) {
      for (auto [byte, step] : slow) {
        auto it = fast.find(byte);
        if (it == fast.end())
          fail(std::string("missed ") + what + " at byte " + std::to_string(byte - device_) + ", step " +
               std::to_string(step));
        else if (it->second != step)
          fail(std::string(what) + " at byte " + std::to_string(byte - device_) + ": oracle at step " +
               std::to_string(step) + ", fast at " + std::to_string(it->second));
      }
      for (auto [byte, step] : fast)
        if (!slow.count(byte)) fail(std::string("false ") + what + ", step " + std::to_string(step));
    };
    diff("race", oracle_.first_any, seen_any_);
    diff("full race", oracle_.first_full, seen_full_);
    for (auto [byte, step] : oracle_.first_uninit)
      if (!seen_uninit_steps_.count(step)) fail("missed uninitialised read, step " + std::to_string(step));
    uninit = static_cast<int>(seen_uninit_steps_.size());
  }

  // ---- host and streams ----
  void order_streams() {
    const int from = pick(0, 2), to = pick(0, 2);
    if (from == to) return;
    trace("stream %d waits for %d", to, from);
    d_->wait(to, d_->record(from));
    streams_[static_cast<std::size_t>(to)].now.join_with(streams_[static_cast<std::size_t>(from)].now);
  }

  oracle::both begin_on(int stream) {
    auto& s = streams_[static_cast<std::size_t>(stream)].now;
    if (stream != 0) s.join_with(streams_[0].now);
    return s;
  }

  void host_work() {
    const int stream = pick(0, 2), what = pick(0, 5);
    if (what >= 4) {
      const int events = pick(1, 4);
      for (int i = 0; i < events && error_.empty(); ++i) host_event(chance(70) ? 0 : stream);
      return;
    }
    const std::size_t from = static_cast<std::size_t>(pick(0, static_cast<int>(device_bytes_) - 1));
    const std::size_t size = static_cast<std::size_t>(pick(1, static_cast<int>(device_bytes_ - from)));
    host_copy(stream, what, from, size);
  }

  void host_one(int stream, bool write, std::uintptr_t at, std::size_t size) {
    ++oracle_.step;
    const auto start = begin_on(stream);
    const int id = oracle_.add(++launches_, 1 << 20, 0, -1, start);
    agent_index_[{d_->core().next_agent(), {0, 0}}] = id;
    before(id, write ? oracle::kind::plain_write : oracle::kind::plain_read, scope::system, at, size);
    const auto uninit_steps = oracle_.uninit_steps;
    const auto first_uninit = oracle_.first_uninit;
    oracle_.plain(id, write, at, size, 0x77);
    oracle_.uninit_steps = uninit_steps;  // copies may read what nobody wrote
    oracle_.first_uninit = first_uninit;
    streams_[static_cast<std::size_t>(stream)].now.join_with(oracle_.agents[static_cast<std::size_t>(id)].now);
  }

  // An atomic operation or a fence of the host's code.
  void host_event(int stream) {
    ++oracle_.step;
    const std::uintptr_t flag = device_ + (chance(80) ? device_bytes_ : 4 * static_cast<std::size_t>(pick(1, static_cast<int>(device_bytes_ / 4)))) - 4;
    int& id = host_agents_[stream];
    if (id < 0) {
      id = oracle_.add(++launches_, 1 << 20, 0, -1, {});
      oracle_.agents[static_cast<std::size_t>(id)].host = true;
    }
    oracle_.agents[static_cast<std::size_t>(id)].now.join_with(begin_on(stream));
    agent_index_[{d_->core().next_agent(), {0, 0}}] = id;
    const auto o = one_of<order>({order::relaxed, order::acquire, order::release, order::acq_rel, order::seq_cst});
    if (chance(30)) {
      trace("host's agent %d on stream %d: fence order %d", id, stream, static_cast<int>(o));
      oracle_.fence(id, o, scope::system);
      d_->host_fence(stream, o);
    } else {
      const auto op = one_of<atomic_op>({atomic_op::load, atomic_op::load, atomic_op::store, atomic_op::rmw});
      trace("host's agent %d on stream %d: atomic %d order %d %ld+4", id, stream, static_cast<int>(op), static_cast<int>(o),
            static_cast<long>(flag - device_));
      expect_atomic(id, flag, 4, op, o, scope::system, 0x78);
      d_->host_atomic(stream, flag, 4, op, o, 0x78);
    }
    streams_[static_cast<std::size_t>(stream)].now.join_with(oracle_.agents[static_cast<std::size_t>(id)].now);
  }

  void host_copy(int stream, int what, std::size_t from, std::size_t size) {
    const std::uintptr_t pcs[] = {0x77};
    const std::uintptr_t at = device_ + from;
    trace("host work %d on stream %d %zu+%zu", what, stream, from, size);
    if (what == 0) {
      const bool waited = chance(50);
      host_one(stream, true, at, size);
      d_->copy_to_device(stream, at, size, pcs, waited);
      if (waited) {
        trace("the host waits for stream %d", stream);
        streams_[0].now.join_with(streams_[static_cast<std::size_t>(stream)].now);
        d_->wait(0, d_->record(stream));
      }
    } else if (what == 1) {
      host_one(stream, false, at, size);
      d_->copy_to_host(stream, at, size, pcs);
    } else {
      host_one(stream, true, at, size);
      d_->fill(stream, at, size, pcs);
    }
  }

  // ---- a launch ----
  struct running {
    block_state* b = nullptr;
    int index = 0;
    std::vector<int> agents;  // of its threads
    std::vector<char> exited;
    std::uintptr_t shared = 0;
  };
  struct copy {
    thread_state* t;
    int agent, of;
    bool joined = false;
    sync_object done;
    oracle::both done_clock;
  };
  std::vector<running> blocks_;
  bool staged_ = false;  // resident blocks do something before the last has begun

  void launch() {
    const int blocks = pick(1, 6), per_cluster = chance(70) ? 1 : 2;
    const int threads = one_of<int>({1, 2, 3, 5, 31, 32, 33, 40, 64, 70});
    shared_bytes_ = static_cast<std::size_t>(4 * pick(0, 4));
    oracle_.shared_from = shared_bytes_ > 8 ? shared_ : ~std::uintptr_t{0};  // up to 8 bytes are a flag, not an array
    const int stream = pick(0, 2);
    const auto start = begin_on(stream);
    launch_state& l = d_->launch_begin(stream, "kernel", {blocks, 1, 1}, {threads, 1, 1}, per_cluster > 1);
    const int number = ++launches_;
    trace("launch on stream %d: %d blocks (%d a cluster) of %d, shared %zu", stream, blocks, per_cluster, threads,
          shared_bytes_);
    const bool together = chance(70);  // all blocks resident at once, or one after the other in one slot
    staged_ = chance(50);
    oracle::both end = start;
    std::vector<std::uintptr_t> slot_bytes;
    auto begin = [&](int i, int slot) {
      running r;
      r.index = i;
      r.shared = shared_ + static_cast<std::uintptr_t>(slot) * 64;
      for (std::uintptr_t x = 0; x < 64; ++x) {
        oracle_.initialised.erase(r.shared + x);
        // Another block's shared memory of the same slot is other memory: nothing of it can race any more.
        for (auto& a : oracle_.accesses)
          if (a.address < r.shared + 64 && a.address + a.size > r.shared) a.size = 0;
        std::erase_if(oracle_.locations,
                      [&](const auto& y) { return y.first.first >= r.shared && y.first.first < r.shared + 64; });
      }
      r.b = &d_->block_begin(l, i, {i, 0, 0}, i / per_cluster, {r.shared, 64});
      if (shared_bytes_) shared_array(*r.b, r.shared, shared_bytes_, {"tile", "int", 4, {}});
      r.exited.assign(static_cast<std::size_t>(threads), 0);
      for (int t = 0; t < threads; ++t) {
        r.agents.push_back(oracle_.add(number, i, t, i / per_cluster, start));
        agent_index_[{l.agent, {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(t)}}] = r.agents.back();
      }
      blocks_.push_back(std::move(r));
    };
    auto finish = [&] {
      for (auto& r : blocks_) {
        for (int a : r.agents) complete(end, a);
        d_->block_end(*r.b);
      }
      blocks_.clear();
    };
    for (int i = 0; i < blocks && error_.empty(); ++i) {
      begin(i, together ? i : 0);
      const bool last = i == blocks - 1;
      if (!together || last || (staged_ && (i + 1) % per_cluster == 0)) body(threads, number, l, end);
      if (!together || last) finish();
    }
    d_->launch_end(l);
    streams_[static_cast<std::size_t>(stream)].now.join_with(end);
  }

  // What follows on the stream knows that this agent is done, and what it has learnt.
  void complete(oracle::both& end, int a) { end.join_with(oracle_.agents[static_cast<std::size_t>(a)].now); }

  void body(int threads, int number, launch_state& l, oracle::both& end) {
    // Few active threads, so that most pairs meet again and order matters.
    struct who {
      int block, rank;
    };
    std::vector<who> active;
    const int count = pick(1, 5);
    for (int i = 0; i < count; ++i)
      active.push_back({pick(0, static_cast<int>(blocks_.size()) - 1), pick(0, threads - 1)});
    std::vector<copy> copies;
    std::vector<std::pair<std::unique_ptr<sync_object>, oracle::both>> objects;
    for (int i = 0; i < 2; ++i) objects.emplace_back(std::make_unique<sync_object>(), oracle::both{});
    const bool narrow = chance(35);  // arrays of bytes and halves
    const int sync_percent = one_of<int>({5, 20, 40}), atomic_percent = narrow && chance(60) ? 0 : one_of<int>({0, 10, 40, 60});
    const int plain_limit = one_of<int>({4, 8, 1000});  // bytes of plain data; the rest belongs to atomics
    const bool strong_only = chance(50);
    const int steps = pick(5, 60);
    for (int i = 0; i < steps && error_.empty(); ++i) {
      ++oracle_.step;
      const who w = one_of(active);
      running& r = blocks_[static_cast<std::size_t>(w.block)];
      thread_state& t = thread_of(*r.b, w.rank);
      const int a = r.agents[static_cast<std::size_t>(w.rank)];
      if (chance(sync_percent)) {
        synchronise(r, t, a, w.rank, threads, strong_only, copies, objects, number, l);
      } else if (chance(5)) {
        message(active);
      } else if (chance(6)) {
        // Every thread of the block reads or writes the same cell, or its own.
        const bool write = chance(narrow ? 50 : 20), same = chance(narrow ? 20 : 80);
        const std::uintptr_t pc = 0x1000 + static_cast<std::uintptr_t>(pick(0, 3)) * 16;
        const auto [address, size] = data_place(r, plain_limit, {narrow ? one_of<int>({1, 2}) : 4});
        const std::uintptr_t base = narrow && address >= shared_ ? r.shared : device_;
        const std::size_t bytes = base == device_ ? device_bytes_ : shared_bytes_;
        for (int x = 0; x < threads && error_.empty(); ++x) {
          ++oracle_.step;
          const std::uintptr_t at = same ? address : base + static_cast<std::uintptr_t>(x) * size % bytes;
          plain(thread_of(*r.b, x), r.agents[static_cast<std::size_t>(x)], write, at, size, pc);
        }
      } else if (chance(6)) {
        // The threads at one place, or some, of all blocks read the same cells.
        const std::uintptr_t pc = 0x1000 + static_cast<std::uintptr_t>(pick(0, 1)) * 16;
        const auto [address, size] = data_place(r, plain_limit, {4, 8});
        const int from = pick(0, threads - 1), to = std::min(threads, from + pick(1, 3));
        for (auto& reader : blocks_)
          for (int x = from; x < to && error_.empty() && (address < shared_ || reader.b->cluster == r.b->cluster); ++x) {
            ++oracle_.step;
            plain(thread_of(*reader.b, x), reader.agents[static_cast<std::size_t>(x)], false, address, size, pc);
          }
      } else if (chance(atomic_percent)) {
        atomic_step(r, t, a, plain_limit, strong_only);
      } else {
        const std::uintptr_t pc = 0x1000 + static_cast<std::uintptr_t>(pick(0, 5)) * 16;
        const auto [address, size] =
            data_place(r, plain_limit,
                       narrow       ? std::vector<int>{1, 1, 1, 1, 2, 2, 4}
                       : chance(70) ? std::vector<int>{4, 8}
                                    : std::vector<int>{1, 2, 4, 8, 16});
        plain(t, a, chance(45), address, size, pc);
      }
      for (auto& c : copies)
        if (!c.joined && chance(15) && error_.empty()) {
          ++oracle_.step;
          const auto issuer = std::find_if(blocks_.begin(), blocks_.end(), [&](const running& x) { return x.b == c.t->block->owner; });
          const auto [address, size] = data_place(*issuer, plain_limit, {4, 8});
          plain(*c.t, c.agent, chance(50), address, size, 0x3000);
        }
    }
    for (auto& c : copies) complete(end, c.agent);
  }

  std::pair<std::uintptr_t, std::uint32_t> data_place(const running& r, int limit, const std::vector<int>& sizes) {
    bool in_shared = shared_bytes_ && chance(50);
    std::uintptr_t base = device_;
    std::size_t bytes = device_bytes_;
    if (in_shared) {
      const running& other = chance(95) ? r : one_of_ref(blocks_);
      const running& owner = other.b->cluster != r.b->cluster ? r : other;  // shared memory is the cluster's alone
      base = owner.shared;
      bytes = shared_bytes_;
    }
    bytes = std::min(bytes, static_cast<std::size_t>(limit));
    std::uint32_t size = static_cast<std::uint32_t>(one_of(sizes));
    while (size > bytes) size /= 2;
    const int places = static_cast<int>(bytes / size);
    return {base + static_cast<std::uintptr_t>(pick(0, places - 1)) * size, size};
  }
  running& one_of_ref(std::vector<running>& v) {
    return v[static_cast<std::size_t>(pick(0, static_cast<int>(v.size()) - 1))];
  }

  void plain(thread_state& t, int a, bool write, std::uintptr_t address, std::uint32_t size, std::uintptr_t pc) {
    trace("agent %d (block %x rank %u) %s %ld+%u pc %lx", a, t.block->number, t.rank, write ? "write" : "read",
          static_cast<long>(address - device_), size, static_cast<long>(pc));
    before(a, write ? oracle::kind::plain_write : oracle::kind::plain_read, scope::system, address, size);
    oracle_.plain(a, write, address, size, pc);
    if (size == 8 && chance(10)) {
      if (write)
        write_range(t, address, size, pc);
      else
        read_range(t, address, size, pc);
    } else if (write) {
      simt::check::write(t, address, size, pc);
    } else {
      simt::check::read(t, address, size, pc);
    }
  }

  void atomic_step(running& r, thread_state& t, int a, int plain_limit, bool strong_only) {
    auto [address, size] = data_place(r, 1000, chance(85) ? std::vector<int>{4} : std::vector<int>{1, 2, 4, 8});
    // Mostly beyond the plain data.
    if (chance(85) && plain_limit < 1000) {
      const bool in_shared = shared_bytes_ > static_cast<std::size_t>(plain_limit) && chance(40);
      const std::size_t bytes = in_shared ? shared_bytes_ : device_bytes_;
      if (bytes > static_cast<std::size_t>(plain_limit))
        address = (in_shared ? r.shared : device_) + bytes - 4, size = std::min(size, 4u);
      address &= ~static_cast<std::uintptr_t>(size - 1);
    }
    const std::uintptr_t pc = 0x2000 + static_cast<std::uintptr_t>(pick(0, 2)) * 16;
    const auto op = one_of<atomic_op>({atomic_op::load, atomic_op::store, atomic_op::rmw});
    if (op != atomic_op::rmw && chance(30)) {
      trace("agent %d (block %d rank %u) volatile %d %ld+%u", a, r.index, t.rank, static_cast<int>(op),
            static_cast<long>(address - device_), size);
      before(a, op == atomic_op::load ? oracle::kind::atomic_read : oracle::kind::atomic_write, scope::system, address,
             size, true);
      oracle_.atomic_access(a, op, order::relaxed, scope::system, address, size, pc, true);
      if (op == atomic_op::load)
        read_volatile(t, address, size, pc);
      else
        write_volatile(t, address, size, pc);
      return;
    }
    const auto o = one_of<order>({order::relaxed, order::acquire, order::release, order::acq_rel, order::seq_cst});
    const auto s =
        strong_only
            ? scope::device
            : one_of<scope>({scope::block, scope::device, scope::device, scope::cluster, scope::system, scope::thread});
    do_atomic(r, t, a, address, size, op, o, s, pc);
  }

  // One thread writes data and sets a flag; perhaps another changes the flag; a third reads the flag, then the data.
  // Scopes, fences and threads are random: most such programs have one part that is too weak.
  template <class Who>
  void message(const std::vector<Who>& active) {
    if (device_bytes_ < 8) return;
    const std::uintptr_t data = device_, flag = device_ + device_bytes_ - 4;
    const std::vector<scope> scopes{scope::block, scope::device, scope::device, scope::cluster, scope::system};
    auto someone = [&]() -> std::pair<running*, int> {
      const Who& w = one_of(active);
      return {&blocks_[static_cast<std::size_t>(w.block)], w.rank};
    };
    auto state = [](std::pair<running*, int> w) -> thread_state& { return thread_of(*w.first->b, w.second); };
    auto agent = [](std::pair<running*, int> w) { return w.first->agents[static_cast<std::size_t>(w.second)]; };
    auto flags = [&](atomic_op op, order o, std::uintptr_t pc, std::pair<running*, int> w) {
      ++oracle_.step;
      do_atomic(*w.first, state(w), agent(w), flag, 4, op, o, one_of(scopes), pc);
    };
    auto fences = [&](order o, std::pair<running*, int> w) {
      ++oracle_.step;
      const scope s = one_of(scopes);
      trace("agent %d fence order %d scope %d", agent(w), static_cast<int>(o), static_cast<int>(s));
      fence(state(w), o, s);
      oracle_.fence(agent(w), o, s);
    };
    auto touches = [&](bool write, std::uintptr_t pc, std::pair<running*, int> w) {
      ++oracle_.step;
      plain(state(w), agent(w), write, data, 4, pc);
    };
    const auto writer = someone(), reader = someone();
    const bool from_fence = chance(50), to_fence = chance(50);
    touches(true, 0x4000, writer);
    if (from_fence) fences(order::release, writer);
    flags(chance(50) ? atomic_op::store : atomic_op::rmw, from_fence ? order::relaxed : order::release, 0x4010, writer);
    if (chance(40)) flags(chance(80) ? atomic_op::rmw : atomic_op::store, order::relaxed, 0x4020, someone());
    flags(chance(50) ? atomic_op::load : atomic_op::rmw, to_fence ? order::relaxed : order::acquire, 0x4030, reader);
    if (to_fence) fences(order::acquire, reader);
    touches(chance(50), 0x4040, reader);
  }

  void do_atomic(running& r, thread_state& t, int a, std::uintptr_t address, std::uint32_t size, atomic_op op, order o,
                 scope s, std::uintptr_t pc) {
    trace("agent %d (block %d rank %u) pc %lx atomic %d order %d scope %d %ld+%u", a, r.index, t.rank,
          static_cast<long>(pc), static_cast<int>(op), static_cast<int>(o), static_cast<int>(s),
          static_cast<long>(address - device_), size);
    expect_atomic(a, address, size, op, o, s, pc);
    atomic_section lock(t, address);
    simt::check::atomic(t, address, size, op, o, s, pc);
  }

  // The oracle's part. Its acquire comes first: the list of races must be made in between, as the access itself sees it.
  void expect_atomic(int a, std::uintptr_t address, std::uint32_t size, atomic_op op, order o, scope s, std::uintptr_t pc) {
    const bool acq = o == order::acquire || o == order::acq_rel || o == order::seq_cst;
    oracle::detector ahead = oracle_;
    if (op != atomic_op::store) ahead.load(a, address, size, s, acq);
    now_races_.clear();
    const auto k = op == atomic_op::load ? oracle::kind::atomic_read : oracle::kind::atomic_write;
    for (const auto& x : ahead.accesses) {
      const std::uintptr_t from = std::max(x.address, address), to = std::min(x.address + x.size, address + size);
      if (from >= to) continue;
      if (const int c = ahead.race(x, a, k, s, address, size, false))
        now_races_.push_back({x.agent, x.what, from, to, x.pc, c == 2});
    }
    oracle_.atomic_access(a, op, o, s, address, size, pc);
  }

  void synchronise(running& r, thread_state& t, int a, int rank, int threads, bool strong_only,
                   std::vector<copy>& copies,
                   std::vector<std::pair<std::unique_ptr<sync_object>, oracle::both>>& objects, int number,
                   launch_state& l) {
    switch (pick(0, 11)) {
      case 0:
      case 1: {
        trace("barrier of block %d", r.index);
        block_barrier(*r.b);
        oracle_.barrier(r.agents);
        break;
      }
      case 2:
      case 3: {
        const auto mask = static_cast<std::uint32_t>(chance(40) ? 0xffffffffu : rng_()) | 1u << (rank % 32);
        trace("warp_sync block %d warp %d mask %x", r.index, rank / 32, mask);
        warp_sync(*r.b, rank / 32, mask);
        std::vector<int> ids;
        for (int i = 0; i < 32; ++i)
          if (mask >> i & 1 && rank / 32 * 32 + i < threads)
            ids.push_back(r.agents[static_cast<std::size_t>(rank / 32 * 32 + i)]);
        oracle_.together(ids);
        break;
      }
      case 4: {
        std::vector<int> ranks, ids;
        for (int i = 0; i < threads; ++i)
          if (chance(40)) ranks.push_back(i), ids.push_back(r.agents[static_cast<std::size_t>(i)]);
        if (ranks.empty()) break;
        trace("group_sync block %d of %zu", r.index, ranks.size());
        group_sync(*r.b, ranks);
        oracle_.together(ids);
        break;
      }
      case 5: {
        // A grid or cluster barrier, only where all its blocks are resident.
        if (static_cast<std::int64_t>(blocks_.size()) != l.blocks) break;
        const bool cluster = chance(70);
        std::vector<block_state*> bs;
        std::vector<int> ids;
        for (auto& x : blocks_)
          if (!cluster || x.b->cluster == r.b->cluster) {
            bs.push_back(x.b);
            ids.insert(ids.end(), x.agents.begin(), x.agents.end());
          }
        trace("blocks_sync of %zu", bs.size());
        blocks_sync(bs);
        oracle_.barrier(ids);
        break;
      }
      case 6: {
        auto& o = one_of_pair(objects);
        trace("agent %d release object", a);
        release(t, *o.first);
        o.second.join_with(oracle_.agents[static_cast<std::size_t>(a)].now);
        oracle_.tick(a);
        break;
      }
      case 7: {
        auto& o = one_of_pair(objects);
        trace("agent %d acquire object", a);
        acquire(t, *o.first);
        oracle_.agents[static_cast<std::size_t>(a)].now.join_with(o.second);
        break;
      }
      case 8: {
        trace("agent %d async", a);
        if (chance(50) && copies.size() < 3) {
          copy c;
          c.t = &async_begin(t);
          c.of = a;
          c.agent = oracle_.add(number, 1000 + static_cast<int>(oracle_.agents.size()), 0,
                                -1 - static_cast<int>(oracle_.agents.size()),
                                oracle_.agents[static_cast<std::size_t>(a)].now);
          oracle_.tick(a);
          agent_index_[{l.agent, {c.t->block->number, 0}}] = c.agent;
          copies.push_back(std::move(c));
        } else if (!copies.empty()) {
          copy& c = copies[static_cast<std::size_t>(pick(0, static_cast<int>(copies.size()) - 1))];
          if (!c.joined) {
            release(*c.t, c.done);
            c.done_clock = oracle_.agents[static_cast<std::size_t>(c.agent)].now;
            oracle_.tick(c.agent);
            c.joined = true;
          }
          acquire(t, c.done);
          oracle_.agents[static_cast<std::size_t>(a)].now.join_with(c.done_clock);
        }
        break;
      }
      default: {
        const auto o = one_of<order>({order::acquire, order::release, order::acq_rel, order::seq_cst, order::acq_rel});
        const auto s = strong_only
                           ? scope::device
                           : one_of<scope>({scope::block, scope::device, scope::cluster, scope::system, scope::thread});
        trace("agent %d fence order %d scope %d", a, static_cast<int>(o), static_cast<int>(s));
        fence(t, o, s);
        oracle_.fence(a, o, s);
      }
    }
  }
  template <class T>
  T& one_of_pair(std::vector<T>& v) {
    return v[static_cast<std::size_t>(pick(0, static_cast<int>(v.size()) - 1))];
  }
};

}  // namespace random_programs
