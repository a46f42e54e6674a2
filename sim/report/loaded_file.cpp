// SPDX-License-Identifier: Apache-2.0
#include "loaded_file.hpp"

#include <link.h>

namespace simt {

loaded_file file_at(std::uintptr_t address) {
  loaded_file found{address};
  ::dl_iterate_phdr(
      [](dl_phdr_info* o, std::size_t, void* to) {
        auto& f = *static_cast<loaded_file*>(to);
        for (int i = 0; i < o->dlpi_phnum; ++i) {
          const auto& segment = o->dlpi_phdr[i];
          if (segment.p_type != PT_LOAD || f.address - (o->dlpi_addr + segment.p_vaddr) >= segment.p_memsz) continue;
          f.path = o->dlpi_name[0] != 0 ? o->dlpi_name : "/proc/self/exe";
          f.bias = o->dlpi_addr;
          return 1;
        }
        return 0;
      },
      &found);
  return found;
}

}  // namespace simt
