// SPDX-License-Identifier: Apache-2.0
// Life of the detector, streams, launches and blocks.
#include "sim/check/detector.hpp"

#include <sys/mman.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>

#include "sim/check/core.hpp"

namespace simt::check {
namespace {

constexpr std::size_t kMaxLiveAgents = 16384;

std::size_t shadow_size(const address_range& r) { return (cell_index(r.size) + kCellsSkew) * sizeof(cell); }

cell* reserve(const address_range& r) {
  if (!r.size) return nullptr;
  void* p = mmap(nullptr, shadow_size(r), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) {
    std::fprintf(stderr,
                 "simt: cannot reserve %zu bytes of address space for the detector's shadow; is `ulimit -v` set?\n",
                 shadow_size(r));
    std::abort();
  }
  return static_cast<cell*>(p);
}

std::uint64_t at(const detector::position& p, int stream) {
  return static_cast<std::size_t>(stream) < p.size() ? p[static_cast<std::size_t>(stream)] : 0;
}

void join_position(detector::position& p, const detector::position& o) {
  if (p.size() < o.size()) p.resize(o.size());
  for (std::size_t i = 0; i < o.size(); ++i) p[i] = std::max(p[i], o[i]);
}

std::uint64_t next_serial() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

}  // namespace

detector_core::detector_core(const options& o, address_range dev, address_range sh)
    : opt(o), serial(next_serial()), parallel(o.workers > 1), device(dev), shared(sh), device_cells(reserve(dev)), shared_cells(reserve(sh)) {
  if (parallel) leases = std::make_unique<lease_table>();
  streams.emplace_back().name = "host";
  streams[0].done = {0};
  host_launch = std::make_unique<launch_state>();
  host_launch->core = this;
}

detector_core::~detector_core() {
  if (device_cells) munmap(device_cells, shadow_size(device));
  if (shared_cells) munmap(shared_cells, shadow_size(shared));
}

std::size_t detector_core::side_bytes() const {
  return descriptors.bytes() + sets.bytes() + record_count.load(std::memory_order_relaxed) * 96 +
         extended_pool.size() * sizeof(extended_cell);
}

bool detector_core::agent_ordered(const launch_state& l, std::uint32_t number) const {
  if (number < first_agent) return true;
  const agent& a = agents[number - first_agent];
  return at(l.after, a.stream) >= a.sequence;
}

std::uint32_t detector_core::next_agent() const { return first_agent + static_cast<std::uint32_t>(agents.size()); }

void detector_core::retire_oldest_agent() {
  if (agents.front().learned) std::erase(learners, first_agent);
  streams[static_cast<std::size_t>(agents.front().stream)].live.pop_front();
  agents.pop_front();
  ++first_agent;
}

void detector_core::pass_on(block_state& b) {
  const launch_state& l = *b.launch;
  if (!b.knows || l.floor == l.first_id || l.agent < first_agent) return;  // it can learn from launches before it only
  clock_pair all = b.known();
  const std::uint64_t own = std::uint64_t{l.agent} << 32;
  const bool same = all.real == all.wide;
  all.real = below(all.real, own);
  all.wide = same ? all.real : below(all.wide, own);
  if (!all) return;
  std::lock_guard guard(pool_mutex);
  agent& a = agent_of(l.agent);
  if (!a.learned) learners.push_back(l.agent);
  a.learned.join_with(all);
}

void detector_core::begin_agent(launch_state& l, int stream, agent a) {
  auto& s = streams[static_cast<std::size_t>(stream)];
  if (stream != 0) join_position(s.done, streams[0].done);
  if (s.done.size() <= static_cast<std::size_t>(stream)) s.done.resize(static_cast<std::size_t>(stream) + 1);
  l.after = s.done;
  a.stream = stream;
  a.sequence = ++s.done[static_cast<std::size_t>(stream)];
  a.first_id = descriptors.now();
  // What the host knows to be done is ordered before everything to come: nobody asks for it again.
  while (!agents.empty() && at(streams[0].done, agents.front().stream) >= agents.front().sequence &&
         at(l.after, agents.front().stream) >= agents.front().sequence)
    retire_oldest_agent();
  if (agents.size() >= kMaxLiveAgents) {
    retire_oldest_agent();
    ++retired_early;
  }
  l.floor = l.first_id = a.first_id;
  for (std::size_t i = 0; i < streams.size(); ++i) {
    const auto& live = streams[i].live;
    if (live.empty()) continue;
    const std::uint64_t oldest = agent_of(live.front()).sequence;
    const std::uint64_t known = at(l.after, static_cast<int>(i));
    const std::uint64_t unordered = known < oldest ? 0 : known + 1 - oldest;
    if (unordered < live.size()) l.floor = std::min(l.floor, agent_of(live[unordered]).first_id);
  }
  l.agent = first_agent + static_cast<std::uint32_t>(agents.size());
  l.on_host = a.kind == agent_kind::host;
  const bool alone = agents.empty();
  if (alone) {
    for (stream_state& x : streams) x.inherited = {}, x.host = {};
    host_known = {};
  }
  l.start = host_known;
  for (const std::uint32_t x : learners)
    if (agent_ordered(l, x)) l.start.join_with(agent_of(x).learned);
  s.live.push_back(l.agent);
  agents.push_back(std::move(a));
  horizon = agents.front().first_id;
  ++memory_version;
  descriptors.free_below(horizon);
  if (alone && sets.size() > (std::size_t{1} << 16)) {
    sets.clear();
    for (const auto& b : all_blocks) b->sets.fill({}), b->sites.fill({});
  }
  l.core = this;
  l.copies = 0;
  l.blocks_meet = false;
  l.shortened = 0;
  l.inherited.reset();
  l.has_inherited = false;
  l.has_clusters = false;
}

void block_state::make_threads(std::size_t count) {
  if (all.size() >= count) return;
  all.resize(count);
  clocks.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    all[i].block = this;
    all[i].rank = static_cast<std::uint32_t>(i);
    all[i].who = make_word(0, all[i].rank);
    all[i].clocks = &clocks[i];
  }
}

