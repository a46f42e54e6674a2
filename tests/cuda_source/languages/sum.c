// SPDX-License-Identifier: Apache-2.0
// C, as C++ would not take it: a variable called `class`, memory without a cast; a team of one thread.
#include <omp.h>
#include <stdlib.h>

int sum_in_c(const int *values, int n) {
  int *class = malloc(sizeof *class);
  *class = 0;
  omp_set_num_threads(4);
  if (omp_get_wtime() <= 0) return -1;
#pragma omp parallel for
  for (int i = 0; i < n; ++i) *class += values[i];
  int result = *class * omp_get_max_threads();
  free(class);
  return result;
}
