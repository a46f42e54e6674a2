// SPDX-License-Identifier: Apache-2.0
// What waits for an asynchronous copy or at a barrier object, and where a stage is given back.
#include <doctest/doctest.h>

#include <string>

#include "kernel_text.hpp"
#include "sim/report/phrasebook.hpp"

using namespace simt;
using test::kernel_text;

TEST_CASE("what waits for an asynchronous copy") {
  const kernel_text text(
      "__global__ void k(const int* in, int* out) {\n  __shared__ int s[128];\n  auto block = "
      "cg::this_thread_block();\n"
      "  pipe.producer_acquire();\n  cuda::memcpy_async(block, s, in, sizeof(int) * 128, pipe);\n  "
      "pipe.producer_commit();\n"
      "  cg::memcpy_async(block, s, in, sizeof(int) * 128);\n  cuda::memcpy_async(block, s, in, sizeof(int) * 128, "
      "full);\n"
      "  full.arrive_and_wait();\n  __pipeline_memcpy_async(&s[0], &in[0], 4);\n  cuda::memcpy_async(block, s, in, "
      "512, other);\n"
      "  out[0] = s[127];\n}\n");
  const auto wait_at = [&](int line) {
    finding f;
    f.rule = rule::race_shared, f.cause = cause::race_async_copy, f.kernel = "k";
    f.accesses = {text.at({access_kind::read, 12, "s[127]"}), text.at({access_kind::write, line, "memcpy_async"})};
    f.accesses[1].work = work::async_copy;
    source_reader sources;
    find_places(sources, f, {}, 0);
    return f.facts.wait_call;
  };
  CHECK(wait_at(5) == "pipe.consumer_wait() behind pipe.producer_commit()");
  CHECK(wait_at(7) == "cg::wait(block)");
  CHECK(wait_at(8) == "full.arrive_and_wait()");
  CHECK(wait_at(10) == "__pipeline_wait_prior(0) behind __pipeline_commit()");
  CHECK(wait_at(11) == "other.arrive_and_wait()");  // what it is told of, and is no pipeline
}

TEST_CASE("a wait for copies is no barrier") {
  const auto race = [](const std::string& between, bool copy_is_later) {
    const kernel_text text(
        "__global__ void k(const int* in, int* out) {\n  __shared__ int s[64];\n  __pipeline_memcpy_async(&s[i], "
        "&in[i], "
        "4);\n  __pipeline_commit();\n  __pipeline_wait_prior(0);\n  " +
        between + "\n  out[i] = s[63 - i];\n}\n");
    finding f;
    f.rule = rule::race_shared, f.cause = cause::race_async_copy, f.kernel = "k";
    f.accesses = {text.at({access_kind::write, 3, "__pipeline_memcpy"}), text.at({access_kind::read, 7, "s[63 - i]"})};
    f.accesses[0].work = work::async_copy;
    f.accesses[1].thread = {1, 0, 0};
    if (!copy_is_later) std::swap(f.accesses[0], f.accesses[1]);
    source_reader sources;
    find_places(sources, f, {}, 0);
    return phrase(f, dialect::cuda);
  };
  for (const bool copy_is_later : {true, false}) {
    CHECK(race("", copy_is_later).fix.starts_with("put a barrier (__syncthreads()) between line 5 and line 7"));
    CHECK(race("", copy_is_later).why.starts_with("each thread has waited for its own copies at line 5"));
  }
  for (const bool copy_is_later : {true, false})  // with all of that in between, the next copy comes too early
    CHECK(race("__syncthreads();", copy_is_later).fix.starts_with("put a barrier (__syncthreads()) behind line 7"));
}

