// SPDX-License-Identifier: Apache-2.0
// What the dynamic loader has put around an address.
#pragma once

#include <cstdint>
#include <string>

namespace simt {

struct loaded_file {
  std::uintptr_t address = 0;
  std::string path{};  // empty: nothing
  std::uintptr_t bias = 0;
};

// The loader is asked rather than /proc/self/maps, where a file that libelf reads looks like the module itself.
loaded_file file_at(std::uintptr_t address);

}  // namespace simt
