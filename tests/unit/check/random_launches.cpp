// SPDX-License-Identifier: Apache-2.0
// Random programs: a launch, and the accesses of its threads.
#include "random_programs.hpp"
#include "sim/check/quick_additions.hpp"

namespace random_programs {

void program::launch() {
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

void program::body(int threads, int number, launch_state& l, oracle::both& end) {
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
  counts_ = chance(25);            // atomics are mostly additions
  const int sync_percent = counts_ ? one_of<int>({0, 2}) : one_of<int>({5, 20, 40}),
            atomic_percent = counts_                ? 80
                             : narrow && chance(60) ? 0
                                                    : one_of<int>({0, 10, 40, 60});
  const int plain_limit = counts_ ? 4 : one_of<int>({4, 8, 1000});  // bytes of plain data; the rest belongs to atomics
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
    } else if (counts_ && chance(15) && added_last(a)) {
      plain(t, a, true, counter(), 4, 0x1060);  // it resets the counter, which the others go on adding to
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
      const auto [address, size] = data_place(r, plain_limit,
                                              narrow       ? std::vector<int>{1, 1, 1, 1, 2, 2, 4}
                                              : chance(70) ? std::vector<int>{4, 8}
                                                           : std::vector<int>{1, 2, 4, 8, 16});
      plain(t, a, chance(45), address, size, pc);
    }
    for (auto& c : copies)
      if (!c.joined && chance(15) && error_.empty()) {
        ++oracle_.step;
        const auto issuer =
            std::find_if(blocks_.begin(), blocks_.end(), [&](const running& x) { return x.b == c.t->block->owner; });
        const auto [address, size] = data_place(*issuer, plain_limit, {4, 8});
        plain(*c.t, c.agent, chance(50), address, size, 0x3000);
      }
  }
  for (auto& c : copies) complete(end, c.agent);
}

std::pair<std::uintptr_t, std::uint32_t> program::data_place(const running& r, int limit,
                                                             const std::vector<int>& sizes) {
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

void program::plain(thread_state& t, int a, bool write, std::uintptr_t address, std::uint32_t size, std::uintptr_t pc) {
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

void program::atomic_step(running& r, thread_state& t, int a, int plain_limit, bool strong_only) {
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
  if (counts_ && chance(90)) return do_atomic(r, t, a, counter(), 4, atomic_op::rmw, order::relaxed, scope::device, pc);
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

void program::do_atomic(running& r, thread_state& t, int a, std::uintptr_t address, std::uint32_t size, atomic_op op,
                        order o, scope s, std::uintptr_t pc) {
  trace("agent %d (block %d rank %u) pc %lx atomic %d order %d scope %d %ld+%u", a, r.index, t.rank,
        static_cast<long>(pc), static_cast<int>(op), static_cast<int>(o), static_cast<int>(s),
        static_cast<long>(address - device_), size);
  expect_atomic(a, address, size, op, o, s, pc);
  // Its value matters: by it a busy counter knows who added last.
  const auto add = [&] { return __atomic_add_fetch(reinterpret_cast<std::uint32_t*>(address), 1, __ATOMIC_SEQ_CST); };
  const bool adds = op == atomic_op::rmw && size == 4 && address % 4 == 0;
  if (adds && o == order::relaxed)
    if (counting c(t, address, s); c) {
      ++counted;
      return c.done(pc, add());
    }
  // As an update comes that is told before it is done.
  if (op == atomic_op::rmw && o == order::relaxed && chance(50) && addition_by_only_worker(t, address, size, s, pc)) {
    ++told_before;
    if (adds) add();
    return;
  }
  atomic_section lock(t, address, size);
  if (adds) add();
  simt::check::atomic(t, address, size, op, o, s, pc);
}

void program::expect_atomic(int a, std::uintptr_t address, std::uint32_t size, atomic_op op, order o, scope s,
                            std::uintptr_t pc) {
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

}  // namespace random_programs
