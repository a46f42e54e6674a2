// SPDX-License-Identifier: Apache-2.0
// One run on a GPU: settings in, launches with their times and faults out.
#include <simt/session.hpp>

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <backends/cuda/faults.hpp>
#include <backends/cuda/launch_log.hpp>
#include <simt/backend.hpp>
#include <simt/check.hpp>

namespace simt {

namespace gpu {
namespace {

constexpr std::size_t kMaxLog = 10'000;  // as the simulator

struct timed_launch {
  launch_record record;
  cudaEvent_t start, stop;
};
struct session_state {
  std::mutex mutex;
  bool recording = false;
  std::vector<timed_launch> launches;
  std::vector<finding> host_findings;
  std::atomic<double> wait_limit{0};
};
session_state& session() {
  static session_state* s = new session_state;
  return *s;
}

void destroy(const timed_launch& l) {
  if (!usable()) return;
  cudaEventDestroy(l.start);
  cudaEventDestroy(l.stop);
}

}  // namespace

double wait_limit() { return session().wait_limit.load(std::memory_order_relaxed); }

void wait_for(cudaStream_t stream, bool whole, const char* call) {
  const double limit = wait_limit();
  if (limit > 0) {
    // A blocking wait cannot be called off; so the end is asked for until the time is over.
    cudaEvent_t all_done = nullptr;
    check(cudaEventCreateWithFlags(&all_done, cudaEventDisableTiming), "cudaEventCreate");
    // The legacy default stream's event comes after the work of all blocking streams.
    check(cudaEventRecord(all_done, whole ? nullptr : stream), "cudaEventRecord");
    using clock = std::chrono::steady_clock;
    const auto end = clock::now() + std::chrono::duration<double>(limit);
    cudaError_t answer;
    while ((answer = cudaEventQuery(all_done)) == cudaErrorNotReady) {
      if (clock::now() >= end) fail_hang(limit);
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
    check(answer, call);
    check(cudaEventDestroy(all_done), "cudaEventDestroy");
  }
  check(whole ? cudaDeviceSynchronize() : cudaStreamSynchronize(stream), call);
  if (whole) note_idle();
}

launch_timer::launch_timer(cudaStream_t stream, launch_record record) : stream_(stream), record_(std::move(record)) {
  session_state& s = session();
  {
    std::lock_guard lock(s.mutex);
    if (!s.recording || s.launches.size() >= kMaxLog) return;
  }
  cudaStreamCaptureStatus capturing = cudaStreamCaptureStatusNone;
  if (cudaStreamIsCapturing(stream, &capturing) != cudaSuccess) cudaGetLastError();
  if (capturing != cudaStreamCaptureStatusNone) return;  // runs when the graph is replayed, any number of times
  check(cudaEventCreate(&start_), "cudaEventCreate");
  check(cudaEventCreate(&stop_), "cudaEventCreate");
  check(cudaEventRecord(start_, stream), "cudaEventRecord");
}

launch_timer::~launch_timer() {
  if (stop_ == nullptr) return;
  if (cudaEventRecord(stop_, stream_) != cudaSuccess) {
    destroy({{}, start_, stop_});
    return;
  }
  std::lock_guard lock(session().mutex);
  session().launches.push_back({std::move(record_), start_, stop_});
}

}  // namespace gpu

namespace backend {

std::string variant() { return "cuda"; }

void begin_run(const run_request& request) {
  if (request.checks.any())
    throw error(error_kind::unsupported,
                "checks run on the simulator, not on a GPU: leave out --check, or use --backend sim");
  if (request.schedule != "natural")
    throw error(error_kind::unsupported,
                "--schedule " + request.schedule +
                    " works on the simulator only: a GPU's hardware chooses the order; use --backend sim");
  if (request.device != selected_device()) select_device(request.device);
  gpu::enter("begin of the run");
  if (request.stack_bytes > 0)
    gpu::check(cudaDeviceSetLimit(cudaLimitStackSize, static_cast<std::size_t>(request.stack_bytes)),
               fmt::format("cudaDeviceSetLimit(cudaLimitStackSize, {})", request.stack_bytes),
               "the stack of a thread is at most 512 KiB on most devices");
  gpu::session_state& s = gpu::session();
  std::lock_guard lock(s.mutex);
  for (const auto& l : std::exchange(s.launches, {})) gpu::destroy(l);
  s.host_findings.clear();
  s.wait_limit = request.timeout_seconds > 0 ? request.timeout_seconds : 0;
  s.recording = true;
}

namespace {
std::atomic<int> interrupting_signal{0};
}
void interrupt(int signal) { interrupting_signal = signal; }
int interrupted_by() { return interrupting_signal.load(); }

void end_run(run_report& report) {
  report.interrupted_by = interrupted_by();
  gpu::session_state& s = gpu::session();
  {
    std::lock_guard lock(s.mutex);
    s.recording = false;
  }
  if (gpu::usable()) {
    try {  // a fault of a launch that the program did not wait for
      synchronize_device();
    } catch (const error& problem) {
      report.verdict = verdict::crash;
      report.result.detail = problem.what();
    }
  }
  std::lock_guard lock(s.mutex);
  for (auto& l : std::exchange(s.launches, {})) {
    float milliseconds = 0;
    if (gpu::usable() && cudaEventElapsedTime(&milliseconds, l.start, l.stop) == cudaSuccess)
      l.record.milliseconds = milliseconds;
    gpu::destroy(l);
    report.launches.push_back(std::move(l.record));
  }
  for (finding& f : gpu::take_faults()) report.findings.push_back(std::move(f));
  for (finding& f : std::exchange(s.host_findings, {})) report.findings.push_back(std::move(f));
  s.wait_limit = 0;
}

void record_launches(bool on) {
  std::lock_guard lock(gpu::session().mutex);
  gpu::session().recording = on;
}

std::int64_t unwritten_elements(const void*, std::size_t, std::int64_t) { return -1; }

void add_finding(finding f) {
  std::lock_guard lock(gpu::session().mutex);
  gpu::session().host_findings.push_back(std::move(f));
}

}  // namespace backend

// A GPU checks nothing.
std::vector<finding> check(const check_options&, const std::function<void()>& body) {
  body();
  return {};
}

}  // namespace simt
