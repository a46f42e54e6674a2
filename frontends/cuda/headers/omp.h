// SPDX-License-Identifier: Apache-2.0
// OpenMP for host code: every team has one thread, so the compiler's pragmas have nothing to do and are not needed.
#pragma once

#if defined(_OPENMP)
#include_next <omp.h>
#else
#include <time.h>

// Sources in C include it, too.
#if defined(__cplusplus)
#define SIMT_OMP inline
#define SIMT_OMP_NONE
#else
#define SIMT_OMP static inline
#define SIMT_OMP_NONE void
#endif

typedef int omp_lock_t;
typedef int omp_nest_lock_t;
typedef enum omp_sched_t {
  omp_sched_static = 1,
  omp_sched_dynamic = 2,
  omp_sched_guided = 3,
  omp_sched_auto = 4
} omp_sched_t;
SIMT_OMP void omp_set_num_threads(int n) { (void)n; }
SIMT_OMP int omp_get_num_threads(SIMT_OMP_NONE) { return 1; }
SIMT_OMP int omp_get_max_threads(SIMT_OMP_NONE) { return 1; }
SIMT_OMP int omp_get_thread_num(SIMT_OMP_NONE) { return 0; }
SIMT_OMP int omp_get_num_procs(SIMT_OMP_NONE) { return 1; }
SIMT_OMP int omp_in_parallel(SIMT_OMP_NONE) { return 0; }
SIMT_OMP void omp_set_dynamic(int n) { (void)n; }
SIMT_OMP int omp_get_dynamic(SIMT_OMP_NONE) { return 0; }
SIMT_OMP void omp_set_nested(int n) { (void)n; }
SIMT_OMP int omp_get_nested(SIMT_OMP_NONE) { return 0; }
SIMT_OMP int omp_get_level(SIMT_OMP_NONE) { return 0; }
SIMT_OMP void omp_set_max_active_levels(int n) { (void)n; }
SIMT_OMP void omp_set_schedule(omp_sched_t kind, int chunk) { (void)kind, (void)chunk; }
SIMT_OMP int omp_get_num_devices(SIMT_OMP_NONE) { return 0; }
SIMT_OMP int omp_is_initial_device(SIMT_OMP_NONE) { return 1; }
SIMT_OMP double omp_get_wtime(SIMT_OMP_NONE) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
SIMT_OMP double omp_get_wtick(SIMT_OMP_NONE) { return 1e-9; }
SIMT_OMP void omp_init_lock(omp_lock_t* l) { *l = 0; }
SIMT_OMP void omp_destroy_lock(omp_lock_t* l) { (void)l; }
SIMT_OMP void omp_set_lock(omp_lock_t* l) { *l = 1; }
SIMT_OMP void omp_unset_lock(omp_lock_t* l) { *l = 0; }
SIMT_OMP int omp_test_lock(omp_lock_t* l) { return *l != 0 ? 0 : (*l = 1); }
#undef SIMT_OMP
#undef SIMT_OMP_NONE
#endif
