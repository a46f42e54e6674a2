// SPDX-License-Identifier: Apache-2.0
// Launch options for the time of a scope, and the message of a launch that must fail.
#pragma once

#include <string>

#include <sim/exec/launch.hpp>
#include <simt/simt.hpp>

namespace engine_tests {

class launch_settings {
 public:
  explicit launch_settings(simt::sim::launch_options o) { simt::sim::set_launch_options(o); }
  ~launch_settings() { simt::sim::set_launch_options({}); }
  launch_settings(const launch_settings&) = delete;
  launch_settings& operator=(const launch_settings&) = delete;
};

// The error of `body`, as "kind: message"; empty if it ends well.
template <class F>
std::string error_of(F body, simt::error_kind wanted) {
  try {
    body();
  } catch (const simt::error& e) {
    return (e.kind() == wanted ? "" : "wrong kind " + std::to_string(static_cast<int>(e.kind())) + ": ") + e.what();
  }
  return {};
}

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace engine_tests
