// SPDX-License-Identifier: Apache-2.0
// Child processes: what is collected, what is passed on, and that none outlives its use.
#include <atomic>
#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <future>
#include <string>
#include <vector>

#include "frontends/cuda/driver/process.hpp"

namespace {
using namespace simt::cuda_source;
process_result shell(const std::string& script) { return run_process({"/bin/sh", "-c", script}); }
}  // namespace

TEST_CASE("standard output and standard error are collected apart, with the exit code") {
  const process_result r = shell("echo out; echo err >&2; exit 3");
  CHECK(r.exit_code == 3);
  CHECK(r.signal == 0);
  CHECK(r.output == "out\n");
  CHECK(r.errors == "err\n");
}

TEST_CASE("more than a pipe holds, on both streams at once") {
  const process_result r =
      shell("i=0; while [ $i -lt 20000 ]; do echo 0123456789; echo 0123456789 >&2; i=$((i+1)); done");
  CHECK(r.output.size() == 20000 * 11);
  CHECK(r.errors.size() == 20000 * 11);
}

TEST_CASE("a signal ends it") {
  const process_result r = shell("kill -TERM $$");
  CHECK(r.signal == SIGTERM);
  CHECK(r.exit_code == 128 + SIGTERM);
}

TEST_CASE("a program that is not there") {
  const process_result r = run_process({"/nowhere/compiler", "-c"});
  CHECK(r.exit_code == 127);
  CHECK(r.errors == "cannot run /nowhere/compiler: No such file or directory\n");
}

TEST_CASE("several at once: none waits for another's pipe") {
  std::vector<std::future<process_result>> all;
  for (int i = 0; i < 8; ++i)
    all.push_back(std::async(std::launch::async, [i] { return shell("echo " + std::to_string(i)); }));
  for (int i = 0; i < 8; ++i) CHECK(all[static_cast<std::size_t>(i)].get().output == std::to_string(i) + "\n");
}

TEST_CASE("a program writes its report to the descriptor and sees more variables") {
  std::atomic<int> running = 0;
  const process_result r = run_program({"/bin/sh", "-c", "echo $SIMT_TEST_A$SIMT_TEST_B >&9; exit 5"},
                                       {{"SIMT_TEST_A", "a"}, {"SIMT_TEST_B", "b c"}}, 9, true, running, {});
  CHECK(r.output == "ab c\n");
  CHECK(r.exit_code == 5);
}

TEST_CASE("the report's pipe may have the very number of the descriptor") {
  std::atomic<int> running = 0;
  const int lowest = open("/dev/null", O_RDONLY | O_CLOEXEC);  // the pipe gets the next numbers, read end first
  close(lowest);
  for (int descriptor = lowest; descriptor < lowest + 6; ++descriptor)
    CHECK(run_program({"/bin/sh", "-c", "echo x >&" + std::to_string(descriptor)}, {}, descriptor, true, running, {})
              .output == "x\n");
}

TEST_CASE("a silent program reads and writes nothing") {
  int typed[2];
  REQUIRE(pipe2(typed, O_CLOEXEC) == 0);
  REQUIRE(write(typed[1], "typed\n", 6) == 6);
  const int ours = dup(STDIN_FILENO);
  dup2(typed[0], STDIN_FILENO);
  close(typed[1]);
  std::atomic<int> running = 0;
  const process_result r =
      run_program({"/bin/sh", "-c", "cat >&9; echo lost; echo kept >&9"}, {}, 9, true, running, {});
  if (ours >= 0) dup2(ours, STDIN_FILENO), close(ours);
  close(typed[0]);
  CHECK(r.output == "kept\n");
  CHECK(r.exit_code == 0);
}

TEST_CASE("a program whose time is over is ended, and so is the wait for what it has started") {
  std::atomic<int> running = 0;
  const auto start = std::chrono::steady_clock::now();
  const process_result r =
      run_program({"/bin/sh", "-c", "echo early >&9; sleep 100 >/dev/null 2>&1 & wait"}, {}, 9, true, running, {0.2});
  CHECK(r.given_up);
  CHECK(r.output == "");
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(50));
  CHECK_FALSE(run_program({"/bin/sh", "-c", "exit 0"}, {}, 9, true, running, {100}).given_up);
}

TEST_CASE("a program that is asked to end when its time is over may still say what it has") {
  std::atomic<int> running = 0;
  const process_result r =
      run_program({"/bin/sh", "-c", "trap 'echo late >&9; exit 0' TERM; echo early >&9; while :; do sleep 0.05; done"},
                  {}, 9, true, running, {0.5, true});
  CHECK(r.given_up);
  CHECK(r.output == "early\nlate\n");
}
