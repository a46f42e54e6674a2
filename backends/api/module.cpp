// SPDX-License-Identifier: Apache-2.0
// simt_module(): the programs of this module and how to run one. One copy in every module, whatever the variant.
#include <algorithm>
#include <cstdio>
#include <new>
#include <stdexcept>

#include <sim/report/verdict.hpp>
#include <simt/program.hpp>
#include <simt/session.hpp>

namespace simt {

namespace {

struct entry {
  program_info info;
  void (*body)(run&);
};
std::vector<entry>& registry() {
  static std::vector<entry> r;
  return r;
}

class program_module final : public module {
 public:
  int abi() const override { return module_abi; }
  std::string variant() const override { return backend::variant(); }
  std::vector<program_info> programs() override {
    std::vector<program_info> all;
    for (const entry& e : registry()) all.push_back(e.info);
    std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    return all;
  }
  std::vector<device_summary> devices() override {
    try {
      return backend::describe_devices();
    } catch (const error&) {
      return {};
    }
  }
  std::string unavailable() override { return backend::unavailable(); }

  void interrupt(int signal) override { backend::interrupt(signal); }

  run_result run(const run_request& request) override {
    run_result result;
    run_report& r = result.report;
    r.program = request.program;
    r.backend = backend::name();
    r.schedule = request.schedule;
    r.seed = request.seed;
    r.repeat = request.bench_repeat;
    r.check = request.checks;
    const auto it = std::find_if(registry().begin(), registry().end(),
                                 [&](const entry& e) { return e.info.name == request.program; });
    if (it == registry().end()) {
      r.verdict = verdict::error;
      r.error = "no program '" + request.program + "' in this module";
      return result;
    }
    if (const std::string why = backend::unavailable(); !why.empty()) {
      r.verdict = verdict::unavailable;
      r.error = why;
      return result;
    }
    run_program(*it, request, result);
    return result;
  }

 private:
  static void run_program(const entry& e, const run_request& request, run_result& result) {
    run_report& r = result.report;
    bool fault = false;
    try {
      backend::begin_run(request);
      simt::run body(request, e.info, r);
      try {
        e.body(body);
        body.report_unwritten();
      } catch (...) {
        backend::end_run(r);
        throw;
      }
      if (request.keep_outputs)
        for (const auto& a : body.arrays())
          if (a.output) result.outputs_raw[a.name] = {a.type, a.extents, a.bytes(), a.tolerance};
      backend::end_run(r);
    } catch (const error& problem) {
      switch (problem.kind()) {
        case error_kind::device_fault:
          fault = true;
          break;
        case error_kind::unavailable:
          r.verdict = verdict::unavailable;
          r.error = problem.what();
          return;
        default:
          r.verdict = verdict::error;
          r.error = problem.what();
          return;
      }
      if (r.interrupted_by == 0) {
        r.result.detail = problem.what();
        if (r.findings.empty()) r.error = problem.what();
      }
    } catch (const std::bad_alloc&) {
      r.verdict = verdict::error;
      r.error = "out of host memory; use a smaller size";
      return;
    } catch (const std::length_error&) {
      r.verdict = verdict::error;
      r.error = "a host array of this size is impossible; use a smaller size";
      return;
    } catch (const std::exception& problem) {
      r.verdict = verdict::error;
      r.error = problem.what();
      return;
    }
    if (fault && r.interrupted_by == 0) r.verdict = verdict::crash;
    r.verdict = verdict_of(r, false);
  }
};

}  // namespace

program::program(program_declaration d, void (*body)(run&)) {
  program_info info;
  info.name = std::move(d.name);
  info.summary = std::move(d.summary);
  info.group = std::move(d.group);
  for (auto& o : d.options) info.options.push_back(std::move(o.option));
  info.geometry = std::move(d.geometry);
  info.plots = d.plots;
  info.expected.result = d.result;
  info.expected.result_may_vary = d.result_may_vary;
  for (auto& f : d.findings) info.expected.findings.push_back({f.rule, f.object, f.warning, f.may_be_missing});
  registry().push_back({std::move(info), body});
}

}  // namespace simt

extern "C" __attribute__((visibility("default"), used)) simt::module* simt_module() {
  static simt::program_module instance;
  return &instance;
}
