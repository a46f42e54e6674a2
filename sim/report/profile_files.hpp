// SPDX-License-Identifier: Apache-2.0
// What `simrun profile` has counted, as files: JSON (simrun-profile/1, docs/profile.schema.json) and one HTML page.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "profile_data.hpp"

namespace simt {

struct profile_document {
  std::string program;
  std::vector<profiled_kernel> kernels;
  std::vector<std::string> notes;
  bool partial = false;
};

std::string json_profile(const profile_document& p);
// The way back, of what --compare needs: kernels and their counters. Throws profile_error with what is wrong.
struct profile_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};
std::vector<profiled_kernel> profile_from_json(std::string_view text);

std::string html_profile(const profile_document& p);

}  // namespace simt
