// SPDX-License-Identifier: Apache-2.0
#include "runs_ahead.hpp"

#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <new>

#include "sim/report/packed_trail.hpp"

namespace simt::cli {
namespace {

using steady = std::chrono::steady_clock;

constexpr int kMostProcesses = 64;
constexpr std::size_t kFewestRuns = 16;
constexpr double kShortestBatch = 0.02, kBatch = 0.5;        // seconds of each process; a copy costs 1 ms or more
constexpr std::size_t kTrailBytes = std::size_t{128} << 20;  // of all runs of a batch: what is used of it costs memory

// How a process tells of a run. One process writes it, and the first one reads it when that has ended.
struct told_entry {
  bool made, usual, tells_others, unkept;
  run_counts counts;
  std::int64_t steps, threads, units;
  std::size_t trail, trail_bytes;  // in the batch's memory
};

double since(steady::time_point start) { return std::chrono::duration<double>(steady::now() - start).count(); }

// Memory that the copies of this process share with it.
class shared_batch {
 public:
  explicit shared_batch(std::size_t runs) : runs_(runs) {
    constexpr int kHow = MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE;
    void* const at = ::mmap(nullptr, bytes(), PROT_READ | PROT_WRITE, kHow, -1, 0);
    if (at != MAP_FAILED) head_ = new (at) head;
  }
  ~shared_batch() {
    if (head_ != nullptr) ::munmap(head_, bytes());
  }
  shared_batch(const shared_batch&) = delete;
  shared_batch& operator=(const shared_batch&) = delete;
  explicit operator bool() const { return head_ != nullptr; }

  // The next run that nobody makes yet; the number of runs: all are taken, or nobody is to begin another one.
  std::size_t next() { return head_->stopped ? runs_ : std::min(head_->next.fetch_add(1), runs_); }
  void stop() { head_->stopped = true; }
  told_entry& operator[](std::size_t i) { return reinterpret_cast<told_entry*>(head_ + 1)[i]; }

  // Writes a trail where a run's entry says. False: no room.
  bool keep(const std::vector<explored_step>& trail, told_entry& e) {
    if (trail.empty()) return true;
    const std::vector<std::uint8_t> packed = data::packed(trail);
    e.trail = head_->trail_bytes.fetch_add(packed.size());
    if (e.trail + packed.size() > kTrailBytes) return false;
    e.trail_bytes = packed.size();
    std::memcpy(trails() + e.trail, packed.data(), packed.size());
    return true;
  }
  std::vector<explored_step> trail_of(const told_entry& e) {
    if (e.trail_bytes == 0) return {};
    return data::unpacked({trails() + e.trail, trails() + e.trail + e.trail_bytes});
  }

 private:
  struct head {
    std::atomic<std::size_t> next{0}, trail_bytes{0};
    std::atomic<bool> stopped{false};
  };
  std::uint8_t* trails() { return reinterpret_cast<std::uint8_t*>(&(*this)[runs_]); }
  std::size_t bytes() const { return sizeof(head) + runs_ * sizeof(told_entry) + kTrailBytes; }
  std::size_t runs_;
  head* head_ = nullptr;
};

// In a copy: nobody there waits for what the tool's handlers note, and nobody is left to take its runs when the first
// process ends.
void be_a_copy(pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(0);
  for (const int s : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction now = {};
    ::sigaction(s, nullptr, &now);
    if (now.sa_handler != SIG_IGN) ::signal(s, SIG_DFL);
  }
}

}  // namespace

int search_processes(int workers) {
  if (workers > 0) return std::min(workers, kMostProcesses);
  cpu_set_t cores;
  return ::sched_getaffinity(0, sizeof cores, &cores) == 0 ? std::clamp(CPU_COUNT(&cores), 1, kMostProcesses) : 1;
}

run_report runs_ahead::run(const run_request& request) {
  const steady::time_point start = steady::now();
  run_report r = kernels_.run(request).report;
  seconds_ = since(start);
  return r;
}

bool runs_ahead::is_worth_it(std::size_t planned) const {
  return processes_ > 1 && planned >= kFewestRuns && in_vain_ * 2 <= last_batch_ &&
         static_cast<double>(planned) * seconds_ > kShortestBatch;
}

void runs_ahead::make(std::size_t planned, const std::function<run_request(std::size_t)>& request_of,
                      const schedule_runs& runs, double seconds) {
  if (!told_.empty() || runs.count() == 0 || !is_worth_it(planned)) return;
  const double at_once = kBatch * processes_ / std::max(seconds_, 1e-6);
  const std::size_t count = std::min(planned, std::max(kFewestRuns, static_cast<std::size_t>(at_once)));
  shared_batch batch(count);
  if (!batch) return;
  const steady::time_point start = steady::now();
  const auto work = [&] {
    for (std::size_t i; (seconds <= 0 || since(start) < seconds) && (i = batch.next()) < count;) {
      run_request request = request_of(i);
      if (seconds > 0) request.give_up_seconds = std::max(seconds - since(start), kShortestRun);
      const run_report r = kernels_.run(request).report;
      if (r.interrupted_by != 0) batch.stop();
      if (r.interrupted_by != 0 || r.steps.given_up) return;
      told_entry& e = batch[i];
      e.counts = counts_of(r);
      e.steps = r.steps.steps;
      e.threads = r.steps.threads;
      e.units = r.steps.units;
      e.tells_others = request.steps.tells_others;
      e.unkept = r.steps.unkept;
      const step_record& s = r.steps;
      const bool as_planned = s.new_places.empty() && !s.cut && !s.disturbed && !s.missed;
      e.usual = runs.is_usual(r) && as_planned && batch.keep(s.trail, e);
      e.made = true;
    }
  };
  std::fflush(nullptr);
  const pid_t parent = ::getpid();
  std::vector<pid_t> copies;
  for (int i = 1; i < processes_; ++i) {
    const pid_t copy = ::fork();
    if (copy < 0) break;
    if (copy == 0) {
      be_a_copy(parent);
      work();
      ::_exit(0);
    }
    copies.push_back(copy);
  }
  work();
  for (const pid_t copy : copies)
    while (::waitpid(copy, nullptr, 0) < 0 && errno == EINTR) continue;
  last_batch_ = count;
  in_vain_ = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const told_entry& e = batch[i];
    told_run& t = told_.emplace_back();
    t.usual = e.made && e.usual;
    if (!t.usual) {
      ++in_vain_;
      continue;
    }
    t.counts = e.counts;
    t.made.tells_others = e.tells_others;
    t.made.steps.steps = e.steps;
    t.made.steps.threads = e.threads;
    t.made.steps.units = e.units;
    t.made.steps.unkept = e.unkept;
    t.made.steps.trail = batch.trail_of(e);
  }
}

std::optional<runs_ahead::made_run> runs_ahead::take(schedule_runs& runs,
                                                     const std::function<bool(const step_record&)>& is_run) {
  if (told_.empty()) return std::nullopt;
  told_run t = std::move(told_.front());
  told_.pop_front();
  if (!t.usual) return std::nullopt;
  if (is_run(t.made.steps)) runs.add_usual(t.counts);
  return std::move(t.made);
}

}  // namespace simt::cli
