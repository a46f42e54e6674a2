// SPDX-License-Identifier: Apache-2.0
// thrust::mr.
#pragma once

#include <thrust/device_vector.h>

#include "../../simt_cuda/thrust/memory_resources.hpp"
