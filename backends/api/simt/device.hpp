// SPDX-License-Identifier: Apache-2.0
// Devices: list, select, properties. Host only.
#pragma once

#include <simt/backend.hpp>

namespace simt {

class device {
 public:
  // The selected device of this process.
  static device current() { return device(backend::selected_device()); }
  static std::vector<device> list() {
    std::vector<device> all;
    for (int i = 0; i < backend::device_count(); ++i) all.push_back(device(i));
    return all;
  }
  explicit device(int ordinal) : ordinal_(ordinal) {}

  int ordinal() const { return ordinal_; }
  // Makes this the device of all later calls. Throws if there is no such device.
  void select() const { backend::select_device(ordinal_); }
  device_properties properties() const { return backend::properties(ordinal_); }
  std::string name() const { return properties().name; }
  int warp_size() const { return properties().warp_size; }

 private:
  int ordinal_;
};

// Waits until the selected device has done everything that was asked of it; throws what a kernel left behind.
inline void synchronize() { backend::synchronize_device(); }

}  // namespace simt
