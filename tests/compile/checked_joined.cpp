// SPDX-License-Identifier: Apache-2.0
// Checked loops of neighbouring blocks that run as one (launch_state::joined): what they leave and what is found is
// what fibers leave and find, with the threads' own names; kernels that can tell blocks apart run block by block.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include <sim/exec/launch.hpp>
#include <simt/atomic_ref.hpp>
#include <simt/buffer.hpp>
#include <simt/check.hpp>
#include <simt/launch.hpp>
#include <simt/simt.hpp>

namespace {

constexpr int kWidth = 64, kHeight = 12, kElements = kWidth * kHeight, kNone = -1;

SIMT_DEVICE int place_of(simt::thread t) {
  return static_cast<int>(t.block_idx().x * t.block_dim().x + t.thread_idx().x);
}
SIMT_DEVICE int row_of(simt::thread t) {
  return static_cast<int>(t.block_idx().y * t.block_dim().y + t.thread_idx().y);
}

// `at`: the element that its thread and another one write; none where there is no such element.
SIMT_DEVICE void of_line(simt::thread t, simt::view<int> out, int n, int at) {
  const int i = place_of(t);
  if (i >= n) return;
  out[i] = 3 * i + 1;
  if (i + 1 == at) out[i + 1] = 7;
}
SIMT_DEVICE void of_plane(simt::thread t, simt::view<int> out, int n, int at) {
  const int x = place_of(t), y = row_of(t);
  if (x >= kWidth || y >= n / kWidth) return;
  out[y * kWidth + x] += x + y;
  if (y * kWidth + x + 1 == at) out[y * kWidth + x + 1] = 7;
}
// What a neighbour reads.
SIMT_DEVICE void of_readers(simt::thread t, simt::view<int> out, int n, int at) {
  const int i = place_of(t);
  if (i >= n) return;
  int more = 0;
  if (i + 1 == at) more = out[i + 1];
  out[i] = 2 * i + more;
}
SIMT_DEVICE void of_grid(simt::thread t, simt::view<int> out, int n, int at) {
  const auto stride = static_cast<int>(t.grid_dim().x * t.block_dim().x);
  for (int i = place_of(t); i < n; i += stride) {
    out[i] += i;
    if (i + 1 == at) out[i + 1] = 7;
  }
}
SIMT_DEVICE void of_width(simt::thread t, simt::view<int> out, int n, int at) {
  const int i = place_of(t);
  if (i < n) out[i] = static_cast<int>(t.block_dim().x) + at;
}
SIMT_DEVICE void of_number(simt::thread t, simt::view<int> out, int n, int at) {
  const int i = place_of(t);
  if (i < n) out[i] = static_cast<int>(t.block_idx().x) + at;
}
SIMT_DEVICE void of_threads(simt::thread t, simt::view<int> out, int n, int at) {
  const int i = place_of(t);
  if (i < n) out[i] = static_cast<int>(t.thread_idx().x) + at;
}
SIMT_DEVICE void of_count(simt::thread t, simt::view<int> out, int n, int at) {
  const int i = place_of(t);
  if (i < n) out[i] = static_cast<int>(t.grid_dim().x) + at;
}
// Updates that blocks see only if they are of the same block.
SIMT_DEVICE void of_blocks_apart(simt::thread t, simt::view<int> out, int n, int at) {
  const int i = place_of(t);
  if (i < n)
    simt::atomic_ref<int, simt::scope::block>(t, out[at < 0 ? i : 0]).fetch_add(1, simt::memory_order::relaxed);
}
// Memory that each block has of its own.
SIMT_DEVICE void of_shared(simt::thread t, simt::view<int> out, int n, int at) {
  auto& s = t.shared<"s", int[32]>();
  const int i = place_of(t);
  if (i >= n) return;
  s[i & 31] = 5 * i;
  out[i] = s[i & 31] + at;
}

struct shape {
  simt::dim3 grid, block;
};
using launcher = void (*)(const simt::launch_config& config, simt::view<int> out, int n, int at);
template <auto Kernel>
void launch(const simt::launch_config& config, simt::view<int> out, int n, int at) {
  simt::launch<Kernel>(config, out, n, at);
}

struct outcome {
  std::vector<int> left;
  std::vector<std::string> found;
  std::int64_t joined = 1;
};
std::string name_of(const simt::access& a) {
  const auto triple = [](const simt::index3& i) {
    return "(" + std::to_string(i.x) + "," + std::to_string(i.y) + "," + std::to_string(i.z) + ")";
  };
  return std::to_string(static_cast<int>(a.kind)) + ":" + std::to_string(a.line) + triple(a.block) + triple(a.thread);
}
outcome run(launcher launch, const shape& s, int n, int at, const char* execution, int workers = 1) {
  simt::check_options o;
  o.execution = execution;
  o.workers = workers;
  outcome r;
  const auto found = simt::check(o, [&] {
    auto out = simt::to_device(std::vector<int>(kElements, 5), "out");
    // Of a kernel's first launch the first blocks run one by one.
    for (int i = 0; i < 3; ++i) launch({.grid = s.grid, .block = s.block}, out.view(), n, i == 2 ? at : kNone);
    r.joined = simt::sim::last_launch_execution().joined;
    r.left = out.to_host();
  });
  for (const simt::finding& f : found) {
    std::vector<std::string> sides;
    for (const simt::access& a : f.accesses) sides.push_back(name_of(a));
    std::sort(sides.begin(), sides.end());
    std::string text = std::to_string(static_cast<int>(f.cause));
    for (const std::string& side : sides) text += " " + side;
    r.found.push_back(text);
  }
  return r;
}

std::string together(const std::vector<std::string>& all) {
  std::string text;
  for (const std::string& one : all) text += one + "; ";
  return text;
}

bool is_among(const std::string& one, const std::vector<std::string>& all) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

// joined: how many blocks are to run as one.
void same_on_both(launcher launch, const shape& s, std::int64_t joined, const std::vector<int>& places) {
  CAPTURE(s.block.x);
  CAPTURE(s.grid.x);
  for (const int n : {kElements, kElements - 5}) {
    const outcome loops = run(launch, s, n, kNone, "auto"), fibers = run(launch, s, n, kNone, "fibers");
    CHECK(together(loops.found) == "");
    CHECK(together(fibers.found) == "");
    CHECK(loops.left == fibers.left);
    CHECK(run(launch, s, n, kNone, "auto", 3).left == fibers.left);
#if defined(SIMT_LOOPS)
    CHECK(loops.joined == joined);
#endif
    CHECK(fibers.joined == 1);
  }
  for (const int at : places) {
    CAPTURE(at);
    const outcome loops = run(launch, s, kElements, at, "auto"), fibers = run(launch, s, kElements, at, "fibers");
    CHECK_FALSE(fibers.found.empty());
    // Rows of a group run one after the other: threads of its blocks may have gone on in another order.
    for (const std::string& one : fibers.found) CHECK_MESSAGE(is_among(one, loops.found), one, together(loops.found));
    if (s.block.y == 1) CHECK(together(loops.found) == together(fibers.found));
    CHECK_FALSE(run(launch, s, kElements, at, "auto", 3).found.empty());
  }
  (void)joined;
}

}  // namespace

