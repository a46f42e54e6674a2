// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "../../../simt_cuda/cub/all.hpp"
