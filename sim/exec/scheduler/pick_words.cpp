// SPDX-License-Identifier: Apache-2.0
#include <sim/exec/scheduler/pick_words.hpp>

#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>

namespace simt::sim {

namespace {

void append(std::string& text, std::int64_t number) {
  char digits[24];
  text.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
}

}  // namespace

void pick_writer::add(const named_pick& p) {
  if (p.what == named_pick::kind::stays) {
    if (has_word_) close_word();
    ++stays_;
    return;
  }
  if (stays_ > 0) {
    close_run();
    text_ += text_.empty() ? "+" : " +";
    append(text_, std::exchange(stays_, 0));
  }
  const bool follows = has_word_ && p.what == named_pick::kind::goes_on && word_.first.what == p.what &&
                       !p.starts_block && !word_.first.starts_block && p.block == word_.first.block &&
                       p.thread == word_.last_thread + 1;
  if (follows) {
    word_.last_thread = p.thread;
    return;
  }
  if (has_word_) close_word();
  word_ = {p, p.thread};
  has_word_ = true;
}

void pick_writer::close_word() {
  has_word_ = false;
  if (repeated_ > 0 && word_ == run_) {
    ++repeated_;
    return;
  }
  close_run();
  run_ = word_;
  repeated_ = 1;
}

void pick_writer::close_run() {
  if (repeated_ == 0) return;
  if (!text_.empty()) text_ += ' ';
  if (run_.first.what == named_pick::kind::yields) {
    text_ += '~';
  } else if (run_.first.what == named_pick::kind::rests) {
    text_ += 'z';
    append(text_, run_.first.block);
  } else {
    if (run_.first.starts_block) text_ += '&';
    append(text_, run_.first.block);
    text_ += ':';
    append(text_, run_.first.thread);
    if (run_.last_thread != run_.first.thread) {
      text_ += '-';
      append(text_, run_.last_thread);
    }
  }
  if (repeated_ > 1) {
    text_ += '*';
    append(text_, repeated_);
  }
  repeated_ = 0;
}

std::string pick_writer::take() {
  if (has_word_) close_word();
  close_run();
  if (stays_ > 0) {
    text_ += text_.empty() ? "+" : " +";
    append(text_, std::exchange(stays_, 0));
  }
  return std::exchange(text_, {});
}

std::string pick_writer::take_of_hang() {
  std::string text = take();
  for (;;) {
    const std::size_t blank = text.rfind(' '), from = blank == std::string::npos ? 0 : blank + 1;
    if (text.empty() || (text[from] != '+' && text[from] != '~')) break;
    text.resize(blank == std::string::npos ? 0 : blank);
  }
  return text + (text.empty() ? "+" : " +");
}

bool pick_reader::read_word() {
  if (rest_.empty()) return false;
  const std::string_view all = rest_.substr(0, rest_.find(' '));
  rest_.remove_prefix(std::min(all.size() + 1, rest_.size()));
  const char *at = all.data(), *const end = at + all.size();
  const auto number = [&](auto& value) {
    const auto [stop, error] = std::from_chars(at, end, value);
    const bool good = error == std::errc() && stop != at && value >= 0;
    at = stop;
    return good;
  };
  const auto skip = [&](char c) { return at != end && *at == c && ++at != nullptr; };
  word_ = {};
  times_ = 1;
  broken_ = true;
  if (skip('+')) {
    for_ever_ = at == end && rest_.empty();
    if (for_ever_)
      times_ = std::numeric_limits<std::int64_t>::max();
    else if (!number(times_) || at != end || times_ == 0)
      return false;
    at_thread_ = last_thread_ = 0;
    return !(broken_ = false);
  }
  if (skip('~')) {
    word_.what = named_pick::kind::yields;
  } else if (skip('z')) {
    word_.what = named_pick::kind::rests;
    if (!number(word_.block)) return false;
  } else {
    word_.what = named_pick::kind::goes_on;
    word_.starts_block = skip('&');
    if (!number(word_.block) || !skip(':') || !number(word_.thread)) return false;
  }
  last_thread_ = word_.thread;
  if (skip('-') && (!number(last_thread_) || last_thread_ <= word_.thread)) return false;
  if (skip('*') && (!number(times_) || times_ == 0)) return false;
  if (at != end) return false;
  at_thread_ = word_.thread;
  return !(broken_ = false);
}

bool pick_reader::next(named_pick& p) {
  if (times_ == 0 && !read_word()) return false;
  ++number_;
  p = word_;
  p.thread = at_thread_;
  if (at_thread_++ == last_thread_) {
    at_thread_ = word_.thread;
    --times_;
  }
  return true;
}

}  // namespace simt::sim
