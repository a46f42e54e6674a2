// SPDX-License-Identifier: Apache-2.0
#include <backends/sim/frontend.hpp>

#include <cstdlib>

#include <backends/sim/check_hook.hpp>
#include <backends/sim/variables.hpp>
#include <sim/exec/machine_context.hpp>
#include <sim/exec/observer.hpp>
#include <sim/exec/uninterrupted.hpp>
#include <sim/memory/device_memory.hpp>
#include <sim/memory/host_access.hpp>
#include <simt/kernel.hpp>
#if defined(SIMT_VARIANT_CHECK)
#include <sim/instrument/access_cursor.hpp>
#include <sim/instrument/dispatcher.hpp>
#endif

namespace simt::frontend {
namespace {

std::uintptr_t number(const void* address) { return reinterpret_cast<std::uintptr_t>(address); }

sim::memory_home home_in_engine(memory_home home) {
  switch (home) {
    case memory_home::managed:
      return sim::memory_home::managed;
    case memory_home::pinned:
      return sim::memory_home::pinned;
    case memory_home::device:
      break;
  }
  return sim::memory_home::device;
}

}  // namespace

bool is_device_address(const void* address) { return sim::device_range().contains(number(address)); }

memory_facts facts_of(const void* address) {
  memory_facts facts;
  if (const auto owner = sim::find_allocation(number(address), &facts.live))
    facts.home = owner->home == sim::memory_home::managed  ? memory_home::managed
                 : owner->home == sim::memory_home::pinned ? memory_home::pinned
                                                           : memory_home::device;
  else
    facts.live = false;
  facts.host_may_access = sim::host_may_access(number(address));
  facts.registered = sim::lent_to_device(number(address));
  return facts;
}

allocation_label label_of(const void* address) {
  const auto owner = sim::find_allocation(number(address));
  return owner ? allocation_label{owner->name, owner->type, reinterpret_cast<const void*>(owner->address), owner->bytes,
                                  owner->stack}
               : allocation_label{};
}

static std::vector<const void*> live_memory(bool host_visible) {
  std::vector<const void*> found;
  for (const sim::allocation& a : sim::live_allocations())
    if ((a.home != sim::memory_home::device) == host_visible) found.push_back(reinterpret_cast<const void*>(a.address));
  return found;
}
std::vector<const void*> live_host_visible() { return live_memory(true); }
std::vector<const void*> live_device_memory() { return live_memory(false); }

std::int64_t unwritten_bytes(const void* device, std::size_t bytes) {
  sim::check_hook* const hook = sim::installed_check_hook();
  return hook == nullptr ? -1 : hook->uninitialised(device, bytes);
}

void* allocate(std::size_t bytes, const memory_label& label, memory_home home, std::uintptr_t pc) {
  sim::allocation info;
  info.name = label.name;
  info.type = label.type;
  info.element_bytes = label.element_bytes;
  info.extents = label.extents;
  info.stack = {pc};
  info.home = home_in_engine(home);
  return sim::device_allocate(bytes, std::move(info));
}

bool free(void* address, std::uintptr_t pc) { return sim::device_free(address, pc) == sim::free_result::done; }

std::size_t bytes_in_use() { return sim::device_bytes_in_use(); }

void* place_variable(const void* image, std::size_t bytes, const sim::variable_label& label, bool host_may_access,
                     bool constant) {
  void* const p = sim::place_variable(image, bytes, label);
  if (host_may_access) sim::allow_host_access(p, bytes);
  if (constant) sim::mark_constant(p);
  return p;
}

#if defined(SIMT_VARIANT_CHECK)
void know_references(const void* first, const void* last) { sim::add_references(first, last); }
#else
void know_references(const void*, const void*) {}           // nobody watches
#endif

void register_memory(const void* address, std::size_t bytes) { sim::lend_to_device(address, bytes); }
void unregister_memory(const void* address) { sim::take_back(address); }

bool on_device() {
  const sim::worker* w = sim::current_worker();
  return w != nullptr && w->queue.current != nullptr && w->queue.current->range != nullptr;
}

#if defined(SIMT_VARIANT_CHECK)
thread running_thread() {
  const sim::fiber& f = *sim::cursor.self;
  const sim::thread_range& r = *f.range;
  return {*f.thread.block, sim::position_of(sim::as_number(r.x), sim::as_number(r.y), sim::as_number(r.z))};
}
std::byte* shared_address(const sim::shared_key& key) {
  return sim::checked_shared(*sim::cursor.self->thread.block, key);
}
std::byte* dynamic_shared_address(const sim::shared_key& key) {
  return sim::checked_dynamic_shared(*sim::cursor.self->thread.block, key);
}
std::uint64_t kernel_launched(std::uint64_t stream) {
  sim::dispatcher* const d = sim::dispatcher::current();
  return d != nullptr ? d->kernel_launched(stream) : 0;
}
void kernel_streams_meet() {
  if (sim::dispatcher* const d = sim::dispatcher::current()) d->kernel_streams_meet();
}
#else
std::uint64_t kernel_launched(std::uint64_t) { return 0; }  // nobody watches
void kernel_streams_meet() {}
#endif

void* heap_allocate(std::size_t bytes) {
  const sim::uninterrupted whole;
  return sim::device_allocate(bytes, {0, 0, "device heap", "", 1, {}, {}});
}
void heap_free(void* p, std::uintptr_t pc) {
  const sim::uninterrupted whole;
  if (is_device_address(p))
    sim::device_free(p, pc);
  else
    std::free(p);
}
std::uintptr_t interrupted_at(const void* context) { return sim::pc_of(*static_cast<const ucontext_t*>(context)); }
void expect_heap() { sim::device_code_allocates(); }

host_alone::host_alone() : turn_(new sim::host_turn) {}
host_alone::~host_alone() { delete static_cast<sim::host_turn*>(turn_); }

uninterrupted::uninterrupted() : worker_(sim::current_worker()), before_(false) {
  auto* const w = static_cast<sim::worker*>(worker_);
  if (w != nullptr) {
    before_ = w->busy;
    w->busy = true;
  }
  sim::handler_fence();
}
uninterrupted::~uninterrupted() {
  sim::handler_fence();
  if (worker_ != nullptr) static_cast<sim::worker*>(worker_)->busy = before_;
}

}  // namespace simt::frontend
