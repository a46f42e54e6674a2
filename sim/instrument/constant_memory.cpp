// SPDX-License-Identifier: Apache-2.0
// Which addresses hold constants of the program (string literals, tables): a compiler puts those into device code too.
#include <link.h>

#include <algorithm>
#include <mutex>
#include <vector>

#include <sim/instrument/access_cursor.hpp>

namespace simt::sim {

namespace {
struct segment {
  std::uintptr_t first, last;
};
// Read-only segments, and those that become so after relocation, of everything loaded.
std::vector<segment> read_only_segments() {
  std::vector<segment> found;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* out) {
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const auto& h = info->dlpi_phdr[i];
          if ((h.p_type == PT_LOAD && !(h.p_flags & PF_W)) || h.p_type == PT_GNU_RELRO)
            static_cast<std::vector<segment>*>(out)->push_back(
                {info->dlpi_addr + h.p_vaddr, info->dlpi_addr + h.p_vaddr + h.p_memsz});
        }
        return 0;
      },
      &found);
  std::sort(found.begin(), found.end(), [](const segment& a, const segment& b) { return a.first < b.first; });
  return found;
}
}  // namespace

// References to device variables of CUDA source (frontends/cuda): bound before main and never written again.
extern "C" {
extern const char __start_simt_refs[] __attribute__((weak, visibility("hidden")));
extern const char __stop_simt_refs[] __attribute__((weak, visibility("hidden")));
}

namespace {
std::mutex mutex;
std::vector<segment> segments, references;  // references: of modules of CUDA source
}  // namespace

void add_references(const void* first, const void* last) {
  std::lock_guard lock(mutex);
  references.push_back({reinterpret_cast<std::uintptr_t>(first), reinterpret_cast<std::uintptr_t>(last)});
}

bool is_constant_memory(std::uintptr_t address) {
  std::lock_guard lock(mutex);
  const auto holds = [&] {
    return std::any_of(segments.begin(), segments.end(),
                       [&](const segment& s) { return address >= s.first && address < s.last; });
  };
  if (__start_simt_refs != nullptr && address - reinterpret_cast<std::uintptr_t>(__start_simt_refs) <
                                          static_cast<std::uintptr_t>(__stop_simt_refs - __start_simt_refs))
    return true;
  for (const segment& s : references)
    if (address >= s.first && address < s.last) return true;
  if (holds()) return true;
  if (address < 65536) return false;
  segments = read_only_segments();  // a module may have been loaded since
  return holds();
}

}  // namespace simt::sim
