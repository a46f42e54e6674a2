// SPDX-License-Identifier: Apache-2.0
// Plays back what another policy picked in an earlier run. Each pick names a thread: if that one cannot go on, or the
// launches are others, the kernel or its input is not what it was, and the run departs from the record.
#include <fmt/format.h>

#include <optional>
#include <utility>

#include <sim/exec/launch.hpp>
#include <sim/exec/scheduler/scheduler.hpp>

namespace simt::sim {

namespace {

class replay final : public scheduler {
 public:
  replay(recorded_order order, bool decided_after_waits, bool kept_step, bool rested)
      : recorded_(std::move(order)),
        decided_after_waits_(decided_after_waits),
        kept_step_(kept_step),
        rested_(rested) {}
  bool is_asked() const override { return true; }
  bool decides_after_waits() const override { return decided_after_waits_; }
  bool keeps_step() const override { return kept_step_; }
  bool may_rest() const override { return rested_ && weak() == nullptr; }

 protected:
  void begin(const launch_state& l) override {
    picks_ = 0;
    if (launch_ == recorded_.launches.size()) {
      leave("launch {} is of kernel {}, the record ends before it", launch_ + 1, l.name);
      return;
    }
    const recorded_launch& r = recorded_.launches[launch_++];
    if (r.kernel != l.name || r.blocks != l.blocks || r.threads != l.threads)
      leave("launch {} is of kernel {} with {} blocks of {} threads, recorded was {} with {} of {}", launch_, l.name,
            l.blocks, l.threads, r.kernel, r.blocks, r.threads);
    reader_.emplace(r.picks);
    named_pick rest;
    if (r.picks.starts_with('z') && reader_->next(rest)) begin_with_rest(rest.block), ++picks_;
    if (weak() != nullptr) weak()->play_back(r.older_values);
  }

  void end(const launch_state& l) override {
    named_pick more;
    const bool hangs_too = reader_ && reader_->is_for_ever() && l.fault.kind != fault_kind::none;
    if (departure().empty() && reader_ && !hangs_too && reader_->next(more))
      leave("at pick {} of launch {}: kernel {} has ended, in the record it goes on", picks_ + 1, launch_, l.name);
  }

  pick choose(const ready_threads& ready, const schedule_place& where) override {
    if (!departure().empty()) return {};
    named_pick p;
    if (!reader_->next(p)) {
      if (reader_->is_broken())
        leave("at pick {} of launch {}: the record holds no pick there", picks_ + 1, launch_);
      else
        leave("at pick {} of launch {}: in the record the kernel has ended, here it goes on", picks_ + 1, launch_);
      return {};
    }
    ++picks_;
    if (reader_->is_for_ever() && where.out_of_time) return {pick::kind::yields};
    if (p.what == named_pick::kind::stays) return {};
    if (p.what == named_pick::kind::yields) return {pick::kind::yields};
    if (p.what == named_pick::kind::rests) return {pick::kind::rests, p.block};
    const thread_name wanted{p.block, p.thread};
    std::int64_t place = 0;
    bool found = name_at(ready, 0) == wanted;
    if (!found && !ready.rest_is_first) {
      const fiber* f = ready.queue.head;
      while (f != nullptr && name_of(*f, ready.running) != wanted) f = f->next, ++place;
      found = f != nullptr || name_of(ready.running, ready.running) == wanted;
    }
    if (!found) {
      leave("at pick {} of launch {}: thread {} of block {} goes on in the record, here it cannot", picks_, launch_,
            p.thread, p.block);
      return {};
    }
    return {pick::kind::goes_on, place, p.starts_block};
  }

 private:
  template <class... A>
  void leave(fmt::format_string<A...> what, A&&... a) {
    depart("this run departed from the recorded order: " + fmt::format(what, std::forward<A>(a)...) +
           "; a replay needs the program, the input and the options of the recorded run");
  }

  recorded_order recorded_;
  bool decided_after_waits_, kept_step_, rested_;
  std::size_t launch_ = 0;
  std::int64_t picks_ = 0;
  std::optional<pick_reader> reader_;
};

}  // namespace

std::unique_ptr<scheduler> make_replay(recorded_order order, bool decided_after_waits, bool kept_step, bool rested) {
  return std::make_unique<replay>(std::move(order), decided_after_waits, kept_step, rested);
}

}  // namespace simt::sim
