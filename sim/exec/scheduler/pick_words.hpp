// SPDX-License-Identifier: Apache-2.0
// Picks as words and back; the words are described in recorded_order.hpp.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace simt::sim {

// One answer of a scheduler, with who goes on by name.
struct named_pick {
  enum class kind : std::uint8_t { stays, goes_on, yields, rests } what = kind::stays;
  std::int64_t block = 0;  // rests: the accesses until then
  std::int32_t thread = 0;
  bool starts_block = false;
  bool operator==(const named_pick&) const = default;
};

class pick_writer {
 public:
  void add(const named_pick& p);
  // What was added since the last call.
  std::string take();
  // The same of a launch whose end as a hang was a matter of time: how often the last threads went on and gave way
  // until then stands as going on for ever.
  std::string take_of_hang();
  // About this many bytes are there already.
  std::size_t size() const { return text_.size(); }

 private:
  // One or more picks. The last one can still grow: the next thread makes a range of it, the same word a repetition.
  struct word {
    named_pick first;
    std::int32_t last_thread = 0;
    bool operator==(const word&) const = default;
  };
  void close_word();
  void close_run();
  std::string text_;
  std::int64_t stays_ = 0;
  bool has_word_ = false;
  word word_;
  std::int64_t repeated_ = 0;  // times that run_ stands behind text_, not written yet
  word run_;
};

class pick_reader {
 public:
  explicit pick_reader(std::string_view picks) : rest_(picks) {}
  // The next pick; false: there are no more, or what follows is no word (is_broken).
  bool next(named_pick& p);
  bool is_broken() const { return broken_; }
  // The last pick that was read goes on for ever.
  bool is_for_ever() const { return for_ever_; }
  // Picks read so far.
  std::int64_t number() const { return number_; }

 private:
  bool read_word();
  std::string_view rest_;
  bool broken_ = false, for_ever_ = false;
  std::int64_t number_ = 0;
  // The word that is being played: its threads, then again.
  named_pick word_;
  std::int32_t last_thread_ = 0, at_thread_ = 0;
  std::int64_t times_ = 0;
};

}  // namespace simt::sim
