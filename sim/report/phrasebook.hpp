// SPDX-License-Identifier: Apache-2.0
// The one place that turns findings into sentences, in the words of one dialect: the API's or CUDA's.
//
// phrases_*.cpp hold one row a cause: its name in data, and what to say as {fmt} templates. A template names what it
// takes from the finding, {element}, {later}, {mask}, or from the dialect, {sync}; phrasebook.cpp lists them all.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "run_report.hpp"

namespace simt {

struct phrases {
  std::string message;  // one line: what happened
  std::string why;      // why it is a defect: what does not order the two, which limit was passed
  std::string fix;      // what to change
};

phrases phrase(const finding& f, dialect d);

// "(3,0,0)"
std::string coordinates(const index3& i);
// Who made an access: "thread (3,0,0) of block (1,0,0)", "the host", "stream 2".
std::string who(const access& a);
// What it does at its place where that is no plain access: "waits at this barrier"; else empty.
std::string doing(const access& a);
// "12 conflicting accesses at these lines", "3 times at these lines": of a finding with accesses.
std::string how_often(const finding& f);

// What a finding's members have in common with it, behind "2 more findings".
std::string_view tie_of_members(const finding& f);

struct phrase_row {
  simt::cause cause;
  std::string_view name;  // in data
  const char* message;
  const char* why;
  const char* fix;
};
// What is said of a null pointer in more than one table.
inline constexpr const char* kCopyInOrTestNull =
    "{copy_in} and {pass_that}; where it may be null, as at the end of a list, test it first";
// One table a group of causes; together they hold every cause once (tested).
std::span<const phrase_row> race_phrases();
std::span<const phrase_row> memory_phrases();
std::span<const phrase_row> host_phrases();
std::span<const phrase_row> barrier_phrases();
std::span<const phrase_row> fault_phrases();
std::span<const phrase_row> gpu_phrases();

}  // namespace simt
