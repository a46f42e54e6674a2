// SPDX-License-Identifier: Apache-2.0
// What host code touched between two events (sim/instrument/host_touches.hpp), against the bytes themselves.
#include <doctest/doctest.h>

#include <map>
#include <random>
#include <set>
#include <tuple>

#include <sim/instrument/host_touches.hpp>
#include <sim/instrument/repeated_touches.hpp>

using namespace simt::sim;

namespace {

using instruction = std::tuple<std::uintptr_t, bool, int>;  // pc, write, stream
using touched_bytes = std::map<instruction, std::set<std::uintptr_t>>;

// Each byte once: no record has it twice.
touched_bytes bytes_of(const std::vector<host_touch>& all) {
  touched_bytes out;
  for (const host_touch& t : all)
    for (std::uintptr_t at = t.from; at < t.to; ++at) CHECK(out[{t.pc, t.write, t.stream}].insert(at).second);
  return out;
}

struct both_ways {
  host_touches touches;
  repeated_touches repeated;
  std::size_t asked = 0;
  touched_bytes bytes;
  bool has_room = true;
  void add(std::uintptr_t address, std::size_t size, bool write, std::uintptr_t pc, int stream = -1) {
    const host_touch t{address, address + size, pc, stream, write};
    const std::uint64_t since = host_touches::generation();
    if (!repeated.holds(t, since)) {
      ++asked;
      has_room = touches.add(address, size, write, pc, stream) && has_room;
      repeated.note(t, since);
    }
    for (std::size_t i = 0; i < size; ++i) bytes[{pc, write, stream}].insert(address + i);
  }
  void check() {
    CHECK(has_room);
    CHECK(bytes_of(touches.take()) == bytes);
    CHECK(touches.take().empty());
    bytes.clear();
  }
};

constexpr std::uintptr_t kArray = 0x100000000, kPc = 0x5000;

}  // namespace

TEST_CASE("accesses here and there are the bytes that they touch") {
  std::mt19937_64 random(1);
  both_ways b;
  for (int round = 0; round < 4; ++round) {
    for (int i = 0; i < 20000; ++i) {
      const std::size_t size = std::size_t{1} << random() % 5;
      b.add(kArray + random() % 60000, size, random() % 2 == 0, kPc + 4 * (random() % 3), random() % 4 == 0 ? 2 : -1);
    }
    b.check();
  }
}

TEST_CASE("what is touched again asks for no lock, until something is forgotten") {
  both_ways b;
  for (int round = 0; round < 3; ++round) {
    b.asked = 0;
    for (int turn = 0; turn < 5; ++turn)
      for (std::uintptr_t i = 0; i < 1000; ++i) b.add(kArray + 8 * i, 8, false, kPc);
    CHECK(b.asked == 1000);
    b.add(kArray, 8, true, kPc);  // another access by the same instruction
    b.add(kArray, 8, false, kPc + 4);
    b.add(kArray, 8, false, kPc, 2);
    b.add(kArray + 4092, 8, false, kPc + 8);  // across pages: asked each time
    b.add(kArray + 4092, 8, false, kPc + 8);
    CHECK(b.asked == 1005);
    b.check();
  }
  // A guess that is taken back is told again.
  b.add(kArray, 4, false, kPc);
  b.touches.drop_guess(kArray, 4, -1);
  b.add(kArray, 4, false, kPc);
  CHECK(b.asked == 1005 + 2);
  b.check();
}

TEST_CASE("the columns of a matrix are one record") {
  constexpr std::uintptr_t kSide = 300;
  both_ways b;
  for (std::uintptr_t x = 0; x < kSide; ++x)
    for (std::uintptr_t y = 0; y < kSide; ++y) b.add(kArray + 4 * (y * kSide + x), 4, false, kPc);
  CHECK(b.has_room);
  CHECK(b.touches.take().size() == 1);
}

TEST_CASE("too many pages ask to be taken, and nothing is lost until they are") {
  both_ways b;
  std::uintptr_t at = kArray;
  while (b.has_room) b.add(at += 5000, 4, true, kPc);
  CHECK(at > kArray + 5000 * std::uintptr_t{touched_pages::kMostPages});
  CHECK(at < kArray + 5000 * std::uintptr_t{touched_pages::kMostPages + 2 * host_touches::kStretches});
  b.has_room = true;
  b.check();
  CHECK(b.touches.lost() == 0);
}

TEST_CASE("the read that a compare-and-swap loop begins with is no access") {
  for (const int before : {0, 1000}) {  // the second in pages
    CAPTURE(before);
    both_ways b;
    for (int i = 0; i < before; ++i) b.add(kArray + 64 * static_cast<std::uintptr_t>(i), 4, true, kPc);
    const std::uintptr_t word = kArray + 128000;
    b.touches.add(word, 4, false, kPc + 8, -1);
    b.touches.drop_guess(word, 4, -1);
    b.check();

    for (int i = 0; i < before; ++i) b.add(kArray + 64 * static_cast<std::uintptr_t>(i), 4, true, kPc);
    b.add(word, 4, false, kPc + 8);
    b.add(word + 128, 4, false, kPc + 8);
    b.touches.drop_guess(word, 4, -1);  // another one came last
    b.add(word, 4, false, kPc + 8);     // not new
    b.touches.drop_guess(word, 4, -1);
    b.add(word + 256, 4, false, kPc + 8);
    b.add(word + 512, 100, true, kPc + 12);
    b.touches.drop_guess(word + 256, 4, -1);  // likewise
    b.check();
  }
}
