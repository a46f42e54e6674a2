// SPDX-License-Identifier: Apache-2.0
// Whether a thread of the host that runs no kernel may still do something that a waiting kernel sees.
#pragma once

#include <string>
#include <string_view>

namespace simt::sim {

// Threads of the simulator's own have names (pthread_setname_np) that begin so. Nobody waits for what they do.
inline constexpr std::string_view kOwnThreads = "simt ";
// The calling thread runs worker `index` of the present launch, or (false) has done so.
void note_worker_thread(int index, bool runs);

// One that is none of these and runs, or waits for something that comes by itself or from outside (a time, a file, a
// connection): its number and what it does, such as "thread 4711 (worker) sleeps". Empty: all others wait, without a
// limit, for what another thread of this process would have to do.
std::string host_thread_that_may_act();

}  // namespace simt::sim
