// SPDX-License-Identifier: Apache-2.0
// An empty folder that goes with everything in it.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <string>

struct scratch_folder {
  std::filesystem::path path;
  scratch_folder() {
    std::string name = (std::filesystem::temp_directory_path() / "simt-unit-XXXXXX").string();
    path = mkdtemp(name.data());
  }
  ~scratch_folder() { std::filesystem::remove_all(path); }
  scratch_folder(const scratch_folder&) = delete;
  scratch_folder& operator=(const scratch_folder&) = delete;
};