TEST_CASE("a copy behind the last use fills it again, whichever side came first") {
  const auto race = [](const std::string& head, const std::string& end) {
    const kernel_text text("__global__ void k(const int* in, int* out) {\n  __shared__ int s[64];\n  " + head +
                           "\n  out[i] = s[63 - i];\n  __pipeline_memcpy_async(&s[i], &in[i], 4);\n  " + end + "\n}\n");
    finding f;
    f.rule = rule::race_shared, f.cause = cause::race_async_copy, f.kernel = "k";
    f.accesses = {text.at({access_kind::read, 4, "s[63 - i]"}), text.at({access_kind::write, 5, "__pipeline_memcpy"})};
    f.accesses[1].work = work::async_copy;
    f.accesses[1].thread = {1, 0, 0};
    source_reader sources;
    find_places(sources, f, {}, 0);
    return phrase(f, dialect::cuda);
  };
  CHECK(race("", "").why == "nothing keeps the copy at line 5 from filling what line 4 still uses");
  CHECK(race("", "").fix.starts_with("put a barrier (__syncthreads()) between line 4 and line 5"));
  CHECK(race("for (int r = 0; r < n; ++r) {", "}").fix.starts_with("wait for the copy"));
}

TEST_CASE("a stage that is given back before it has been used") {
  const auto reused = [](const std::string& first, const std::string& second) {
    const kernel_text text(
        "__global__ void k(const int* in, int* out, int n) {\n  __shared__ int s[2][64];\n  for (int i = 0; i < n; "
        "++i) "
        "{\n"
        "    pipe.producer_acquire();\n    cuda::memcpy_async(block, s[i % 2], in, 256, pipe);\n    " +
        first + "\n    sum += s[i % 2][0];\n    " + second + "\n  }\n}\n");
    finding f;
    f.rule = rule::race_shared, f.cause = cause::race_async_copy, f.kernel = "k";
    f.accesses = {text.at({access_kind::write, 5, "memcpy_async"}), text.at({access_kind::read, 7, "s[i % 2][0]"})};
    f.accesses[0].work = work::async_copy;
    source_reader sources;
    find_places(sources, f, {}, 0);
    return phrase(f, dialect::cuda);
  };
  const phrases early = reused("pipe.consumer_wait(); pipe.consumer_release();", "");
  CHECK(early.why == "line 6 gives the stage back before line 7 has used it, so the next copy may fill it");
  CHECK(early.fix ==
        "move pipe.consumer_release() from line 6 to behind line 7, where the stage is used for the last time");
  CHECK(reused("pipe.consumer_wait();", "").fix.starts_with("call pipe.consumer_release() behind line 7, where"));
  CHECK(reused("pipe.consumer_wait();", "pipe.consumer_release();").fix.starts_with("put a barrier"));
  CHECK(reused("", "pipe.consumer_release();").fix.starts_with("wait for the copy"));  // nothing has waited for it
}

TEST_CASE("of a copy that each thread has waited for, what is missing is a barrier, or one at the end of a turn") {
  const auto fix = [](const std::string& wait, const std::string& behind, const std::string& end, bool copy_first) {
    const kernel_text text(
        "__global__ void k(const int* in, int* out, int n) {\n  __shared__ int s[64];\n  for (int t = 0; t < n; ++t) "
        "{\n    __pipeline_memcpy_async(&s[threadIdx.x], in + t, 4); __pipeline_commit();\n    " +
        wait + "\n    " + behind + "\n    out[t] = s[63 - threadIdx.x];\n    " + end + "\n  }\n}\n");
    finding f;
    f.rule = rule::race_shared, f.cause = cause::race_async_copy, f.kernel = "k";
    f.accesses = {text.at({access_kind::write, 4, "&s"}), text.at({access_kind::read, 7, "s["})};
    f.accesses[0].work = work::async_copy;
    f.accesses[1].thread.x = 1;
    if (!copy_first) std::swap(f.accesses[0], f.accesses[1]);
    source_reader sources;
    find_places(sources, f, {}, 0);
    return phrase(f, dialect::cuda).fix;
  };
  const std::string wait = "__pipeline_wait_prior(0);", sync = "__syncthreads();";
  for (const bool copy_first : {true, false}) {
    CHECK(fix("", sync, sync, copy_first) ==
          "wait for the copy (__pipeline_wait_prior(0) behind __pipeline_commit()) in front of the barrier at line 6");
    CHECK(fix(wait, "", sync, copy_first) == "put a barrier (__syncthreads()) between line 5 and line 7");
    CHECK(fix(wait, sync, "", copy_first) ==
          "put a barrier (__syncthreads()) at the end of the loop's body, behind line 7: the copy at line 4 belongs to "
          "the loop's next turn");
    CHECK(fix("__pipeline_wait_prior(2);", sync, sync, copy_first).starts_with("let line 5 leave fewer batches"));
    CHECK(fix("", "", "", copy_first)
              .ends_with("at the end of the loop's body, line 9, before the next turn's copy fills the memory again"));
  }
}

