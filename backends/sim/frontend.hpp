// SPDX-License-Identifier: Apache-2.0
// What the runtime of a front end (frontends/cuda/runtime) asks of the engine beyond the host API (<simt/backend.hpp>)
// and the kernel API (<simt/kernel.hpp>): memory by its address, the running device thread, errors of captures. It
// includes no other header of sim/ or backends/sim, but for what a launch's body is made of (start_launch.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <backends/sim/calling_from.hpp>  // whose line a call belongs to
#include <backends/sim/kernel_fault.hpp>  // what a kernel died of
#include <backends/sim/stream_facts.hpp>  // streams, events, errors of captures
#include <simt/backend.hpp>

namespace simt {
class thread;
}
namespace simt::sim {
struct shared_key;
struct variable_label;
}  // namespace simt::sim

namespace simt::frontend {

// --- memory; host side

// Where an allocation is at home. All lie in the device's range of addresses; the host may touch all but `device`.
enum class memory_home : std::uint8_t { device, managed, pinned };

bool is_device_address(const void* address);

struct memory_facts {
  bool live = false;                                 // in an allocation that was not freed
  memory_home home = memory_home::device;            // the allocation's, live or freed; device where there is none
  bool host_may_access = false, registered = false;  // registered: the host's own, lent to kernels
};
memory_facts facts_of(const void* address);

// Of the allocation that holds the address: what reports call it, its element type, where it begins, its bytes, and,
// under check, who allocated it (code addresses, innermost first). Empty: there is none.
struct allocation_label {
  std::string name, type;
  const void* begin = nullptr;
  std::size_t bytes = 0;
  std::vector<std::uintptr_t> stack{};
};
allocation_label label_of(const void* address);

// Addresses of what was not freed and is at home in managed or pinned memory, and of all else.
std::vector<const void*> live_host_visible();
std::vector<const void*> live_device_memory();
// How many of these bytes nobody has written, neither kernels nor the host; -1: nobody looks for that.
std::int64_t unwritten_bytes(const void* device, std::size_t bytes);

// Null where it does not fit. `pc`: the line that allocates, for reports.
void* allocate(std::size_t bytes, const memory_label& label, memory_home home, std::uintptr_t pc);
// False where no live allocation starts there; a checked run reports that. `pc`: the line that frees.
bool free(void* address, std::uintptr_t pc);
std::size_t bytes_in_use();

// Memory with a copy of the image, for a variable at namespace scope. Throws simt::error where it does not fit.
void* place_variable(const void* image, std::size_t bytes, const sim::variable_label& label, bool host_may_access,
                     bool constant);

// References to variables, of a module that was opened at run time: kernels may read them.
void know_references(const void* first, const void* last);

// Memory of the host that kernels may touch from now on, and no longer.
void register_memory(const void* address, std::size_t bytes);
void unregister_memory(const void* address);

// --- the running device thread; any side

// Whether a device thread runs on this OS thread.
bool on_device();
// Check variant, while one runs: its handle, and addresses in its block's shared memory, each use announced to the
// checks. The sim variant has these inline (frontends/cuda/headers/simt_cuda/thread.hpp).
thread running_thread();
std::byte* shared_address(const sim::shared_key& key);
std::byte* dynamic_shared_address(const sim::shared_key& key);

// The running thread launches a kernel, which is to run when its own has ended: gives launch_request::child. What a
// block launches on one stream runs one after the other.
std::uint64_t kernel_launched(std::uint64_t stream);
// The running thread lets one of its block's streams wait for another.
void kernel_streams_meet();

// The device heap: malloc and free of device code. `pc`: the call that frees.
void* heap_allocate(std::size_t bytes);
void heap_free(void* p, std::uintptr_t pc);
// In a signal handler with this ucontext_t: the instruction that was interrupted.
std::uintptr_t interrupted_at(const void* context);
// Said before main by programs whose device code allocates.
void expect_heap();

// While one lives, no launch runs in a checked program, and no host thread tells the checks anything.
class host_alone {
 public:
  host_alone();
  ~host_alone();
  host_alone(const host_alone&) = delete;
  host_alone& operator=(const host_alone&) = delete;

 private:
  void* turn_;
};

// While one lives, no signal takes the running thread off its stack: for whatever holds a lock there. Nothing may wait
// inside. On the host it does nothing.
class uninterrupted {
 public:
  uninterrupted();
  ~uninterrupted();
  uninterrupted(const uninterrupted&) = delete;
  uninterrupted& operator=(const uninterrupted&) = delete;

 private:
  void* worker_;
  bool before_;
};

}  // namespace simt::frontend
