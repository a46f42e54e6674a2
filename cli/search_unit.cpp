// SPDX-License-Identifier: Apache-2.0
#include "search_unit.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/report/counted.hpp"

namespace simt::cli {
namespace {

// Threads of a launch. Beyond, the choices where a thread ends are too many for any bound.
constexpr std::int64_t kMostByThread = 256, kMostByWarp = 8'192;

}  // namespace

search_unit::search_unit(const std::string& asked) : asked_(!asked.empty()) {
  if (asked == "warp") now_ = schedule_unit::warp;
  if (asked == "block") now_ = schedule_unit::block;
}

bool search_unit::learn(std::int64_t threads, std::int64_t units) {
  threads_ = std::max(threads_, threads);
  units_ = std::max(units_, units);
  const schedule_unit suits = threads_ > kMostByWarp     ? schedule_unit::block
                              : threads_ > kMostByThread ? schedule_unit::warp
                                                         : schedule_unit::thread;
  if (asked_ || suits == now_) return false;
  now_ = suits;
  units_ = 0;
  return true;
}

std::string search_unit::text() const {
  if (now_ == schedule_unit::thread) return counted(threads_, "thread", kCommas);
  const char* const name = now_ == schedule_unit::warp ? "warp" : "block";
  return fmt::format("{} ({} threads; of each {} the first that can go on does)", counted(units_, name, kCommas),
                     with_commas(threads_), name);
}

}  // namespace simt::cli
