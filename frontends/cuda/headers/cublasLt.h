// SPDX-License-Identifier: Apache-2.0
// cuBLASLt: products with biases, functions and scales. Matrices in columns or rows; a call is a kernel of one thread.
#pragma once

#include "simt_cuda/hide_names.hpp"

#include "simt_cuda/blas/lt_products.hpp"

#include "simt_cuda/restore_names.hpp"