void block_state::begin_at(time_id now) { first_id = base = quiet_from = now; }

void block_state::new_base(time_id now) {
  base = quiet_from = now;
  shared_floor = foreign_shared ? 0 : now;
  ++barriers;
}

clock_pair block_state::known() const {
  clock_pair together;
  for (int i = 0; i < threads; ++i) together.join_with(all[static_cast<std::size_t>(i)].clocks->known);
  return together;
}

void block_state::know(const clock_pair& c) {
  for (int i = 0; i < threads; ++i) all[static_cast<std::size_t>(i)].clocks->known = c;
  knows = dirty = true;
}

void block_state::share() {
  foreign_shared = true;
  shared_floor = 0;
}

block_state& detector_core::take_block() {
  std::lock_guard guard(pool_mutex);
  block_state* b;
  if (free_blocks.empty()) {
    b = all_blocks.emplace_back(std::make_unique<block_state>()).get();
    b->core = this;
    b->device = device;
    b->device_cells = device_cells;
    b->all_shared = shared;
    b->shared_cells = shared_cells;
    b->leases = parallel ? leases->entries() : nullptr;
    b->make_threads(1);
  } else {
    b = free_blocks.back();
    free_blocks.pop_back();
  }
  b->owner = b;
  b->threads = 1;
  b->foreign_shared = b->knows = b->dirty = b->owing = b->lanes_used = b->barrier_learns = false;
  b->barriers = 0;
  b->fenced = {};
  b->fencers.clear();
  b->has_seen = false;
  b->seen = {};
  b->shared = {};
  b->arrays.clear();
  b->last_object = nullptr;
  b->own_id = 0;
  b->device_floor = 0;
  b->array = {};
  b->quick_shared = 0;
  b->shared_floor = b->grid_base = 0;
  return *b;
}

