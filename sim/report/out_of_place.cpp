// SPDX-License-Identifier: Apache-2.0
#include "out_of_place.hpp"

#include <algorithm>

#include "parting_lines.hpp"

namespace simt {

bool is_write_out_of_place(const finding& f) {
  return (f.rule == rule::out_of_bounds || f.rule == rule::misaligned) && !f.accesses.empty() &&
         f.accesses[0].kind != access_kind::read && f.accesses[0].line > 0;
}

bool comes_of_write(const finding& race, const finding& f) {
  if (!is_race(race.rule)) return false;
  const access& written = f.accesses[0];
  const auto it_is = [&](const access& a) {
    return a.kind != access_kind::read && a.line == written.line && of_one_function(a, written);
  };
  const auto thread_is = [&](const access& a) {
    return it_is(a) && a.block == written.block && a.thread == written.thread;
  };
  if (race.object != f.object) return std::ranges::any_of(race.accesses, it_is);
  // Of the same array: an index that goes past a row's end meets the next row before it meets the array's end.
  return std::ranges::all_of(race.accesses, it_is) ||
         (f.rule == rule::misaligned && std::ranges::any_of(race.accesses, thread_is));
}

bool reads_what_is_outside(const finding& read, const finding& written) {
  if (&read == &written || read.cause != written.cause || read.object != written.object || read.accesses.empty() ||
      read.kernel != written.kernel || read.accesses[0].kind != access_kind::read || read.index.size() != 1)
    return false;
  const std::int64_t first = written.index[0];
  return written.index.size() == 1 && first <= read.index[0] && read.index[0] < first + written.count;
}

}  // namespace simt