TEST_CASE("a barrier object between two places of a loop: what is missing is one between its turns") {
  const auto next_turn = [](const std::string& between) {
    const kernel_text text(
        "__global__ void k(int* o) {\n  __shared__ int s[64];\n  for (int r = 0; r < 3; ++r) {\n    s[threadIdx.x] = "
        "r;\n    " +
        between + "\n    o[r] = s[threadIdx.x ^ 1];\n  }\n}\n");
    return text.race({access_kind::read, 6, "s[threadIdx.x ^"}, {access_kind::write, 4, "= r"}, cause::race_block)
        .facts.next_turn;
  };
  CHECK(next_turn("full.arrive_and_wait();"));
  CHECK(!next_turn("if (threadIdx.x < 32) full.arrive_and_wait();"));
  CHECK(!next_turn("full.arrive();"));
}

TEST_CASE("a barrier object that some threads of a block meet at") {
  const kernel_text text(
      "__global__ void k(int* out) {\n  if (threadIdx.x < 32) {\n    full.arrive_and_wait();\n    r[0] = 1;\n  } else "
      "{\n"
      "    full.arrive_and_wait();\n    out[0] = r[0];\n  }\n}\n");
  CHECK(text.race({access_kind::write, 4, "r[0]"}, {access_kind::read, 7, "r[0]"}, cause::race_block)
            .facts.barrier_object == "full");
  CHECK(text.race({access_kind::write, 4, "r[0]"}, {access_kind::read, 7, "r[0]"}, cause::race_blocks)
            .facts.barrier_object.empty());
}

namespace {

// A race of an asynchronous copy at line 4 of a kernel and an access at line 8, each whole lines.
phrases copy_and_use(const std::string& copy, const std::string& behind, const std::string& wait,
                     const std::string& use, access_kind of_copy, access_kind of_use, bool copy_is_later,
                     bool same_thread = false) {
  const kernel_text text("__global__ void k(int* in, int* out, int n) {\n  __shared__ int s[64];\n\n  " + copy +
                         "\n  " + behind + "\n\n  " + wait + "\n  " + use + "\n}\n");
  finding f;
  f.rule = rule::race_shared, f.cause = cause::race_async_copy, f.kernel = "k";
  f.accesses = {text.at({of_copy, 4, "__pipeline_memcpy"}), text.at({of_use, 8, use})};
  f.accesses[0].work = work::async_copy;
  if (!same_thread) f.accesses[1].thread.x = 1;
  if (!copy_is_later) std::swap(f.accesses[0], f.accesses[1]);
  source_reader sources;
  find_places(sources, f, {}, 0);
  return phrase(f, dialect::cuda);
}
const std::string kCopy = "__pipeline_memcpy_async(&s[i], &in[i], 4);",
                  kWait = "__pipeline_wait_prior(0); __syncthreads();";
constexpr access_kind kReads = access_kind::read, kWrites = access_kind::write;

}  // namespace

TEST_CASE("a wait waits for batches that were ended") {
  for (const bool later : {true, false}) {
    const phrases open = copy_and_use(kCopy, "", kWait, "out[i] = s[63 - i];", kWrites, kReads, later);
    CHECK(open.why.starts_with("line 7 waits for batches, and no call ends the one that the copy at line 4 is in"));
    CHECK(open.fix == "put __pipeline_commit() behind the copy at line 4 and in front of line 7");
    const std::string ended = "__pipeline_commit();", use = "out[i] = s[63 - i];";
    CHECK(copy_and_use(kCopy, ended, kWait, use, kWrites, kReads, later).fix.find("commit") == std::string::npos);
  }
}

