// SPDX-License-Identifier: Apache-2.0
// Who made an access, to what, with which value: the parts of a finding that every check fills the same way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/check/reporter.hpp"

namespace simt::check {

// Where an address lies in the nearest object that has a name.
struct place {
  bool known = false;
  std::string object, type;
  std::vector<std::int64_t> index;
  std::int64_t offset = 0;  // in bytes; negative: in front of it
};
place place_of(const reporter& d, const thread_state& t, std::uintptr_t at);

// One side of a finding: of an access by its agent, block and rank; of the running operation, with its calls.
simt::access side_of(const reporter& d, const launch_state& now, std::uint32_t agent_number, std::uint32_t block,
                     std::uint32_t rank, access_kind kind, std::uintptr_t pc);
simt::access side_here(const reporter& d, const operation& op);

// The value of one number; of structures, and where an access is not one element, nothing that could be trusted.
std::string value_text(std::string type, const void* bytes, std::size_t size);

}  // namespace simt::check