TEST_CASE("joined blocks: threads of one block, of one group, and of two groups race as on fibers") {
  // Blocks of 32: the first, within a block, at its border, at that of a group of 16 or 32 blocks, in the rest.
  const std::vector<int> places{1, 5, 32, 33, 64, 128, 256, 511, 512, 640, 736, 766};
  for (const launcher l : {launch<of_line>, launch<of_readers>}) {
    same_on_both(l, {24, 32}, 16, places);
    same_on_both(l, {3, 256}, 2, places);
    same_on_both(l, {1, 768}, 1, places);
    same_on_both(l, {59, 13}, 32, places);
  }
}

TEST_CASE("joined blocks: rows and planes") {
  const std::vector<int> places{1, 8, 16, 32, 63, 65, 72, 200, 511, 640};
  same_on_both(launch<of_plane>, {{8, 3}, {8, 4}}, 8, places);
  same_on_both(launch<of_plane>, {{5, 12}, {13, 1}}, 4, places);
  same_on_both(launch<of_plane>, {{2, 2}, {32, 6}}, 2, places);
  same_on_both(launch<of_plane>, {{13, 6}, {5, 2}}, 8, places);
}

TEST_CASE("joined blocks: strides of the grid need groups that are all alike") {
  const std::vector<int> places{1, 32, 64, 70, 256, 300, 512, 767};
  same_on_both(launch<of_grid>, {8, 32}, 8, places);
  same_on_both(launch<of_grid>, {6, 32}, 2, places);
  same_on_both(launch<of_grid>, {5, 32}, 1, places);
}

TEST_CASE("joined blocks: kernels that can tell blocks apart run block by block") {
  for (const launcher l :
       {launch<of_width>, launch<of_number>, launch<of_threads>, launch<of_count>, launch<of_shared>})
    same_on_both(l, {24, 32}, 1, {});
  const outcome loops = run(launch<of_blocks_apart>, {24, 32}, kElements, 0, "auto"),
                fibers = run(launch<of_blocks_apart>, {24, 32}, kElements, 0, "fibers");
  CHECK(loops.joined == 1);
  CHECK_FALSE(fibers.found.empty());
  CHECK_FALSE(loops.found.empty());
}
