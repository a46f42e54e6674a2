// SPDX-License-Identifier: Apache-2.0
#include <sched.h>

#include <algorithm>
#include <cstring>
#include <thread>
#include <unordered_set>

#include <sim/exec/chunks.hpp>
#include <sim/exec/follower.hpp>
#include <sim/exec/helpers.hpp>
#include <sim/exec/observer.hpp>
#include <sim/exec/scheduler/scheduler.hpp>
#include <sim/exec/uninterrupted.hpp>
#include <sim/memory/address_space.hpp>

namespace simt::sim {

namespace {

observer* installed_observer = nullptr;
follower* installed_follower = nullptr;

// Stacks that all resident blocks of all workers may take together: each is two mappings, and Linux allows 65,530.
constexpr std::int64_t kMaxFibers = 28'000;

class pool {
 public:
  std::recursive_mutex mutex;  // held by a launch; see host_turn
  launch_options options;
  std::unique_ptr<scheduler> schedule = make_natural();
  std::vector<std::unique_ptr<worker>> workers;
  launch_state state;
  std::unordered_set<const loop_body*> joined_before;  // kernels of which blocks have run as one
  const char* no_loops = "";  // why the last launch did not run as loops; lives as long as the kernel's module

  pool() {
    for (auto& offset : state.shared_offset) offset.store(kNoOffset, std::memory_order_relaxed);
    install_fault_handlers();
  }

  int wanted_workers() const {
    return std::min(options.workers > 0 ? options.workers : usable_cores(), reservations().shared_workers);
  }

  void prepare(int count) {
    if (static_cast<int>(workers.size()) < count) {
      workers.reserve(static_cast<std::size_t>(reservations().shared_workers));
      while (static_cast<int>(workers.size()) < count) {
        workers.push_back(std::make_unique<worker>(static_cast<int>(workers.size())));
        if (options.stack_bytes) workers.back()->pool.set_stack_bytes(options.stack_bytes);
      }
    }
  }

  void run(int count) {
    if (count == 1) return workers[0]->run(state);
    const auto run_worker = [&](int i) { workers[static_cast<std::size_t>(i)]->run(state); };
    // Blocks that are to be there at once must find all workers; a large launch wants them from its first block on.
    const bool at_once = state.traits.co_resident || state.traits.clustered || state.blocks * state.threads >= kLarge;
    if (at_once || helpers_.have_started())
      helpers_.run(count, run_worker);
    else
      helpers_.run_when_called(count, run_worker);
  }

