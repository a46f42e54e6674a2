// SPDX-License-Identifier: Apache-2.0
// Life of the detector, streams, launches and blocks.
#include "sim/check/detector.hpp"

#include <numeric>

#include "sim/check/clocks.hpp"
#include "sim/check/core.hpp"
#include "sim/check/deferred_shared.hpp"
#include "sim/check/own_copies.hpp"
#include "sim/check/unfenced.hpp"

namespace simt::check {
namespace {

std::uint64_t next_serial() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

}  // namespace

detector_core::detector_core(const options& o, address_range device, address_range shared)
    : opt(o),
      serial(next_serial()),
      shadow(device, shared, o.workers > 1, epochs, sets),
      agents(epochs),
      reports{opt, shadow, epochs, agents, objects, blocks, log},
      memory(epochs, sets, shadow.slow_cells, shadow.bytes_apart, shadow.additions, o.extra_bytes),
      readers(opt, epochs, sets, memory),
      forms(opt, shadow, epochs, sets, byte_patterns, agents, objects, blocks),
      syncs(shadow),
      accesses(reports, opt, shadow, epochs, sets, byte_patterns, agents, objects, blocks, memory, readers, forms,
               syncs) {
  shadow.additions.limit = opt.extra_bytes / 4;
}

void detector_core::begin_agent(launch_state& l, int stream, agent a) {
  const bool alone = agents.begin(l, stream, std::move(a));
  ++objects.version;
  constexpr std::size_t kManySets = std::size_t{1} << 16;
  if (alone && sets.size() > kManySets) {  // no cell names one any more
    sets.clear();
    blocks.forget_thread_sets();
  }
}

block_state& detector_core::take_block() {
  return blocks.take([&](block_state& b) {
    b.core = this;
    b.epochs = &epochs;
    b.agents = &agents;
    b.objects = &objects;
    b.shadow = &shadow;
    b.device = shadow.device;
    b.device_cells = shadow.device_cells;
    b.all_shared = shadow.shared;
    b.shared_cells = shadow.shared_cells;
    b.ownership = shadow.ownership ? shadow.ownership->entries() : nullptr;
    b.make_threads(1);
  });
}

void detector_core::pass_on(const block_state& b) {
  if (b.knows && agents.may_learn(*b.launch)) agents.pass_on(*b.launch, b.known());
}

void detector_core::give_block(block_state& b) {
  if (b.dirty || b.has_unjudged_write)
    for (thread_state& t : b.all) {
      if (t.pending) flush(t);
      if (!b.dirty) continue;
      *t.clocks = {};
      t.has_fenced = t.has_acquirable = false;
    }
  b.unwritten = b.written = b.constants = {};
  for (block_state* c : b.copies) give_block(*c);
  b.copies.clear();
  blocks.give_back(b);
}

void detector_core::flush(thread_state& t) {
  if (!t.pending) return;
  t.pending = false;
  if (t.clocks->volatile_read.size) {
    const auto v = t.clocks->volatile_read;
    t.clocks->volatile_read = {};
    const cell_guard guard(shadow, v.address);
    syncs.acquire(t, v.address, v.size, scope::system, false, false);
    see_mark(shadow, t, v.address, v.size, v.pc);
  }
  reports.judge_pending_write(t);
}

void detector_core::flush_before_read(thread_state& t) {
  if (t.clocks->unjudged_write && t.clocks->unjudged_write->may_be_copy &&
      !t.clocks->unjudged_write->findings.empty() && !t.clocks->volatile_read.size)
    t.clocks->unjudged_write->may_be_copy = false;
  else
    flush(t);
}

detector::detector(const options& o, address_range device, address_range shared)
    : core_(std::make_unique<detector_core>(o, device, shared)) {}
detector::~detector() = default;

int detector::new_stream(std::string name) { return core_->agents.add_stream(std::move(name)); }
detector::position detector::record(int stream) const { return core_->agents.done_on(stream); }
void detector::wait(int stream, const position& done) {
  if (stream == 0) core_->host_waited = true;
  core_->agents.order_after(stream, done);
}

launch_state& detector::launch_begin(int stream, std::string kernel, index3 grid, index3 block, bool clusters,
                                     bool elements, std::uint64_t child) {
  detector_core& d = *core_;
  d.blocks.expect_none();  // of a launch that was given up
  launch_state& l = d.launch;
  agent a;
  a.name = kernel;
  a.grid = grid;
  a.block = block;
  d.running_child = child;
  if (child != 0) {
    const child_launches::start& c = d.children.of(child);
    a.parent = c.parent;
    d.begin_agent(l, c.stream, std::move(a));
    l.start.join_with(c.known);
  } else {
    d.begin_agent(l, stream, std::move(a));
  }
  addition_log& additions = d.shadow.additions;
  l.ticket = d.opt.races ? additions.begin(d.agents.horizon, l.agent) : 0;
  l.follows_tickets = additions.first_ordered([&](std::uint32_t agent) { return d.agents.ordered_before(l, agent); });
  l.kernel = std::move(kernel);
  l.grid = grid;
  l.block = block;
  l.blocks = grid.x * grid.y * grid.z;
  l.has_clusters = clusters;
  l.elements = elements;
  if (clusters) {  // a block that has not begun counts as the first of its own
    l.cluster_of.resize(static_cast<std::size_t>(l.blocks));
    std::iota(l.cluster_of.begin(), l.cluster_of.end(), std::int64_t{0});
  }
  if (d.shadow.ownership) d.shadow.ownership->new_launch();
  d.past_reads.forget_retired(d.agents);
  d.reads.launch_begins(d, l, d.past_reads.not_before(l, d.agents));
  return l;
}
void detector::launch_end(launch_state& l) {
  core_->shadow.end_counters();
  core_->reads.launch_ends(l, core_->agents, core_->past_reads);
  core_->children.launch_ends(l, core_->running_child);
  if (l.blocks_meet) core_->memory.inexact_cells.fetch_add(l.shortened, std::memory_order_relaxed);
}

void detector::cluster_begin(std::span<const address_range> shared) {
  core_->blocks.expect(shared, core_->epochs.now());
}

block_state& detector::block_begin(launch_state& l, std::int64_t linear, index3 index, std::int64_t cluster,
                                   address_range shared, std::int32_t joined) {
  detector_core& d = *core_;
  block_state& b = d.take_block();
  b.launch = &l;
  b.number = number_of_block(linear, joined);
  b.index = index;
  b.cluster = cluster;
  b.threads = static_cast<int>(l.block.x * l.block.y * l.block.z) * joined;
  b.make_threads(static_cast<std::size_t>(b.threads));
  b.shared = shared;
  b.device_floor = d.opt.races ? l.floor : 0;
  d.reads.block_begins(b);
  b.shared_entry = d.shadow.ownership ? d.shadow.ownership->shared_entry() : 0;
  b.ahead.begin(d.opt.workers > 1 ? d.opt.epochs_at_once : 1);
  b.begin_at(b.ahead.first(d.epochs));
  b.shared_floor = b.base;
  if (l.start) b.know(l.start);
  // Aligned accesses up to 16 bytes long end within it.
  b.quick_shared =
      (b.ownership != nullptr && l.has_clusters) || shared.base % 16 != 0 ? 0 : shared.size & ~std::size_t{15};
  if (l.has_clusters) l.cluster_of[static_cast<std::size_t>(linear)] = cluster;
  if (l.has_clusters || shared.size) d.blocks.add_shared(b);
  return b;
}

void detector::block_end(block_state& b) {
  detector_core& d = *core_;
  d.pass_on(b);
  if (b.deferred != nullptr) b.deferred->drop();
  if (b.shared.size) d.blocks.remove_shared(b);
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

namespace {
thread_state& new_copy(thread_state& issuer, epoch grid_base, const clock_pair& clock) {
  block_state& b = *issuer.block;
  detector_core& d = *b.core;
  block_state& c = d.take_block();
  c.launch = b.launch;
  c.owner = b.owner;
  c.number = kAsyncBlock | b.launch->copies.fetch_add(1);
  c.index = b.index;
  c.cluster = b.cluster;
  c.issuer_rank = issuer.rank;
  c.unwritten = b.unwritten;
  c.grid_base = grid_base;
  c.begin_at(d.epochs.now());
  d.blocks.add_copy(c.number, {b.number, issuer.rank});
  c.know(clock);
  b.owner->share();
  b.owner->copies.push_back(&c);
  return c.all[0];
}
}  // namespace

thread_state& async_begin(thread_state& issuer) {
  issuer.block->core->flush(issuer);
  clock_pair clock;
  publish(issuer, clock);
  return new_copy(issuer, issuer.block->grid_base, clock);
}

thread_state& async_began(thread_state& issuer, const sim::copy_start& start) {
  block_state& b = *issuer.block;
  close_deferred(b);
  vector_clock own =
      join(clock_of_block(key_of(b), start.base, {{issuer.rank, start.own}}), b.agents->inherited(*b.launch));
  if (start.grid != 0) own = join(own, clock_of_block(block_key(b.launch->agent, kWholeAgent), start.grid, {}));
  b.dirty = true;
  return new_copy(issuer, start.grid, {own, own});
}

void async_end(thread_state& copy) {
  block_state& c = *copy.block;
  std::erase(c.owner->copies, &c);
  c.core->give_block(c);
}

void kernel_launched(thread_state& t, std::uint64_t number, std::uint64_t stream) {
  detector_core& d = *t.block->core;
  d.flush(t);
  d.children.announced(t, number, stream);
}
void kernel_streams_meet(thread_state& t) { t.block->core->children.streams_meet(t); }

void thread_exit(thread_state& t) { t.block->core->flush(t); }

detector::statistics detector::stats() const {
  statistics s;
  s.findings_dropped = core_->log.dropped();
  s.inexact_cells = core_->memory.inexact_cells.load();
  s.excused_volatile = core_->memory.excused_volatile.load();
  s.agents_retired_early = core_->agents.retired_early;
  s.doubtful = core_->reads.doubtful || core_->log.unsure_places;
  s.side_bytes = core_->memory.bytes();
  return s;
}

}  // namespace simt::check
