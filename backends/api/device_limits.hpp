// SPDX-License-Identifier: Apache-2.0
// What every start of a run asks of a device, which is not its name: to know that, the simulator reads a file of the
// system, a fiftieth of what a short run takes.
#pragma once

#include <simt/backend.hpp>

namespace simt::backend {

// As properties(), without the name. Stays as it is; throws as properties() does.
const device_properties& limits(int device);

}  // namespace simt::backend