 private:
  static constexpr std::int64_t kLarge = std::int64_t{1} << 18;  // threads
  helper_threads helpers_;
};

// Lives to the end of the process: device code may run from static destructors.
pool& the_pool() {
  static pool* p = new pool;
  return *p;
}

bool by_steps(const launch_options& options) {
  return options.order == schedule::pct || options.order == schedule::explore;
}

std::unique_ptr<scheduler> policy_for(const launch_options& options) {
  if (options.replay)
    return make_replay(*options.replay, by_steps(options), options.order == schedule::lockstep,
                       options.order == schedule::random);
  switch (options.order) {
    case schedule::lockstep:
      return make_lockstep();
    case schedule::reverse:
      return make_reverse();
    case schedule::random:
      return make_random(options.seed);
    case schedule::pct:
      return make_pct(options.seed, options.steps);
    case schedule::explore:
      return make_explore(options.steps);
    default:
      return make_natural();
  }
}

std::unique_ptr<scheduler> scheduler_for(const launch_options& options) {
  std::unique_ptr<scheduler> out = policy_for(options);
  if (options.steps.weak_memory)
    out->follow(std::make_unique<weak_memory>(options.steps.draws_older && !options.replay && !by_steps(options),
                                              options.seed));
  return out;
}

std::atomic<std::int32_t> shared_keys{0};
std::atomic<bool> kernels_allocate{false};

}  // namespace

host_turn::host_turn() : held_(installed_observer != nullptr && current_worker() == nullptr) {
  if (held_) the_pool().mutex.lock();
}
host_turn::host_turn(std::try_to_lock_t) : held_(installed_observer != nullptr && current_worker() == nullptr) {
  if (held_ && !the_pool().mutex.try_lock()) held_ = false, missed_ = true;
}
host_turn::~host_turn() {
  if (held_) the_pool().mutex.unlock();
}

observer* current_observer() { return installed_observer; }
void set_observer(observer* o) { installed_observer = o; }
follower* current_follower() { return installed_follower; }
void set_follower(follower* f) { installed_follower = f; }

void set_launch_options(const launch_options& options) {
  pool& p = the_pool();
  std::lock_guard lock(p.mutex);
  const std::size_t bytes = options.stack_bytes ? options.stack_bytes : fiber_pool::kDefaultStackBytes;
  for (auto& w : p.workers) w->pool.set_stack_bytes(bytes);
  p.options = options;
  p.schedule = scheduler_for(options);
}
recorded_order take_recorded_order() {
  pool& p = the_pool();
  recorded_order order = p.schedule->take_order();
  order.seed = p.options.seed;
  order.workers = p.options.order == schedule::natural ? p.wanted_workers() : 1;
  return order;
}
step_record take_step_record() { return the_pool().schedule->take_steps(); }
std::string departure_from_record() { return the_pool().schedule->departure(); }
const launch_options& current_launch_options() { return the_pool().options; }
int usable_cores() {
  static const int cores = [] {
    cpu_set_t mine;  // oneTBB counts the same, and opens libraries for it
    const bool known = sched_getaffinity(0, sizeof mine, &mine) == 0;
    return std::max(1, known ? CPU_COUNT(&mine) : static_cast<int>(std::thread::hardware_concurrency()));
  }();
  return cores;
}
int worker_count() { return the_pool().wanted_workers(); }
void device_code_allocates() { kernels_allocate = true; }

std::int32_t register_shared_key() {
  const std::int32_t id = shared_keys.fetch_add(1);
  if (id >= kMaxSharedArrays) {
    std::fprintf(stderr, "simt: more than %d different shared arrays in one module\n", kMaxSharedArrays);
    std::abort();
  }
  return id;
}

namespace {

// pc: the place to name in a report.
std::byte* assign_at(block_context& b, const shared_key& key, std::uintptr_t pc) {
  constexpr std::uint32_t kStaticLimit = 48 * 1024;
  constexpr std::uint32_t kTotalLimit = 227 * 1024;
  launch_state& l = *b.launch;
  const uninterrupted whole(b.queue->owner);
  std::unique_lock lock(l.shared_mutex);
  const auto refuse = [&](fault_record fault) {
    lock.unlock();
    fault.pc = pc;
    fault.block = b.active ? b.index : -1;
    raise_fault(b, std::move(fault));
  };
  auto& slot = l.shared_offset[key.id];
  if (slot.load(std::memory_order_relaxed) == kNoOffset) {
    // Under check a gap lies between arrays, so that an index past one does not fall into the next.
    const std::uint32_t gap = l.traits.observed ? 16 : 0;
    std::uint32_t static_used = 0;
    for (int i = 0; i < l.shared_count; ++i) static_used += l.shared_arrays[i].bytes;
    if (static_used + key.bytes > kStaticLimit) {
      fault_record fault;
      fault.kind = fault_kind::static_limit;
      fault.text = key.name;
      fault.asked = key.bytes;
      fault.used = static_used + key.bytes;
      fault.limit = kStaticLimit;
      refuse(std::move(fault));
    }
    if (l.dynamic_shared + static_used + key.bytes > kTotalLimit) {
      fault_record fault;
      fault.kind = fault_kind::shared_limit;
      fault.text = key.name;
      fault.asked = l.dynamic_shared;
      fault.used = static_used + key.bytes;
      fault.limit = kTotalLimit;
      refuse(std::move(fault));
    }
    // And the first arrays begin where the detector's rows do (sim/check/row_summary.hpp), as the slot's spare room
    // allows.
    constexpr std::uint32_t kRow = 64;
    const bool by_rows = l.traits.observed && key.bytes >= kRow && l.shared_count < 64;
    const std::uint32_t align = by_rows ? std::max<std::uint32_t>(key.align, kRow) : key.align;
    std::uint32_t offset = l.shared_used + gap;
    offset = (offset + align - 1) / align * align;
    shared_array& a = l.shared_arrays[l.shared_count++];
    a.name = key.name;
    a.type = key.type;
    a.offset = offset;
    a.bytes = key.bytes;
    a.element_bytes = key.element_bytes;
    a.rank = key.rank;
    a.declared_align = key.declared_align;
    std::copy(key.extents, key.extents + 4, a.extents);
    l.shared_used = offset + key.bytes;
    slot.store(offset, std::memory_order_relaxed);
  }
  return b.shared + slot.load(std::memory_order_relaxed);
}

}  // namespace

std::byte* assign_shared(block_context& b, const shared_key& key) {
  return assign_at(b, key, reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)));
}
std::byte* simt_shared_array(block_context& b, const shared_key& key) {
  const std::uint32_t offset = b.launch->shared_offset[key.id].load(std::memory_order_relaxed);
  if (offset != kNoOffset) return b.shared + offset;
  return assign_at(b, key, reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)));
}

