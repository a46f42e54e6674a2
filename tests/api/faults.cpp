// SPDX-License-Identifier: Apache-2.0
// Kernels that die: a clear error, no hang, and a statement about the device.
//
// On the simulator the device goes on. On a GPU a fault ends the process's use of it, so there each case runs in a
// process of its own, started by the last test of this file.
#include <doctest/doctest.h>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

#include <sim/report/phrasebook.hpp>
#include <simt/check.hpp>
#include <simt/simt.hpp>

extern char** environ;

namespace {

SIMT_DEVICE void traps(simt::thread t) {
  if (t.grid<1>() == 5) t.trap();
}
SIMT_DEVICE void expects(simt::thread t, int limit) { t.expect(t.rank() < limit, "rank is below the limit"); }
SIMT_DEVICE void reads_nowhere(simt::thread t, simt::view<int> out) {
  const volatile int* nowhere = reinterpret_cast<const int*>(std::uintptr_t{0x2000'0000'0000});
  out[0] = nowhere[t.rank()];
}
SIMT_DEVICE void writes_one(simt::thread t, simt::view<int> out) { out[t.rank()] = 1; }

#if defined(SIMT_VARIANT_CUDA)
constexpr bool kOwnProcess = true;
#else
constexpr bool kOwnProcess = false;
#endif

// Launches and waits; the message of the device_fault that must come, or the findings that it left.
template <class F>
std::string fault_of(F launch) {
  std::string text;
  const auto run = [&] {
    try {
      launch();
      simt::synchronize();
    } catch (const simt::error& e) {
      text = e.what();
      CHECK(e.kind() == simt::error_kind::device_fault);
    }
  };
  const auto findings = simt::check({}, run);
  for (const auto& f : findings) text += "\n" + simt::phrase(f, simt::dialect::api).message;
  INFO(text);
  CHECK(!text.empty());
  return text;
}

// Whether the device says that it is lost, and is; or goes on.
void check_device_after(const std::string& fault) {
  const auto use = [] {
    simt::buffer<int> out(32, "out");
    simt::launch<writes_one>({.grid = 1, .block = 32}, out);
    CHECK(out.to_host() == std::vector<int>(32, 1));
  };
  if (!kOwnProcess) return use();
  CHECK(fault.find("not usable again in this process") != std::string::npos);
  try {
    use();
    CHECK(false);
  } catch (const simt::error& e) {
    CHECK(e.kind() == simt::error_kind::device_fault);
    CHECK(std::string(e.what()).find("new process") != std::string::npos);
  }
}

}  // namespace

TEST_SUITE("fault") {
  TEST_CASE("trap" * doctest::skip(kOwnProcess)) {
    const auto text = fault_of([] { simt::launch<traps>({.grid = 2, .block = 4}); });
    CHECK(text.find("traps") != std::string::npos);
    check_device_after(text);
  }
  TEST_CASE("expect" * doctest::skip(kOwnProcess)) {
    const auto text = fault_of([] { simt::launch<expects>({.grid = 1, .block = 32}, 30); });
    CHECK(text.find("expects") != std::string::npos);
    check_device_after(text);
  }
  TEST_CASE("wild read" * doctest::skip(kOwnProcess)) {
    simt::buffer<int> out(1, "out");
    const auto text = fault_of([&] { simt::launch<reads_nowhere>({.grid = 1, .block = 1}, out); });
    CHECK(text.find("reads_nowhere") != std::string::npos);
    check_device_after(text);
  }
}

TEST_CASE("an expectation that holds changes nothing") {
  simt::launch<expects>({.grid = 1, .block = 30}, 30);
  simt::synchronize();
}

#if defined(SIMT_VARIANT_CUDA)
TEST_CASE("faults, each in its own process") {
  for (const std::string name : {"trap", "expect", "wild read"}) {
    CAPTURE(name);
    std::vector<std::string> words{"/proc/self/exe", "--no-skip", "--test-suite=fault", "--test-case=" + name};
    std::vector<char*> argv;
    for (auto& w : words) argv.push_back(w.data());
    argv.push_back(nullptr);
    pid_t child = 0;
    REQUIRE(posix_spawn(&child, "/proc/self/exe", nullptr, nullptr, argv.data(), environ) == 0);
    int status = -1;
    for (int tenths = 0; tenths < 600 && waitpid(child, &status, WNOHANG) == 0; ++tenths) usleep(100'000);
    if (!WIFEXITED(status)) kill(child, SIGKILL);
    REQUIRE(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
  }
}
#endif