void detector_core::give_block(block_state& b) {
  if (b.dirty || b.owing)
    for (thread_state& t : b.all) {
      if (t.pending) settle(t);
      *t.clocks = {};
      t.has_fenced = t.has_acquirable = false;
    }
  for (block_state* c : b.copies) give_block(*c);
  b.copies.clear();
  std::lock_guard guard(pool_mutex);
  free_blocks.push_back(&b);
}

void detector_core::settle(thread_state& t) {
  if (!t.pending) return;
  t.pending = false;
  if (t.clocks->volatile_read.size) {
    const auto v = t.clocks->volatile_read;
    t.clocks->volatile_read = {};
    const cell_guard guard(*this, v.address);
    acquire_location(t, v.address, v.size, scope::system, false, false);
  }
  settle_write(t);
}

void detector_core::settle_before_read(thread_state& t) {
  if (t.clocks->owed && t.clocks->owed->may_be_copy && !t.clocks->owed->findings.empty() && !t.clocks->volatile_read.size)
    t.clocks->owed->may_be_copy = false;
  else
    settle(t);
}

detector::detector(const options& o, address_range device, address_range shared)
    : core_(std::make_unique<detector_core>(o, device, shared)) {}
detector::~detector() = default;

int detector::new_stream(std::string name) {
  core_->streams.emplace_back().name = std::move(name);
  return static_cast<int>(core_->streams.size()) - 1;
}
detector::position detector::record(int stream) const {
  detector::position p = core_->streams[static_cast<std::size_t>(stream)].done;
  return p;
}
void detector::wait(int stream, const position& done) {
  if (stream == 0) core_->host_waited = true;
  join_position(core_->streams[static_cast<std::size_t>(stream)].done, done);
}

launch_state& detector::launch_begin(int stream, std::string kernel, index3 grid, index3 block, bool clusters) {
  detector_core& d = *core_;
  d.expected_blocks.clear();  // of a launch that was given up
  if (!d.current) d.current = std::make_unique<launch_state>();
  launch_state& l = *d.current;
  agent a;
  a.name = kernel;
  a.grid = grid;
  a.block = block;
  d.begin_agent(l, stream, std::move(a));
  l.kernel = std::move(kernel);
  l.grid = grid;
  l.block = block;
  l.blocks = grid.x * grid.y * grid.z;
  l.has_clusters = clusters;
  if (clusters) {  // a block that has not begun counts as the first of its own
    l.cluster_of.resize(static_cast<std::size_t>(l.blocks));
    std::iota(l.cluster_of.begin(), l.cluster_of.end(), std::int64_t{0});
  }
  if (d.leases) d.leases->new_launch();
  return l;
}
void detector::launch_end(launch_state& l) {
  if (l.blocks_meet) core_->inexact.fetch_add(l.shortened, std::memory_order_relaxed);
}

void detector::cluster_begin(std::span<const address_range> shared) {
  detector_core& d = *core_;
  std::lock_guard guard(d.owners_mutex);
  for (const address_range& r : shared) d.expected_blocks[r.base] = {r.size, d.descriptors.now(), false};
}

