// SPDX-License-Identifier: Apache-2.0
// What every header <cub/...> gives.
#pragma once
#include "block_neighbours.hpp"
#include "block_runs.hpp"
#include "block_sort.hpp"
#include "device_each.hpp"
#include "device_histogram.hpp"
#include "device_merge.hpp"
#include "device_select.hpp"
#include "device_sort.hpp"
#include "grid.hpp"
#include "warp_items.hpp"
#include "words.hpp"
