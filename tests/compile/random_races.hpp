// SPDX-License-Identifier: Apache-2.0
// What random_races.py and random_races.cpp share: host functions that launch one random kernel each.
#pragma once

#include <vector>

#include <simt/simt.hpp>

namespace random_races {

struct launcher {
  const char* name;
  void (*run)();
};

const std::vector<launcher>& all();

}  // namespace random_races
