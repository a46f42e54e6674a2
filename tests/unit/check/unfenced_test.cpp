// SPDX-License-Identifier: Apache-2.0
// Volatile data and its flags: which fences are asked for. One mechanism a case.
#include <doctest/doctest.h>

#include <cstdint>
#include <string>

#include "world.hpp"

using namespace check_tests;

namespace {

constexpr std::uintptr_t kFlagAt = 64;

// A device-wide fence of the thread.
void full_fence(world& w, int block, int rank = 0, scope s = scope::device) {
  fence(w.t(block, rank), order::seq_cst, s);
}

// A block writes volatile data, then a flag; another sees the flag and reads the data. -1: no fence.
std::string message(bool atomic_flag, int of_writer, int of_reader) {
  world w;
  const auto data = w.buffer("data", 8), flag = w.buffer("flag", 1, true, kFlagAt);
  w.launch(2, 1);
  write_volatile(w.t(0, 0), data, 4, 0x40);
  if (of_writer >= 0) full_fence(w, 0, 0, static_cast<scope>(of_writer));
  if (atomic_flag) {
    w.at(0, 0, flag, atomic_op::rmw, order::relaxed, scope::device);
    w.at(1, 0, flag, atomic_op::rmw, order::relaxed, scope::device);
  } else {
    write_volatile(w.t(0, 0), flag, 4, 0x50);
    read_volatile(w.t(1, 0), flag, 4, 0x60);
  }
  if (of_reader >= 0) full_fence(w, 1, 0, static_cast<scope>(of_reader));
  read_volatile(w.t(1, 0), data, 4, 0x70);
  return w.found();
}

}  // namespace

TEST_CASE("volatile data needs a fence before its flag, and one behind it") {
  constexpr int kNone = -1, kDevice = static_cast<int>(scope::device);
  for (const bool atomic_flag : {false, true})
    for (int of_writer = kNone; of_writer <= static_cast<int>(scope::system); ++of_writer)
      for (int of_reader = kNone; of_reader <= static_cast<int>(scope::system); ++of_reader) {
        CAPTURE(atomic_flag);
        CAPTURE(of_writer);
        CAPTURE(of_reader);
        const char* const expected = of_writer < kDevice   ? "missing-fence data"
                                     : of_reader < kDevice ? "missing-fence data (warning)"
                                                           : "";
        CHECK(message(atomic_flag, of_writer, of_reader) == expected);
      }
}

TEST_CASE("a fence on the wrong side of the flag, or before the data, keeps nothing") {
  for (const bool before_data : {false, true}) {
    world w;
    const auto data = w.buffer("data", 8), flag = w.buffer("flag", 1, true, kFlagAt);
    w.launch(2, 1);
    if (before_data) full_fence(w, 0);
    write_volatile(w.t(0, 0), data, 4, 0x40);
    write_volatile(w.t(0, 0), flag, 4, 0x50);
    if (!before_data) full_fence(w, 0);
    read_volatile(w.t(1, 0), flag, 4, 0x60);
    full_fence(w, 1);
    read_volatile(w.t(1, 0), data, 4, 0x70);
    CHECK(w.found() == "missing-fence data");
  }
}

TEST_CASE("the last block reads volatile results: the writers' fence, a ticket, a barrier") {
  for (const bool fenced : {false, true}) {
    world w;
    const auto data = w.buffer("data", 8), ticket = w.buffer("ticket", 1, true, kFlagAt);
    w.launch(3, 64);
    for (int b = 0; b < 3; ++b) {
      write_volatile(w.t(b, 0), data + static_cast<std::uintptr_t>(b) * 4, 4, 0x40);
      if (fenced) full_fence(w, b);
      w.at(b, 0, ticket, atomic_op::rmw, order::relaxed, scope::device, 0x45);
      block_barrier(*w.blocks[static_cast<std::size_t>(b)]);
    }
    for (int i = 0; i < 3; ++i) read_volatile(w.t(2, i), data + static_cast<std::uintptr_t>(i) * 4, 4, 0x50);
    CHECK(w.found() == (fenced ? "" : "missing-fence data"));
    if (fenced) continue;
    const auto all = w.d.findings();
    REQUIRE(all[0].accesses.size() == 3);
    CHECK(all[0].accesses[2].pc == 0x45);
  }
}

