// SPDX-License-Identifier: Apache-2.0
// C, as C++ would not take it: a variable called `class`, memory without a cast.
#include <stdlib.h>

int sum_in_c(const int *values, int n) {
  int *class = malloc(sizeof *class);
  *class = 0;
  for (int i = 0; i < n; ++i) *class += values[i];
  int result = *class;
  free(class);
  return result;
}
