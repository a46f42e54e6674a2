// SPDX-License-Identifier: Apache-2.0
// Starts and ends checked runs: the hook that sessions call, and checks by environment for test executables.
#include <cstdlib>
#include <memory>
#include <utility>

#include <backends/sim/batch_threads.hpp>
#include <backends/sim/check_session.hpp>
#include <backends/sim/launch_body.hpp>
#include <sim/exec/one_thread.hpp>
#include <sim/exec/outlives_exit.hpp>
#include <sim/instrument/outside_element.hpp>
#include <simt/session.hpp>
#include <simt/view.hpp>

namespace simt::sim {

namespace {
constinit outlives_exit<std::unique_ptr<check_session>> session_kept;
constinit std::unique_ptr<check_session>& session = session_kept.value;
// The session before, until the next one begins. Most processes make one run, and then the system takes back what its
// detector holds, all at once, when they end.
check_session* ended = nullptr;

// The body of one thread of which the loops are made, for each thread of a stack.
void run_counted_threads(block_context& b, fiber& self) {
  const launch_state& l = *b.launch;
  const loop_function one = one_thread_of(*l.bodies.loops);
  walk_threads(b, self, [&](checked_thread_loop& walk) {
    batch_threads<false> threads(walk);
    do {
      const thread t = threads.handle();
      const dim3 me = t.thread_idx(), at = t.block_idx();
      one(b, l.args, nullptr, me.x, me.y, me.z, l.block.x, l.block.y, l.block.z, at.x, at.y, at.z, l.grid.x, l.grid.y,
          l.grid.z);
    } while (threads.follow());
  });
}

class hook final : public check_hook {
 public:
  void begin(const run_request& r, int workers) override {
    end_session();
    delete std::exchange(ended, nullptr);
    // Schedules are asked at accesses, also where nobody judges those.
    if (!r.checks.any() && !r.profile && r.schedule == "natural") return;
    check_settings s;
    s.checks = r.checks;
    s.profile = r.profile;
    s.volatile_is_plain = r.volatile_is_plain;
    s.may_doubt = r.may_doubt;
    s.names_places = !r.may_doubt || r.schedule != "natural";
    s.workers = workers;
    session = std::make_unique<check_session>(s);
  }
  void end(run_report& report) override {
    if (!session) return;
    std::vector<finding> found = session->collect(true, report.notes);
    report.findings.insert(report.findings.end(), std::make_move_iterator(found.begin()),
                           std::make_move_iterator(found.end()));
    report.profile = session->counted(report.notes);
    report.judged.excused_volatile = session->excused_volatile();
    report.judged.doubtful = session->doubtful();
    end_session();
  }
  void choose_bodies(kernel_bodies& bodies) override {
    if (session && session->counts() && one_thread_of(*bodies.loops) != nullptr) bodies.threads = &run_counted_threads;
  }
  void callback_begins(int stream) override {
    if (session) session->events().callback_begins(stream);
  }
  void callback_ends() override {
    if (session) session->events().callback_ends();
  }
  void allocated_on(void* p, std::size_t bytes, int stream, std::uintptr_t pc) override {
    if (session) session->events().allocated_on(p, bytes, stream, pc);
  }
  void freed_on(void* p, std::size_t bytes, int stream, std::uintptr_t pc) override {
    if (session) session->events().freed_on(p, bytes, stream, pc);
  }
  std::int64_t unwritten(const void* device, std::size_t element_bytes, std::int64_t count) override {
    return session ? session->unwritten(device, element_bytes, count) : -1;
  }
  std::int64_t uninitialised(const void* device, std::size_t bytes) override {
    return session ? session->uninitialised(device, bytes) : -1;
  }

 private:
  static void end_session() {
    if (!session) return;
    session->end();
    delete std::exchange(ended, session.release());
  }
};
hook the_hook;
[[gnu::constructor]] void install() { install_check_hook(&the_hook); }

}  // namespace

void* report_view_out_of_bounds(const void* data, std::size_t element_bytes, int rank, const std::int64_t* index,
                                const std::int64_t* extents, const void* pc) {
  const auto axes = static_cast<std::size_t>(rank);
  return outside_element(data, element_bytes, {index, axes}, {extents, axes}, reinterpret_cast<std::uintptr_t>(pc));
}

}  // namespace simt::sim