TEST_CASE("what one lane has seen, a warp sync tells the others") {
  for (const bool synced : {false, true}) {
    world w;
    const auto data = w.buffer("data", 8), flag = w.buffer("flag", 1, true, kFlagAt);
    w.launch(2, 32);
    write_volatile(w.t(0, 0), data, 4, 0x40);
    write_volatile(w.t(0, 0), flag, 4, 0x50);
    read_volatile(w.t(1, 0), flag, 4, 0x60);
    if (synced) warp_sync(*w.blocks[1], 0, 0xffffffff);
    read_volatile(w.t(1, 7), data, 4, 0x70);
    CHECK(w.found() == (synced ? "missing-fence data" : ""));  // not told of it: polled
  }
}

TEST_CASE("a chain of flags: each writer keeps its own data, nobody else's") {
  for (const bool first : {false, true})
    for (const bool second : {false, true}) {
      CAPTURE(first);
      CAPTURE(second);
      world w;
      const auto data = w.buffer("data", 4), more = w.buffer("more", 4, true, 32),
                 one = w.buffer("one", 1, true, kFlagAt), two = w.buffer("two", 1, true, 96);
      w.launch(3, 1);
      write_volatile(w.t(0, 0), data, 4, 0x40);
      if (first) full_fence(w, 0);
      write_volatile(w.t(0, 0), one, 4, 0x50);
      read_volatile(w.t(1, 0), one, 4, 0x60);
      write_volatile(w.t(1, 0), more, 4, 0x65);
      if (second) full_fence(w, 1);
      write_volatile(w.t(1, 0), two, 4, 0x70);
      read_volatile(w.t(2, 0), two, 4, 0x80);
      full_fence(w, 2);
      read_volatile(w.t(2, 0), data, 4, 0x90);
      read_volatile(w.t(2, 0), more, 4, 0xa0);
      const std::string of_data = !first ? "missing-fence data" : !second ? "missing-fence data (warning)" : "";
      const std::string of_more = second ? "" : "missing-fence more";
      CHECK(w.found() == of_data + (of_data.empty() || of_more.empty() ? "" : ", ") + of_more);
      for (const finding& f : w.d.findings())
        if (f.severity == severity::error) CHECK(f.accesses[2].pc == (f.object == "data" ? 0x50 : 0x70));
    }
}

TEST_CASE("within a block a fence of block scope will do; lanes of one warp are left alone") {
  for (const int reader : {1, 32})
    for (const bool fenced : {false, true})
      for (const bool shared_flag : {false, true}) {
        CAPTURE(reader);
        CAPTURE(shared_flag);
        world w;
        const auto data = w.buffer("data", 8), global_flag = w.buffer("flag", 1, true, kFlagAt);
        w.launch(1, 64);
        shared_array(*w.blocks[0], w.tile(0) + 512, 4, {"ready", "int", 4, {}});
        const auto flag = shared_flag ? w.tile(0) + 512 : global_flag;
        write_volatile(w.t(0, 0), data, 4, 0x40);
        if (fenced) full_fence(w, 0, 0, scope::block);
        write_volatile(w.t(0, 0), flag, 4, 0x50);
        read_volatile(w.t(0, reader), flag, 4, 0x60);
        full_fence(w, 0, reader, scope::block);
        read_volatile(w.t(0, reader), data, 4, 0x70);
        CHECK(w.found() == (fenced || reader == 1 ? "" : "missing-fence data"));
      }
}

