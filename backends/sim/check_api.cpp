// SPDX-License-Identifier: Apache-2.0
// simt::check on the simulator; in the sim variant it only runs the body.
#include <simt/check.hpp>

#include <simt/error.hpp>
#include <simt/session.hpp>

namespace simt {

std::vector<finding> check(const check_options& o, const std::function<void()>& body) {
  if (backend::variant() != "check") {
    body();
    return {};
  }
  run_request request;
  request.checks = {.races = o.races, .memory = o.memory, .uninit = o.uninit, .barrier = o.barrier};
  request.schedule = o.schedule;
  request.seed = o.seed;
  request.workers = o.workers;
  request.volatile_is_plain = o.volatile_is_plain;
  request.timeout_seconds = o.timeout_seconds;
  request.execution = o.execution;
  backend::begin_run(request);
  run_report report;
  const auto findings = [&] {
    // The end of the body is not the end of the program: buffers around it still live, rightly.
    if (!o.leaks) std::erase_if(report.findings, [](const finding& f) { return f.rule == rule::leak; });
    return std::move(report.findings);
  };
  try {
    body();
  } catch (const error& e) {
    backend::end_run(report);
    if (e.kind() != error_kind::device_fault) throw;
    return findings();
  } catch (...) {
    backend::end_run(report);
    throw;
  }
  backend::end_run(report);
  return findings();
}

}  // namespace simt
