// SPDX-License-Identifier: Apache-2.0
// Findings of rules that need no shadow memory: barriers, warps, what the host does with device memory. The same
// defect at the same places is one finding with a count. Thread-safe.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

#include "sim/report/finding.hpp"

namespace simt::check {

class rule_findings {
 public:
  // `key_a`, `key_b`: the code addresses, or other numbers, that tell one defect from another of its rule and object.
  void add(finding f, std::uintptr_t key_a, std::uintptr_t key_b) {
    add(std::move(f), key_a, key_b, [](finding&) {});
  }
  // `complete` gets the finding if it is the first of its kind, for what is dear to find out.
  template <class F>
  void add(finding f, std::uintptr_t key_a, std::uintptr_t key_b, F complete) {
    std::lock_guard lock(mutex_);
    const auto key = std::tuple{f.rule, f.object, key_a, key_b};
    const auto [it, fresh] = all_.try_emplace(key, std::move(f));
    if (fresh)
      complete(it->second);
    else
      ++it->second.count;
  }
  // In a repeatable order.
  std::vector<finding> all() const {
    std::lock_guard lock(mutex_);
    std::vector<finding> list;
    for (const auto& [key, f] : all_) list.push_back(f);
    return list;
  }

 private:
  mutable std::mutex mutex_;
  std::map<std::tuple<rule, std::string, std::uintptr_t, std::uintptr_t>, finding> all_;
};

}  // namespace simt::check
