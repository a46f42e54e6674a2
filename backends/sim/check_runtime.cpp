// SPDX-License-Identifier: Apache-2.0
// Starts and ends checked runs: the hook that sessions call, and checks by environment for test executables.
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>

#include <backends/sim/access_cursor.hpp>
#include <backends/sim/check_session.hpp>
#include <sim/memory/device_memory.hpp>
#include <sim/memory/host_access.hpp>
#include <simt/session.hpp>
#include <simt/view.hpp>

namespace simt::sim {

namespace {
std::unique_ptr<check_session> session;

class hook final : public check_hook {
 public:
  void begin(const run_request& r, int workers) override {
    end_session();
    const bool any = r.check_races || r.check_memory || r.check_uninit || r.check_barrier;
    if (!any) return;
    check_settings s;
    s.races = r.check_races;
    s.memory = r.check_memory;
    s.uninit = r.check_uninit;
    s.barrier = r.check_barrier;
    s.volatile_is_plain = r.volatile_is_plain;
    s.workers = workers;
    s.max_reports = r.max_reports;
    session = std::make_unique<check_session>(s);
    set_observer(session.get());
  }
  void end(run_report& report) override {
    if (!session) return;
    std::vector<finding> found = session->collect(true, report.notes);
    report.findings.insert(report.findings.end(), std::make_move_iterator(found.begin()), std::make_move_iterator(found.end()));
    end_session();
  }
  void callback_begins(int stream) override {
    if (session) session->callback_begins(stream);
  }
  void callback_ends() override {
    if (session) session->callback_ends();
  }
  void allocated_on(void* p, std::size_t bytes, int stream, std::uintptr_t pc) override {
    if (session) session->allocated_on(p, bytes, stream, pc);
  }
  void freed_on(void* p, std::size_t bytes, int stream, std::uintptr_t pc) override {
    if (session) session->freed_on(p, bytes, stream, pc);
  }
  std::int64_t unwritten(const void* device, std::size_t element_bytes, std::int64_t count) override {
    return session ? session->unwritten(device, element_bytes, count) : -1;
  }

 private:
  static void end_session() {
    set_observer(nullptr);
    session.reset();
  }
};
hook the_hook;
[[gnu::constructor]] void install() { install_check_hook(&the_hook); }

// An index outside a view reads and writes here instead; what threads leave in it means nothing.
alignas(64) std::byte scratch[4096];
}  // namespace

check_session* current_session() { return session.get(); }

void* report_view_out_of_bounds(const void* data, std::size_t element_bytes, int rank, const std::int64_t* index,
                                const std::int64_t* extents, const void* pc) {
  std::int64_t offset = 0;
  for (int r = 0; r < rank; ++r) offset = offset * extents[r] + index[r];
  const auto real = reinterpret_cast<std::uintptr_t>(data) + static_cast<std::uintptr_t>(offset) * element_bytes;
  check::thread_state* const t = cursor.state();
  const bool watched = session != nullptr && session->settings().memory;
  if (t != nullptr && watched) {
    std::string at, size;
    for (int r = 0; r < rank; ++r) {
      at += (r ? ", " : "") + std::to_string(index[r]);
      size += (r ? " x " : "") + std::to_string(extents[r]);
    }
    const auto owner = find_allocation(reinterpret_cast<std::uintptr_t>(data));
    const std::string name = owner && !owner->name.empty() ? owner->name : "view";
    check::report_here(*t, rule::out_of_bounds, severity::error, access_kind::read,
                       reinterpret_cast<std::uintptr_t>(data), element_bytes,
                       reinterpret_cast<std::uintptr_t>(pc),
                       "index (" + at + ") is outside the extents " + size + " of " + name,
                       "the view has " + size + " elements; element (" + at + ") would lie at offset " + std::to_string(offset),
                       rank == 1 ? "guard the index: i < size()" : "guard every axis of the index: row < extent(0) && column < extent(1)");
  }
  if (!watched && t != nullptr) return reinterpret_cast<void*>(real);
  if (element_bytes > sizeof scratch) return reinterpret_cast<void*>(real);
  std::memset(scratch, 0, element_bytes);
  return scratch;
}

void foreign_access(std::uintptr_t address, std::size_t bytes, check::thread_state& t, bool write, std::uintptr_t pc) {
  if (session == nullptr || !session->settings().memory) return;
  if (address - reinterpret_cast<std::uintptr_t>(scratch) < sizeof scratch) return;
  const launch_state& l = *cursor.owner->launch;
  if (!write && address - reinterpret_cast<std::uintptr_t>(l.args) < l.args_bytes) return;
  // Inline functions of the API read the engine's records, which are not the kernel's memory.
  const auto within = [&](const auto& object) { return address - reinterpret_cast<std::uintptr_t>(&object) < sizeof object; };
  if (within(l) || within(*cursor.owner->queue.current->block)) return;
  if (!write && is_constant_memory(address)) return;
  if (lent_to_device(address)) return;  // what kernels do to it is not judged
  check::report_here(t, rule::host_memory, severity::error, write ? access_kind::write : access_kind::read, address, bytes, pc,
                     std::string("a kernel ") + (write ? "writes" : "reads") + " memory of the host",
                     address < 65536 ? "the address is a null pointer, or an offset from one"
                                     : "the address is neither device memory, nor shared memory, nor local to this thread: on a GPU this crashes",
                     "copy the data to a buffer and pass that to the kernel");
}

bool host_is_watched(std::uintptr_t address) {
  static const address_range range = device_range();
  return range.contains(address) && session != nullptr;
}
void host_access(std::uintptr_t address, std::size_t bytes, bool write, std::uintptr_t pc) {
  if (host_is_watched(address)) session->host_touched(address, bytes, write, pc);
}
void host_atomic(std::uintptr_t address, std::uint32_t bytes, check::atomic_op op, bool swaps, check::order o, std::uintptr_t pc) {
  if (host_is_watched(address)) session->host_atomic(address, bytes, op, swaps, o, pc);
  else host_unwatched(op, o);
}
void host_unwatched(check::atomic_op op, check::order o) {
  if (session != nullptr) session->host_unwatched(op, o);
}
void host_unlocked() {
  if (session != nullptr) session->callback_releases(true);
}
void host_fence(check::order o) {
  if (session != nullptr) session->host_fence(o);
}

}  // namespace simt::sim
