// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <math_functions.h>
