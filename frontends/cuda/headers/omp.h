// SPDX-License-Identifier: Apache-2.0
// OpenMP for host code: every team has one thread, so the compiler's pragmas have nothing to do and are not needed.
#pragma once

#if defined(_OPENMP)
#include_next <omp.h>
#else
#include <chrono>

typedef int omp_lock_t;
typedef int omp_nest_lock_t;
typedef enum omp_sched_t {
  omp_sched_static = 1,
  omp_sched_dynamic = 2,
  omp_sched_guided = 3,
  omp_sched_auto = 4
} omp_sched_t;
inline void omp_set_num_threads(int) {}
inline int omp_get_num_threads() { return 1; }
inline int omp_get_max_threads() { return 1; }
inline int omp_get_thread_num() { return 0; }
inline int omp_get_num_procs() { return 1; }
inline int omp_in_parallel() { return 0; }
inline void omp_set_dynamic(int) {}
inline int omp_get_dynamic() { return 0; }
inline void omp_set_nested(int) {}
inline int omp_get_nested() { return 0; }
inline int omp_get_level() { return 0; }
inline void omp_set_max_active_levels(int) {}
inline void omp_set_schedule(omp_sched_t, int) {}
inline int omp_get_num_devices() { return 0; }
inline int omp_is_initial_device() { return 1; }
inline double omp_get_wtime() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}
inline double omp_get_wtick() { return 1e-9; }
inline void omp_init_lock(omp_lock_t* l) { *l = 0; }
inline void omp_destroy_lock(omp_lock_t*) {}
inline void omp_set_lock(omp_lock_t* l) { *l = 1; }
inline void omp_unset_lock(omp_lock_t* l) { *l = 0; }
inline int omp_test_lock(omp_lock_t* l) { return *l != 0 ? 0 : *l = 1; }
#endif
