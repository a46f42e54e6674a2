// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "../../simt_cuda/thrust/all.hpp"
