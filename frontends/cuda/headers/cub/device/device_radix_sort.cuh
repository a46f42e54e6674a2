// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "../../simt_cuda/cub/block_sort.hpp"
#include "../../simt_cuda/cub/device_sort.hpp"
#include "../../simt_cuda/cub/warp_items.hpp"