launch_state::launch_state() = default;

fault_record run_launch(const launch_request& request) {
  pool& p = the_pool();
  std::lock_guard lock(p.mutex);
  launch_state& l = p.state;
  ++l.number;
  l.args = request.args;
  l.args_bytes = request.args_bytes;
  l.name = request.name;
  l.grid = request.grid;
  l.block = request.block;
  l.dynamic_shared = request.dynamic_shared;
  l.cluster = request.cluster;
  l.stream = request.stream;
  l.child = request.child;
  l.elements = request.blocks != launch_request::kEachOnce;
  if (l.bodies != request.bodies) l.code = {};
  l.bodies = request.bodies;
  l.parks.store(0, std::memory_order_relaxed);
  l.waited.store(false, std::memory_order_relaxed);
  l.traits = {.instrumented = request.instrumented,
              .observed = current_observer() != nullptr,
              .co_resident = request.cooperative,
              .clustered = request.cluster.volume() > 1,
              .scheduled = p.options.order != schedule::natural || p.options.replay || p.schedule->is_asked(),
              .one_by_one = p.options.executed_by == wanted_execution::single && !request.instrumented,
              .switches_at_accesses = request.instrumented && p.schedule->is_asked(),
              .rests = p.schedule->may_rest(),
              .begins_backwards = p.schedule->begins_backwards()};
  l.scheduler = p.schedule.get();
  l.blocks = request.blocks == launch_request::kEachOnce ? request.grid.volume() : request.blocks;
  l.threads = static_cast<std::int32_t>(request.block.volume());
  l.next_block.store(0, std::memory_order_relaxed);
  l.blocks_done.store(0, std::memory_order_relaxed);
  l.aborted.store(false, std::memory_order_relaxed);
  l.spins.store(false, std::memory_order_relaxed);
  for (const auto& w : p.workers) w->steps = 0;
  l.running_workers.store(0, std::memory_order_relaxed);
  l.grid_sync.reset();
  const loop_choice choice = choose_loops(l, p.options.executed_by);
  l.loop = choice.run;
  l.wide = choice.wide;
  l.beside = choice.beside;
  l.loop_beside = choice.run_beside;
  l.shared_of_block.store(-1, std::memory_order_relaxed);
  if (l.wide.blocks > 0) l.blocks = l.wide.blocks;
  l.joined = joined_blocks(l);
  // The first block of a kernel is watched access by access.
  l.joined_from = l.joined == 1 || p.joined_before.contains(l.bodies.loops) ? 0 : l.joined;
  if (l.joined > 1) p.joined_before.insert(l.bodies.loops);
  p.no_loops = choice.reason;
  if (l.fault.kind != fault_kind::none) l.fault = {};
  for (std::int32_t i = 0, n = std::min(shared_keys.load(), kMaxSharedArrays); i < n; ++i)
    l.shared_offset[i].store(kNoOffset, std::memory_order_relaxed);
  l.shared_used = (request.dynamic_shared + 15) / 16 * 16;
  l.shared_count = 0;
  if (l.blocks == 0 || l.threads == 0) return {};
  const auto departed = [&] {
    fault_record fault;
    if (const std::string& text = p.schedule->departure(); !text.empty())
      fault.kind = fault_kind::departed, fault.text = text;
    return fault;
  };

  const launch_traits& traits = l.traits;
  int count = traits.scheduled ? 1 : p.wanted_workers();
  if (traits.observed && kernels_allocate) count = 1;
  count = static_cast<int>(std::min<std::int64_t>(count, l.blocks));
  p.prepare(count);
  choose_chunks(l, count,
                l.bodies.loops->order != block_order::as_numbered && !traits.scheduled && !l.elements &&
                    p.options.executed_by == wanted_execution::automatic);
  const std::int64_t slots = reservations().shared_slots_per_worker;
  l.blocks_of_device = request.blocks_of_device;
  l.max_resident = std::max<std::int64_t>(1, std::min(slots, kMaxFibers / count / l.threads));
  if (traits.co_resident) l.max_resident = slots;

  if (p.options.executed_by == wanted_execution::loops && l.loop == nullptr && l.bodies.loops->waits != 0 &&
      !l.elements) {
    fault_record fault;
    fault.kind = fault_kind::no_loops;
    fault.text = choice.reason;
    return fault;
  }
  p.schedule->launch_begins(l);
  if (fault_record fault = departed(); fault.kind != fault_kind::none) return fault;
  observer* const o = current_observer();
  if (o != nullptr) o->launch_begins(l);
  watch_launch(l, p.workers, p.options.timeout_seconds);
  p.run(count);
  unwatch_launch();
  if (o != nullptr) o->launch_ends(l, l.fault);
  p.schedule->launch_ends(l);
  if (fault_record fault = departed(); fault.kind != fault_kind::none) return fault;
  if (l.fault.kind == fault_kind::none) return {};
  fault_record fault = l.fault;
  if (request.blocks != launch_request::kEachOnce) {  // who reads it knows the grid's blocks, not their passes
    fault.block = fault.block < 0 ? -1 : fault.block % request.grid.x;
    for (fault_record::waiter& w : fault.waiters) w.block %= request.grid.x;
  }
  return fault;
}

