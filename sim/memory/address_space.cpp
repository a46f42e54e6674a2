// SPDX-License-Identifier: Apache-2.0
#include <sim/memory/address_space.hpp>

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include <sim/memory/shared_memory.hpp>

namespace simt::sim {

namespace {

constexpr std::size_t kGiB = std::size_t{1} << 30;
constexpr std::size_t kLeastGiB = 16;
// The detector's cells take 4 times what they shadow, its rows half of it (cells.hpp, row_summary.hpp): with the memory
// itself 5.5 times. So an eighth of the limit leaves 3 tenths of it for code, stacks and the host's own data.
constexpr std::size_t kPartOfLimit = 8;
// The largest cooperative grid: 132 multiprocessors with 32 blocks each. One worker may have to hold all of it.
constexpr int kBlocksOfGrid = 132 * 32;
constexpr std::size_t kLeastDevice = std::size_t{256} << 20;

// Bytes; 0: the variable is not set.
std::size_t limit_from_environment() {
  const char* const text = std::getenv("SIMT_ADDRESS_SPACE");
  if (text == nullptr || *text == 0) return 0;
  char* end = nullptr;
  const unsigned long long value = std::strtoull(text, &end, 10);
  if (*text < '0' || *text > '9' || *end != 0 || value < kLeastGiB || value > SIZE_MAX / kGiB) {
    std::fprintf(stderr, "simt: SIMT_ADDRESS_SPACE must be a number of GiB, at least %zu, got '%s'\n", kLeastGiB, text);
    // Not _Exit: the runtime of CUDA source makes its report there, and asks for this plan again.
    ::syscall(SYS_exit_group, 2);
  }
  return value * kGiB;
}

// What `ulimit -v` leaves to this process; 0: no limit.
std::size_t limit_of_system() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return 0;
  unsigned long long pages = 0;
  if (std::FILE* const f = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(f, "%llu", &pages) != 1) pages = 0;
    std::fclose(f);
  }
  const std::size_t used = pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return limit.rlim_cur > used ? limit.rlim_cur - used : 1;
}

}  // namespace

reservation_plan reservations_within(std::size_t limit) {
  const std::size_t memory = std::max(limit, kLeastGiB * kGiB) / kPartOfLimit;
  constexpr std::size_t kWorkerBytes = kSharedSlotBytes * kBlocksOfGrid;
  reservation_plan plan;
  plan.shared_slots_per_worker = kBlocksOfGrid;
  plan.shared_workers = static_cast<int>(std::clamp<std::size_t>(memory / 2 / kWorkerBytes, 1, plan.shared_workers));
  const std::size_t shared = static_cast<std::size_t>(plan.shared_workers) * kWorkerBytes;
  plan.device_bytes = std::clamp(memory - std::min(memory, shared), kLeastDevice, plan.device_bytes);
  plan.limited = true;
  return plan;
}

const reservation_plan& reservations() {
  static const reservation_plan plan = [] {
    const std::size_t asked = limit_from_environment(), system = limit_of_system();
    const std::size_t limit = asked == 0 || (system != 0 && system < asked) ? system : asked;
    const reservation_plan whole;
    const std::size_t needed =
        kPartOfLimit * (whole.device_bytes + kSharedSlotBytes * static_cast<std::size_t>(whole.shared_workers) *
                                                 static_cast<std::size_t>(whole.shared_slots_per_worker));
    return limit == 0 || limit >= needed ? whole : reservations_within(limit);
  }();
  return plan;
}

}  // namespace simt::sim
