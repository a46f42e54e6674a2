// SPDX-License-Identifier: Apache-2.0
// What the two sources of in_c.c call of each other.
#pragma once

void scale(float* values, int count, float factor);
int times_seven(int x);
