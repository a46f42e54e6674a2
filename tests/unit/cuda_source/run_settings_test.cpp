// SPDX-License-Identifier: Apache-2.0
// What simrun writes into the environment is what the program's runtime reads.
#include <doctest/doctest.h>

#include <cstdlib>
#include <limits>
#include <map>
#include <string>

#include <simt/error.hpp>

#include "frontends/cuda/run_settings.hpp"

namespace {

using namespace simt::cuda_source;

// Sets variables, and takes all of a run's away at the end.
using variables = std::vector<std::pair<std::string, std::string>>;
struct environment {
  explicit environment(const variables& all) {
    for (const auto& [name, value] : all) setenv(name.c_str(), value.c_str(), 1);
  }
  ~environment() {
    for (const run_setting& s : run_settings()) unsetenv(s.name);
    unsetenv("SIMT_REPORT_FD");
  }
};

std::string refusal(const char* name, const char* value, bool checked = true) {
  const environment set(variables{{name, value}});
  try {
    request_from_environment(checked);
    (void)report_descriptor();
  } catch (const simt::error& e) {
    return e.what();
  }
  return {};
}

}  // namespace

TEST_CASE("a request goes through the environment and comes back as it was") {
  simt::run_request r;
  r.checks.races = r.checks.uninit = true;
  r.schedule = "random";
  r.seed = std::numeric_limits<std::uint64_t>::max();  // more than a double holds
  r.workers = 3;
  r.timeout_seconds = 0.25;
  r.stack_bytes = std::int64_t{5} << 32;
  r.max_reports = 7;
  r.volatile_is_plain = r.may_doubt = true;
  r.said = "`i < n' failed at a.cu:3|0,0,0|5,0,0";
  const environment set(variables_of(r, 9));
  const simt::run_request back = request_from_environment(true);
  CHECK(back.checks.races);
  CHECK_FALSE(back.checks.memory);
  CHECK(back.checks.uninit);
  CHECK_FALSE(back.checks.barrier);
  CHECK(back.schedule == "random");
  CHECK(back.seed == r.seed);
  CHECK(back.workers == 3);
  CHECK(back.timeout_seconds == 0.25);
  CHECK(back.stack_bytes == r.stack_bytes);
  CHECK(back.max_reports == 7);
  CHECK(back.volatile_is_plain);
  CHECK(back.may_doubt);
  CHECK(back.said == r.said);
  CHECK(report_descriptor() == 9);
}

TEST_CASE("every variable of the table is written for a request that asks for it") {
  simt::run_request r;
  r.seed = r.workers = r.stack_bytes = r.max_reports = 1;
  r.timeout_seconds = 1;
  r.volatile_is_plain = r.may_doubt = r.profile = true;
  r.execution = "fibers";
  r.said = "`i < n' failed at a.cu:3|0,0,0|5,0,0";
  std::map<std::string, std::string> written;
  for (const auto& [name, value] : variables_of(r, 9)) written[name] = value;
  for (const run_setting& s : run_settings()) CHECK_MESSAGE(written.count(s.name) == 1, s.name);
}

TEST_CASE("a request without checks turns them off in a checked program; one that is told nothing has all") {
  {
    const environment set(variables_of({}, 9));
    CHECK_FALSE(request_from_environment(true).checks.races);
  }
  CHECK(request_from_environment(true).checks.barrier);
  CHECK_FALSE(request_from_environment(false).checks.barrier);
  CHECK_FALSE(report_descriptor());
}

TEST_CASE("values that cannot be read are named with the variable and with what it takes") {
  CHECK(refusal("SIMT_SEED", "abc") == "SIMT_SEED takes a number, not 'abc'");
  CHECK(refusal("SIMT_WORKERS", "2x") == "SIMT_WORKERS takes a number, not '2x'");
  CHECK(refusal("SIMT_TIMEOUT", "soon") == "SIMT_TIMEOUT takes a number of seconds, not 'soon'");
  CHECK(refusal("SIMT_REPORT_FD", "stdout") == "SIMT_REPORT_FD takes a descriptor, not 'stdout'");
  CHECK(refusal("SIMT_CHECK", "races,memry").find("not 'races,memry'") != std::string::npos);
  CHECK(refusal("SIMT_CHECK", "races,memory") == "");
  CHECK(refusal("SIMT_CHECK", "none", false) == "");
}
