// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cusparse.h>
#define CUSPARSE_V2_H_
