// SPDX-License-Identifier: Apache-2.0
// Conditions of barrier-free kernels that become bounds of the loop over threads (sim/compile/loop_bounds.hpp): indices
// of all types, near the ends of their range, too, where they wrap within a row. Each element says whether its thread
// passed; the host asks the same of one number at a time.
#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include <simt/simt.hpp>

namespace {

constexpr int kThreads = 100, kBlocks = 3, kAll = kThreads * kBlocks;

// `before` and the thread's place, with a wrap.
template <class T>
SIMT_DEVICE T index_of(T before, unsigned place) {
  return static_cast<T>(static_cast<std::make_unsigned_t<T>>(before) + place);
}
enum class question { below, at_most, above, at_least, is, between, out_of };
template <question Q, class T>
SIMT_DEVICE bool passes(T i, T low, T high) {
  switch (Q) {
    case question::below:
      return i < high;
    case question::at_most:
      return i <= high;
    case question::above:
      return i > low;
    case question::at_least:
      return i >= low;
    case question::is:
      return i == high;
    case question::between:
      return i >= low && i < high;
    default:
      return !(i < high) && i != low;
  }
}

// What a thread leaves: its index as the kernel sees it, widened.
template <class T, class Wide, question Q>
SIMT_DEVICE void mark(simt::thread t, T before, Wide more, Wide low, Wide high, std::int64_t* out) {
  const unsigned place = static_cast<unsigned>(t.block_idx().x) * static_cast<unsigned>(t.block_dim().x) +
                         static_cast<unsigned>(t.thread_idx().x);
  const T i = index_of<T>(before, place);
  if (passes<Q, Wide>(static_cast<Wide>(static_cast<Wide>(i) + more), low, high))
    out[place] = static_cast<std::int64_t>(i) * 3 + 1;
}
template <class T, class Wide>
struct numbers {
  T before;
  Wide more, low, high;
};
template <class T, class Wide, question Q>
[[gnu::noinline]] std::int64_t expected(const void* of, unsigned place) {
  const auto& n = *static_cast<const numbers<T, Wide>*>(of);
  const T i = index_of<T>(n.before, place);
  return passes<Q, Wide>(static_cast<Wide>(static_cast<Wide>(i) + n.more), n.low, n.high)
             ? static_cast<std::int64_t>(i) * 3 + 1
             : -7;
}
template <class T, class Wide, question Q>
void launch_mark(const void* of, std::int64_t* out) {
  const auto& n = *static_cast<const numbers<T, Wide>*>(of);
  simt::launch<mark<T, Wide, Q>>({.grid = kBlocks, .block = kThreads}, n.before, n.more, n.low, n.high, out);
}

// One function for the numbers of all types and questions: seventy copies of it took most of the time to compile.
void compare_with(const void* numbers, void (*launch)(const void*, std::int64_t*),
                  std::int64_t (*expect)(const void*, unsigned), std::int64_t before, std::int64_t more,
                  std::int64_t high) {
  CAPTURE(before);
  CAPTURE(more);
  CAPTURE(high);
  auto out = simt::to_device(std::vector<std::int64_t>(kAll, -7), "out");
  launch(numbers, out.view().data_handle());
  std::vector<std::int64_t> wanted(kAll);
  for (unsigned place = 0; place < kAll; ++place) wanted[place] = expect(numbers, place);
  CHECK(out.to_host() == wanted);
}
template <class T, class Wide, question Q>
void compare(T before, Wide more, Wide low, Wide high) {
  const numbers<T, Wide> n{before, more, low, high};
  compare_with(&n, launch_mark<T, Wide, Q>, expected<T, Wide, Q>, static_cast<std::int64_t>(before),
               static_cast<std::int64_t>(more), static_cast<std::int64_t>(high));
}

// Limits around the index's beginning, its ends, and the ends of its type.
template <class T, class Wide, question Q>
void compare_all() {
  const T least = std::numeric_limits<T>::min(), most = std::numeric_limits<T>::max();
  std::vector<T> begins = {0,
                           5,
                           most,
                           static_cast<T>(most - 1),
                           static_cast<T>(most - 150),
                           static_cast<T>(most - 299),
                           least,
                           static_cast<T>(least + 20),
                           static_cast<T>(0 - 120)};
  for (const T before : begins)
    for (const Wide more : {Wide{0}, static_cast<Wide>(-40)}) {
      if (std::is_same_v<T, Wide> && more != 0) continue;
      for (const int from_begin : {-1, 0, 1, 100, 180, 299, 300, 400}) {
        const auto limit = static_cast<Wide>(static_cast<Wide>(before) + more + static_cast<Wide>(from_begin));
        compare<T, Wide, Q>(before, more, static_cast<Wide>(limit - 60), limit);
      }
      compare<T, Wide, Q>(before, more, std::numeric_limits<Wide>::min(), std::numeric_limits<Wide>::max());
      compare<T, Wide, Q>(before, more, std::numeric_limits<Wide>::max(), std::numeric_limits<Wide>::min());
      compare<T, Wide, Q>(before, more, Wide{0}, Wide{7});
    }
}
template <question Q>
void compare_types() {
  compare_all<int, int, Q>();
  compare_all<unsigned, unsigned, Q>();
  compare_all<std::int64_t, std::int64_t, Q>();
  compare_all<std::uint64_t, std::uint64_t, Q>();
  compare_all<int, std::int64_t, Q>();
  compare_all<unsigned, std::uint64_t, Q>();
  compare_all<unsigned, std::int64_t, Q>();
  compare_all<int, std::uint64_t, Q>();
  compare_all<std::int16_t, int, Q>();
  compare_all<std::uint8_t, int, Q>();
}

TEST_CASE("guards from above as bounds") {
  compare_types<question::below>();
  compare_types<question::at_most>();
}
TEST_CASE("guards from below as bounds") {
  compare_types<question::above>();
  compare_types<question::at_least>();
}
TEST_CASE("several guards, and equality, as bounds") {
  compare_types<question::is>();
  compare_types<question::between>();
  compare_types<question::out_of>();
}

}  // namespace
