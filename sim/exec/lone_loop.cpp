// SPDX-License-Identifier: Apache-2.0
#include <sim/exec/lone_loop.hpp>

#include <ctime>

#include <algorithm>
#include <cstring>

#include <sim/exec/fiber.hpp>
#include <sim/exec/machine_context.hpp>

namespace simt::sim {

namespace {
constexpr int kEnoughRounds = 25;            // times that it must have come back
constexpr std::int64_t kOwnTime = 500'000;   // nanoseconds that it must have run between two looks
constexpr std::ptrdiff_t kBelowStack = 128;  // below the stack pointer, of functions that call nobody

std::int64_t processor_time() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return t.tv_sec * 1'000'000'000 + t.tv_nsec;
}
}  // namespace

bool lone_loop::is_endless(const ucontext_t& context, const fiber& f, std::uint64_t steps) {
  if (steps != steps_) forget();
  steps_ = steps;
  const std::int64_t now = processor_time();
  if (now - looked_ < kOwnTime) return false;
  looked_ = now;
  std::uint64_t mark = static_cast<std::uint64_t>(f.thread.rank) + 1;
  const auto mix = [&mark](const void* piece, std::size_t bytes) {
    const auto* at = static_cast<const char*>(piece);
    for (std::uint64_t word; bytes >= sizeof word; at += sizeof word, bytes -= sizeof word) {
      std::memcpy(&word, at, sizeof word);
      mark = (mark ^ word) * 0x9E3779B97F4A7C15ULL, mark ^= mark >> 29;
    }
  };
  if (!each_register(context, mix)) return false;
  const char* const low = reinterpret_cast<const char*>(sp_of(context)) - kBelowStack;
  const auto* const high = reinterpret_cast<const char*>(f.stack_high);
  if (low >= high) return false;
  mix(low, static_cast<std::size_t>(high - low));
  const auto end = marks_.begin() + static_cast<std::ptrdiff_t>(kept_);
  if (std::find(marks_.begin(), end, mark) != end) return ++came_back_ >= kEnoughRounds;
  marks_[next_++ % marks_.size()] = mark;
  kept_ = std::min(next_, marks_.size());
  return false;
}

}  // namespace simt::sim
