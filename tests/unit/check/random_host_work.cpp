// SPDX-License-Identifier: Apache-2.0
// Random programs: what the host and its streams do between launches.
#include "random_programs.hpp"

namespace random_programs {

void program::host_work() {
  const int stream = pick(0, 2), what = pick(0, 5);
  if (what >= 4) {
    const int events = pick(1, 4);
    for (int i = 0; i < events && error_.empty(); ++i) host_event(chance(70) ? 0 : stream);
    return;
  }
  const std::size_t from = static_cast<std::size_t>(pick(0, static_cast<int>(device_bytes_) - 1));
  const std::size_t size = static_cast<std::size_t>(pick(1, static_cast<int>(device_bytes_ - from)));
  host_copy(stream, what, from, size);
}

void program::host_one(int stream, bool write, std::uintptr_t at, std::size_t size) {
  ++oracle_.step;
  const auto start = begin_on(stream);
  const int id = oracle_.add(++launches_, 1 << 20, 0, -1, start);
  agent_index_[{d_->core().agents.next(), {0, 0}}] = id;
  before(id, write ? oracle::kind::plain_write : oracle::kind::plain_read, scope::system, at, size);
  const auto uninit_steps = oracle_.uninit_steps;
  const auto first_uninit = oracle_.first_uninit;
  oracle_.plain(id, write, at, size, 0x77);
  oracle_.uninit_steps = uninit_steps;  // copies may read what nobody wrote
  oracle_.first_uninit = first_uninit;
  streams_[static_cast<std::size_t>(stream)].now.join_with(oracle_.agents[static_cast<std::size_t>(id)].now);
}

void program::host_event(int stream) {
  ++oracle_.step;
  const std::uintptr_t flag =
      device_ +
      (chance(80) ? device_bytes_ : 4 * static_cast<std::size_t>(pick(1, static_cast<int>(device_bytes_ / 4)))) - 4;
  int& id = host_agents_[stream];
  if (id < 0) {
    id = oracle_.add(++launches_, 1 << 20, 0, -1, {});
    oracle_.agents[static_cast<std::size_t>(id)].host = true;
  }
  oracle_.agents[static_cast<std::size_t>(id)].now.join_with(begin_on(stream));
  agent_index_[{d_->core().agents.next(), {0, 0}}] = id;
  const auto o = one_of<order>({order::relaxed, order::acquire, order::release, order::acq_rel, order::seq_cst});
  if (chance(30)) {
    trace("host's agent %d on stream %d: fence order %d", id, stream, static_cast<int>(o));
    oracle_.fence(id, o, scope::system);
    d_->host_fence(stream, o);
  } else {
    const auto op = one_of<atomic_op>({atomic_op::load, atomic_op::load, atomic_op::store, atomic_op::rmw});
    trace("host's agent %d on stream %d: atomic %d order %d %ld+4", id, stream, static_cast<int>(op),
          static_cast<int>(o), static_cast<long>(flag - device_));
    expect_atomic(id, flag, 4, op, o, scope::system, 0x78);
    d_->host_atomic(stream, flag, 4, op, o, 0x78);
  }
  streams_[static_cast<std::size_t>(stream)].now.join_with(oracle_.agents[static_cast<std::size_t>(id)].now);
}

void program::host_copy(int stream, int what, std::size_t from, std::size_t size) {
  const std::uintptr_t pcs[] = {0x77};
  const std::uintptr_t at = device_ + from;
  trace("host work %d on stream %d %zu+%zu", what, stream, from, size);
  if (what == 0) {
    const bool waited = chance(50);
    host_one(stream, true, at, size);
    d_->copy_to_device(stream, at, size, pcs, waited);
    if (waited) {
      trace("the host waits for stream %d", stream);
      streams_[0].now.join_with(streams_[static_cast<std::size_t>(stream)].now);
      d_->wait(0, d_->record(stream));
    }
  } else if (what == 1) {
    host_one(stream, false, at, size);
    d_->copy_to_host(stream, at, size, pcs);
  } else {
    host_one(stream, true, at, size);
    d_->fill(stream, at, size, pcs);
  }
}

}  // namespace random_programs