TEST_CASE("arrays in shared memory are no flags") {
  world w;
  const auto data = w.buffer("data", 8);
  w.launch(1, 64);
  write_volatile(w.t(0, 0), data, 4, 0x40);
  write_volatile(w.t(0, 0), w.tile(0), 4, 0x50);
  read_volatile(w.t(0, 32), w.tile(0), 4, 0x60);
  read_volatile(w.t(0, 32), data, 4, 0x70);
  CHECK(w.found() == "");
}

TEST_CASE("what an instruction polls, and what else it reads of that array, are flags, which need no fence") {
  constexpr std::uintptr_t kNowhere = 0, kElsewhere = 0x68, kThere = 0x70;
  for (const std::uintptr_t polled : {kNowhere, kElsewhere, kThere}) {
    CAPTURE(polled);
    world w;
    const auto data = w.buffer("data", 8), flag = w.buffer("flag", 1, true, kFlagAt);
    w.launch(2, 1);
    if (polled != kNowhere) read_volatile(w.t(1, 0), data + 4, 4, polled);
    write_volatile(w.t(0, 0), data + 4, 4, 0x30);
    write_volatile(w.t(0, 0), data, 4, 0x40);
    write_volatile(w.t(0, 0), flag, 4, 0x50);
    read_volatile(w.t(1, 0), flag, 4, 0x60);
    read_volatile(w.t(1, 0), data, 4, 0x70);
    CHECK(w.found() == (polled == kThere ? "" : "missing-fence data"));
  }
}

TEST_CASE("data and its flag side by side: the flag is polled, the data is handed over") {
  for (const bool fenced : {false, true})
    for (const bool flag_first : {false, true}) {
      CAPTURE(flag_first);
      world w;
      const auto data = w.buffer("box", 2), flag = data + 4;
      w.launch(2, 1);
      if (flag_first) read_volatile(w.t(1, 0), flag, 4, 0x60);
      write_volatile(w.t(0, 0), data, 4, 0x40);
      if (fenced) full_fence(w, 0);
      write_volatile(w.t(0, 0), flag, 4, 0x50);
      read_volatile(w.t(1, 0), flag, 4, 0x60);
      full_fence(w, 1);
      read_volatile(w.t(1, 0), data, 4, 0x70);
      CHECK(w.found() == (fenced ? "" : "missing-fence box"));
    }
}

TEST_CASE("a missing fence of the writer says more than one of the reader") {
  world w;
  const auto data = w.buffer("data", 8), flag = w.buffer("flag", 2, true, kFlagAt);
  w.launch(3, 1);
  for (const int b : {0, 1}) {
    const auto at = static_cast<std::uintptr_t>(b) * 4;
    write_volatile(w.t(b, 0), data + at, 4, 0x40);
    if (b == 0) full_fence(w, b);
    write_volatile(w.t(b, 0), flag + at, 4, 0x50);
    read_volatile(w.t(2, 0), flag + at, 4, 0x60);
    read_volatile(w.t(2, 0), data + at, 4, 0x70);
  }
  CHECK(w.found() == "missing-fence data");
  CHECK(w.d.findings()[0].cause == simt::cause::fence_missing);
  CHECK(w.d.findings()[0].count == 2);
}

TEST_CASE("the host needs the device's fence at system scope") {
  for (const scope s : {scope::device, scope::system}) {
    world w;
    const auto data = w.buffer("data", 8), flag = w.buffer("flag", 1, true, kFlagAt);
    w.launch(1, 1, w.d.new_stream("a"));
    write_volatile(w.t(0, 0), data, 4, 0x40);
    full_fence(w, 0, 0, s);
    write_volatile(w.t(0, 0), flag, 4, 0x50);
    w.end();
    w.d.host_atomic(0, flag, 4, atomic_op::load, order::acquire, 0x60);
    w.d.host_atomic(0, data, 4, atomic_op::load, order::acquire, 0x70);
    CHECK(w.found() == (s == scope::system ? "" : "missing-fence data"));
  }
}
