// SPDX-License-Identifier: Apache-2.0
#include "event_log.hpp"

#include <sim/instrument/dispatcher.hpp>

namespace event_tests {

namespace {

namespace event = simt::sim::event;

class writer final : public simt::sim::consumer {
 public:
  event_log* log = nullptr;

  void block_ends(const event::block& b) override { add(step_kind::exit, b, -1, 0); }
  void accessed(const event::access& e) override {
    ++log->singles;
    add(kind_of(e.kind), *e.block, e.rank, e.address);
  }
  void accessed_in_batch(const event::access_batch& e) override {
    ++log->batches;
    log->in_batches += e.count;
    for (std::uint32_t i = 0; i < e.count; ++i)
      add(kind_of(e.kind), *e.block, e.first_rank + static_cast<std::int32_t>(i), e.address_of(i));
  }
  void did_atomic(const event::atomic& e) override { add(step_kind::atomic, *e.block, e.rank, e.address); }
  void fenced(const event::fence& e) override { add(step_kind::fence, *e.block, e.rank, 0); }
  void barrier_opens(const event::barrier& e) override { add(step_kind::barrier, *e.block, -1, 0); }

 private:
  static step_kind kind_of(event::access_kind k) {
    return k == event::access_kind::write ? step_kind::write : step_kind::read;
  }
  void add(step_kind kind, const event::block& b, std::int32_t rank, std::uintptr_t address) {
    if (log->count < event_log::kMost) log->steps[log->count] = {kind, b.number, rank, address};
    ++log->count;
  }
};

writer the_writer;

}  // namespace

void write_events_to(event_log& log) {
  the_writer.log = &log;
  simt::sim::dispatcher::current()->add(the_writer);
}

}  // namespace event_tests
