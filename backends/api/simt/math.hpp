// SPDX-License-Identifier: Apache-2.0
// Arithmetic that gives on every backend what a GPU gives. Host and device.
#pragma once

#include <simt/float_math.hpp>
#include <simt/integer_math.hpp>
