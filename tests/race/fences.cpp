// SPDX-License-Identifier: Apache-2.0
// Pairs: fences, orders and scopes, between blocks and beside the host.
#include <simt/host_memory.hpp>

#include "suite.hpp"

namespace {
using simt::launch_config, simt::memory_order, simt::scope, simt::synchronize, simt::thread, simt::view;
using suite::zeros;

constexpr const char* kFence = "fences, orders, scopes";

// Message passing: block 0 writes data and raises a flag, block 1 waits for the flag and reads.
template <bool Defect>
SIMT_DEVICE void message(thread t, view<int> data, view<int> flag, view<int> out) {
  if (t.block_idx().x == 0) {
    data[0] = 42;
    if constexpr (!Defect) t.threadfence();
    t.atomic_exch(flag[0], 1);
  } else {
    while (t.atomic_load(flag[0]) == 0) {
    }
    t.threadfence();
    out[0] = data[0];
  }
}
PAIR(message_without_writer_fence, kFence, race_global, "data") {
  auto d = zeros<int>(1, "data"), f = zeros<int>(1, "flag"), o = zeros<int>(1, "out");
  TWIN(message, (launch_config{2, 1}), d, f, o);
}

template <bool Defect>
SIMT_DEVICE void message_reader(thread t, view<int> data, view<int> flag, view<int> out) {
  if (t.block_idx().x == 0) {
    data[0] = 42;
    t.threadfence();
    t.atomic_exch(flag[0], 1);
  } else {
    while (t.atomic_load(flag[0]) == 0) {
    }
    if constexpr (!Defect) t.threadfence();
    out[0] = data[0];
  }
}
PAIR(message_without_reader_fence, kFence, race_global, "data") {
  auto d = zeros<int>(1, "data"), f = zeros<int>(1, "flag"), o = zeros<int>(1, "out");
  TWIN(message_reader, (launch_config{2, 1}), d, f, o);
}

template <bool Defect>
SIMT_DEVICE void message_scope(thread t, view<int> data, view<int> flag, view<int> out) {
  if (t.block_idx().x == 0) {
    data[0] = 42;
    if constexpr (Defect)
      t.threadfence_block();
    else
      t.threadfence();
    t.atomic_exch(flag[0], 1);
  } else {
    while (t.atomic_load(flag[0]) == 0) {
    }
    t.threadfence();
    out[0] = data[0];
  }
}
PAIR(fence_of_block_scope, kFence, race_scope, "data") {
  auto d = zeros<int>(1, "data"), f = zeros<int>(1, "flag"), o = zeros<int>(1, "out");
  TWIN(message_scope, (launch_config{2, 1}), d, f, o);
}

template <bool Defect>
SIMT_DEVICE void message_order(thread t, view<int> data, view<int> flag, view<int> out) {
  if (t.block_idx().x == 0) {
    data[0] = 42;
    t.atomic_store(flag[0], 1, Defect ? memory_order::relaxed : memory_order::release);
  } else {
    while (t.atomic_load(flag[0], memory_order::acquire) == 0) {
    }
    out[0] = data[0];
  }
}
PAIR(relaxed_store_of_the_flag, kFence, race_global, "data") {
  auto d = zeros<int>(1, "data"), f = zeros<int>(1, "flag"), o = zeros<int>(1, "out");
  TWIN(message_order, (launch_config{2, 1}), d, f, o);
}

template <bool Defect>
SIMT_DEVICE void message_acquire(thread t, view<int> data, view<int> flag, view<int> out) {
  if (t.block_idx().x == 0) {
    data[0] = 42;
    t.atomic_store(flag[0], 1, memory_order::release);
  } else {
    while (t.atomic_load(flag[0], Defect ? memory_order::relaxed : memory_order::acquire) == 0) {
    }
    out[0] = data[0];
  }
}
PAIR(relaxed_load_of_the_flag, kFence, race_global, "data") {
  auto d = zeros<int>(1, "data"), f = zeros<int>(1, "flag"), o = zeros<int>(1, "out");
  TWIN(message_acquire, (launch_config{2, 1}), d, f, o);
}

template <bool Defect>
SIMT_DEVICE void release_scope(thread t, view<int> data, view<int> flag, view<int> out) {
  constexpr scope s = Defect ? scope::block : scope::device;
  if (t.block_idx().x == 0) {
    data[0] = 42;
    t.atomic_store(flag[0], 1, memory_order::release, s);
  } else {
    while (t.atomic_load(flag[0], memory_order::acquire, scope::device) == 0) {
    }
    out[0] = data[0];
  }
}
PAIR(release_of_block_scope, kFence, race_scope, "") {
  auto d = zeros<int>(1, "data"), f = zeros<int>(1, "flag"), o = zeros<int>(1, "out");
  TWIN(release_scope, (launch_config{2, 1}), d, f, o);
}

template <bool Defect>
SIMT_DEVICE void counter_scope(thread t, view<int> x) {
  t.atomic_add(x[0], 1, memory_order::relaxed, Defect ? scope::block : scope::device);
}
PAIR(atomic_of_block_scope, kFence, race_scope, "x") {
  auto x = zeros<int>(1);
  TWIN(counter_scope, (launch_config{2, 1}), x);
}

template <bool Defect>
SIMT_DEVICE void block_fence_inside(thread t, view<int> flag, view<int> out) {
  auto& data = t.shared<"data", int[1]>();
  if (t.rank() == 0) {
    data[0] = 42;
    if constexpr (!Defect) t.threadfence_block();
    t.atomic_exch(flag[t.block_idx().x], 1);
  } else if (t.rank() == 32) {
    while (t.atomic_load(flag[t.block_idx().x]) == 0) {
    }
    t.threadfence_block();
    out[t.block_idx().x] = data[0];
  }
}
PAIR(block_fence_between_warps, kFence, race_shared, "data") {
  auto f = zeros<int>(2, "flag"), o = zeros<int>(2, "out");
  TWIN(block_fence_inside, (launch_config{2, 64}), f, o);
}

template <bool Defect>
SIMT_DEVICE void volatile_flag(thread t, view<int> data, int* flag, view<int> out) {
  volatile int* f = flag;
  if (t.block_idx().x == 0) {
    data[0] = 42;
    if constexpr (!Defect) t.threadfence();
    *f = 1;
  } else {
    while (*f == 0) {
    }
    t.threadfence();
    out[0] = data[0];
  }
}
PAIR(volatile_flag_without_fence, kFence, race_global, "data") {
  auto d = zeros<int>(1, "data"), f = zeros<int>(1, "flag"), o = zeros<int>(1, "out");
  TWIN(::volatile_flag, (launch_config{2, 1}), d, f, o);
}

template <bool Defect>
SIMT_DEVICE void plain_flag(thread t, view<int> flag, view<int> out) {
  if (t.block_idx().x == 0) {
    if constexpr (Defect)
      flag[0] = 1;
    else
      t.atomic_exch(flag[0], 1);
  } else {
    out[0] = t.atomic_load(flag[0]);
  }
}
PAIR(plain_store_of_a_flag, kFence, race_global, "flag") {
  auto f = zeros<int>(1, "flag"), o = zeros<int>(1, "out");
  TWIN(::plain_flag, (launch_config{2, 1}), f, o);
}

template <bool Defect>
SIMT_DEVICE void release_sequence(thread t, view<int> data, view<int> flag, view<int> out) {
  if (t.block_idx().x == 0) {
    data[0] = 42;
    t.atomic_store(flag[0], 1, memory_order::release);
  } else if (t.block_idx().x == 1) {
    while (t.atomic_load(flag[0]) == 0) {
    }
    if constexpr (Defect)
      t.atomic_store(flag[0], 2);
    else
      t.atomic_add(flag[0], 1);
  } else {
    while (t.atomic_load(flag[0]) != 2) {
    }  // relaxed: an acquire that sees 1 would order
    t.atomic_load(flag[0], memory_order::acquire);
    out[0] = data[0];
  }
}
PAIR(release_sequence_broken_by_a_store, kFence, race_global, "data") {
  auto d = zeros<int>(1, "data"), f = zeros<int>(1, "flag"), o = zeros<int>(1, "out");
  TWIN(release_sequence, (launch_config{3, 1}), d, f, o);
}

// The host counts too, while the kernel may be under way.
template <bool Defect>
SIMT_DEVICE void counts_with_host(thread t, view<int> x) {
  t.atomic_add(x[0], 1, memory_order::relaxed, Defect ? scope::device : scope::system);
}
PAIR(atomic_of_device_scope_beside_the_host, kFence, race_scope, "x") {
  simt::managed_buffer<int> x(1, "x");
  x[0] = 0;
  if (defect)
    launch<counts_with_host<suite::kRunsDefects>>({2, 32}, x);
  else
    launch<counts_with_host<false>>({2, 32}, x);
  __atomic_fetch_add(&x[0], 1, __ATOMIC_RELAXED);
  synchronize();
}

}  // namespace
