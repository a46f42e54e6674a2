// SPDX-License-Identifier: Apache-2.0
// The host API and all that kernels use.
#pragma once

#include <simt/buffer.hpp>
#include <simt/device.hpp>
#include <simt/error.hpp>
#include <simt/graph.hpp>
#include <simt/host_memory.hpp>
#include <simt/kernel.hpp>
#include <simt/launch.hpp>
#include <simt/launch_each.hpp>
#include <simt/occupancy.hpp>
#include <simt/stream.hpp>
#include <simt/variable.hpp>
#include <simt/view.hpp>