block_state& detector::block_begin(launch_state& l, std::int64_t linear, index3 index, std::int64_t cluster,
                                   address_range shared) {
  detector_core& d = *core_;
  block_state& b = d.take_block();
  b.launch = &l;
  b.number = static_cast<std::uint32_t>(linear);
  b.index = index;
  b.cluster = cluster;
  b.threads = static_cast<int>(l.block.x * l.block.y * l.block.z);
  b.make_threads(static_cast<std::size_t>(b.threads));
  b.shared = shared;
  b.device_floor = d.opt.races ? l.floor : 0;
  b.shared_entry = d.leases ? d.leases->shared_entry() : 0;
  b.begin_at(d.descriptors.now());
  b.shared_floor = b.base;
  if (l.start) b.know(l.start);
  // Aligned accesses up to 16 bytes long end within it.
  b.quick_shared = (b.leases != nullptr && l.has_clusters) || shared.base % 16 != 0 ? 0 : shared.size & ~std::size_t{15};
  if (l.has_clusters || shared.size) {
    std::lock_guard guard(d.owners_mutex);
    if (l.has_clusters) l.cluster_of[static_cast<std::size_t>(linear)] = cluster;
    if (shared.size) d.shared_owners[shared.base] = &b;
    if (const auto early = d.expected_blocks.find(shared.base); early != d.expected_blocks.end()) {
      b.first_id = early->second.since;
      if (early->second.touched) b.share();
      d.expected_blocks.erase(early);
    }
  }
  return b;
}

void detector::block_end(block_state& b) {
  detector_core& d = *core_;
  d.pass_on(b);
  if (b.shared.size) {
    std::lock_guard guard(d.owners_mutex);
    d.shared_owners.erase(b.shared.base);
  }
  d.give_block(b);
}

thread_state& thread_of(block_state& b, int rank) { return b.all[static_cast<std::size_t>(rank)]; }

void shared_array(block_state& b, std::uintptr_t address, std::size_t size, const object_info& info) {
  for (const shared_object& a : b.arrays)
    if (a.address == address) return;
  b.arrays.push_back({address, size, info});
  b.array = whole_cells({address, size});
}

void name_shared_array(block_state& b, std::uintptr_t address, const object_info& info) {
  for (shared_object& a : b.arrays)
    if (a.address == address) a.info = info;
}

thread_state& async_begin(thread_state& issuer) {
  block_state& b = *issuer.block;
  detector_core& d = *b.core;
  d.settle(issuer);
  block_state& c = d.take_block();
  c.launch = b.launch;
  c.owner = b.owner;
  c.number = kAsyncBlock | b.launch->copies.fetch_add(1);
  c.index = b.index;
  c.cluster = b.cluster;
  c.issuer_rank = issuer.rank;
  c.grid_base = b.grid_base;
  c.begin_at(d.descriptors.now());
  {
    std::lock_guard guard(d.pool_mutex);
    if (d.async_issuers.size() > 100000) d.async_issuers.clear();
    d.async_issuers[c.number] = {b.number, issuer.rank};
  }
  clock_pair clock;
  d.publish(issuer, clock);
  c.know(clock);
  b.owner->share();
  b.owner->copies.push_back(&c);
  return c.all[0];
}

void async_end(thread_state& copy) {
  block_state& c = *copy.block;
  std::erase(c.owner->copies, &c);
  c.core->give_block(c);
}

void thread_exit(thread_state& t) { t.block->core->settle(t); }

detector::statistics detector::stats() const {
  statistics s;
  s.findings_dropped = core_->dropped;
  s.inexact_cells = core_->inexact.load();
  s.agents_retired_early = core_->retired_early;
  s.side_bytes = core_->side_bytes();
  s.shadow_bytes = s.side_bytes;
  auto resident = [&](const cell* cells, std::uintptr_t from, std::uintptr_t to) {
    const auto a = reinterpret_cast<std::uintptr_t>(cells + cell_index(from)) & ~std::uintptr_t{4095};
    const auto b = (reinterpret_cast<std::uintptr_t>(cells + cell_index(to)) + 4095) & ~std::uintptr_t{4095};
    std::vector<unsigned char> pages((b - a) / 4096);
    if (mincore(reinterpret_cast<void*>(a), b - a, pages.data()) != 0) return;
    for (auto p : pages) s.shadow_bytes += (p & 1) * std::size_t{4096};
  };
  for (const auto& [address, o] : core_->objects)
    resident(core_->device_cells, address - core_->device.base, address - core_->device.base + o.what.size);
  return s;
}

}  // namespace simt::check
