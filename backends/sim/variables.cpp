// SPDX-License-Identifier: Apache-2.0
#include <backends/sim/variables.hpp>

#include <cstring>
#include <vector>

#include <sim/memory/device_memory.hpp>
#include <simt/backend.hpp>

namespace simt::sim {

namespace {

struct placed {
  void* address;
  const void* image;
  std::size_t bytes;
};
// Variables are bound before main, of any file first.
std::vector<placed>& all_placed() {
  static auto* const all = new std::vector<placed>;
  return *all;
}

}  // namespace

void* place_variable(const void* image, std::size_t bytes, const variable_label& label) {
  memory_label told{label.name, label.type, label.element_bytes, {}};
  for (int i = 0; i < label.rank; ++i) told.extents.push_back(static_cast<std::int64_t>(label.extents[i]));
  if (label.rank == 0) told.extents.push_back(1);
  void* const p = backend::allocate(bytes, told);
  mark_variable(p);
  backend::copy(p, image, bytes, copy_kind::host_to_device, 0, true);
  all_placed().push_back({p, image, bytes});
  return p;
}

void reset_variables() {
  for (const placed& v : all_placed()) std::memcpy(v.address, v.image, v.bytes);
}

}  // namespace simt::sim

namespace simt::backend {

// A variable's name is its place on the device already.
void* variable_address(const void* variable) { return const_cast<void*>(variable); }

}  // namespace simt::backend