TEST_CASE("a wait that leaves a batch, where a branch ends one in some turns only") {
  const std::string head = "for (int t = 0; t < n; ++t) { if (t + 1 < n) { " + kCopy;
  const phrases p = copy_and_use(head, "__pipeline_commit(); }", "__pipeline_wait_prior(1);", "out[i] = s[i]; }",
                                 kWrites, kReads, false, true);
  CHECK(p.why.starts_with("line 7 leaves the last batch of copies under way"));
  CHECK(
      p.fix.starts_with("end a batch in each turn: move line 5 out of the branch at line 4 (a batch may be empty); or "
                        "let line 7 leave none under way"));
}

TEST_CASE("what an asynchronous copy reads and another thread writes") {
  const kernel_text text(
      "__global__ void k(int* in, int* out) {\n  in[i] = i;\n  __pipeline_memcpy_async(&s[i], &in[i + 1], 4);\n  "
      "__pipeline_commit();\n  in[63 - i] = 2;\n}\n");
  const auto race = [&](int written, bool copy_is_later, bool of_another_block) {
    finding f;
    f.rule = rule::race_global, f.cause = cause::race_async_copy, f.kernel = "k";
    f.accesses = {text.at({kReads, 3, "__pipeline_memcpy"}), text.at({kWrites, written, "in["})};
    f.accesses[0].work = work::async_copy;
    f.accesses[1].thread.x = 1;
    f.accesses[1].block.x = of_another_block ? 1 : 0;
    if (!copy_is_later) std::swap(f.accesses[0], f.accesses[1]);
    source_reader sources;
    find_places(sources, f, {}, 0);
    return phrase(f, dialect::cuda);
  };
  CHECK(race(2, true, false).why == "the copy at line 3 reads what line 2 writes, and no barrier has run between them");
  CHECK(race(2, true, false).fix == "put a barrier (__syncthreads()) between line 2 and line 3, where the copy begins");
  CHECK(race(2, true, true).fix.starts_with("write it in an earlier launch than that of the copy at line 3"));
  CHECK(race(5, false, false).why == "the copy at line 3 may read its source until its thread has waited for it");
  CHECK(race(5, false, false).fix.starts_with("wait for the copy (__pipeline_wait_prior(0)"));
}

TEST_CASE("a fence is its own thread's: where one thread tells for its block, a barrier is missing") {
  const auto told = [](const std::string& first, const std::string& second, const std::string& teller) {
    const kernel_text text("__global__ void k(int* part, int* done) {\n  part[t] = 1;\n  " + first + "\n  " + second +
                           "\n  " + teller + "\n  x = part[3];\n}\n");
    finding f;
    f.rule = rule::race_global, f.cause = cause::race_blocks_unfenced, f.kernel = "k";
    f.accesses = {text.at({kReads, 6, "part[3]"}), text.at({kWrites, 2, "="}),
                  text.at({access_kind::atomic, 5, "atomicAdd"})};
    f.accesses[0].block.x = 1;
    source_reader sources;
    find_places(sources, f, {}, 0);
    return phrase(f, dialect::cuda);
  };
  const std::string fence = "__threadfence();", sync = "__syncthreads();", alone = "if (t == 0) atomicAdd(done, 1);";
  const std::string reader =
      "; and behind reading the flag, __threadfence(), too, where no barrier comes before the read";
  CHECK(told(fence, "", alone).fix ==
        "put __syncthreads() behind the fence at line 3 and in front of line 5, where one thread tells for all");
  CHECK(told(fence, "", alone)
            .why.ends_with(
                "the fence at line 3 is its own thread's, and the one that goes on to line 5 waits for no other"));
  CHECK(told(sync, fence, alone).fix.starts_with("put __syncthreads() behind the fence at line 4"));
  CHECK(told("", "", "if (t == 0) { __threadfence(); atomicAdd(done, 1); }").fix ==
        "put __syncthreads() between line 2 and the fence at line 5");
  CHECK(told("", "", alone).fix ==
        "put __threadfence(), and __syncthreads() behind it, between line 2 and line 5" + reader);
  CHECK(told(sync, "", alone).fix == "put __threadfence() between line 2 and line 5" + reader);
  CHECK(told("", "", "atomicAdd(done, 1);").fix == "put __threadfence() between line 2 and line 5" + reader);
}