std::uint64_t last_launch_steps() {
  std::uint64_t all = 0;
  for (const auto& w : the_pool().workers) all += w->steps;
  return all;
}
execution_record last_launch_execution() {
  const pool& p = the_pool();
  if (p.state.loop != nullptr && !p.state.traits.scheduled) return {execution::loops, "", p.state.joined};
  if (!p.state.waited.load(std::memory_order_relaxed)) return {execution::direct, "no thread waited"};
  if (p.state.bodies.loops->waits == 0)
    return {execution::fibers, "atomics or asynchronous copies in it let other threads run now and then"};
  return {execution::fibers, p.no_loops};
}

void record_fault(block_context& b, fault_record fault) {
  b.queue->owner->busy = true;  // this stack will not go on
  handler_fence();
  launch_state& l = *b.launch;
  {
    std::lock_guard lock(l.fault_mutex);
    if (l.fault.kind == fault_kind::none) {
      l.fault = std::move(fault);
      if (is_called_for(l.fault.kind) && current_follower() != nullptr)
        l.fault.caller_count =
            current_follower()->active_calls(l.fault.callers, fault_record::kMaxCallers, l.fault.pc == 0);
    }
  }
  l.aborted = true;
}

void raise_fault(block_context& b, fault_record fault) {
  record_fault(b, std::move(fault));
  leave_launch(b);
}

void leave_launch(block_context& b) { leave_stack_for(*b.queue, &b.queue->main); }

}  // namespace simt::sim
