// SPDX-License-Identifier: Apache-2.0
#include <sim/instrument/block_arithmetic.hpp>

#include <map>
#include <mutex>

namespace simt::sim {

namespace {

struct arithmetic_table {
  std::mutex mutex;
  std::map<std::uintptr_t, std::vector<line_arithmetic>> by_site;
};
arithmetic_table& the_arithmetic() {
  static auto& table = *new arithmetic_table;  // for good: reports are made when the program ends
  return table;
}

}  // namespace

void note_arithmetic(marked_block& b, std::uintptr_t site) {
  arithmetic_table& table = the_arithmetic();
  const std::lock_guard lock(table.mutex);
  __atomic_store_n(&b.site, site, __ATOMIC_RELAXED);
  std::vector<line_arithmetic>& lines = table.by_site[site];
  if (!lines.empty()) return;
  for (std::uint64_t i = 0; i < b.count; ++i) {
    const marked_line& from = b.lines[i];
    line_arithmetic& to = lines.emplace_back(line_arithmetic{from.path, static_cast<int>(from.line), {}});
    for (std::size_t k = 0; k < kArithmeticKinds; ++k) to.operations[k] = from.operations[k];
  }
}

std::vector<line_arithmetic> arithmetic_at(std::uintptr_t site) {
  arithmetic_table& table = the_arithmetic();
  const std::lock_guard lock(table.mutex);
  const auto at = table.by_site.find(site);
  return at == table.by_site.end() ? std::vector<line_arithmetic>{} : at->second;
}

}  // namespace simt::sim
