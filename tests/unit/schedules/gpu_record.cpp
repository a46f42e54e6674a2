// SPDX-License-Identifier: Apache-2.0
// What a GPU has shown (gpu_record.txt, written by gpu_litmus.cu) against the axioms of the memory model
// (ptx_model.hpp): an outcome that the hardware shows must be one that the axioms allow.
#include <doctest/doctest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

#include "ptx_model.hpp"

namespace {

using namespace ptx_model;

order order_named(std::string_view name) {
  if (name == "relaxed") return order::relaxed;
  if (name == "acquire") return order::acquire;
  if (name == "release") return order::release;
  if (name == "acq_rel") return order::acq_rel;
  REQUIRE(name == "sc");
  return order::seq_cst;
}

scope scope_named(std::string_view name) {
  if (name == "cta") return scope::block;
  if (name == "gpu") return scope::device;
  REQUIRE(name == "sys");
  return scope::system;
}

// "st.release.gpu 1 1", "ld.weak 0", "fence.sc.cta"
instruction parse_instruction(const std::string& text) {
  std::istringstream words(text);
  std::string name;
  instruction out;
  words >> name;
  std::istringstream parts(name);
  std::string what, ordering, scope_name;
  std::getline(parts, what, '.');
  std::getline(parts, ordering, '.');
  std::getline(parts, scope_name, '.');
  const bool weak = ordering == "weak";
  if (!weak) out.o = order_named(ordering), out.s = scope_named(scope_name);
  if (what == "fence") {
    out.what = op::fence;
  } else if (what == "ld") {
    out.what = weak ? op::plain_load : op::load;
    words >> out.cell;
  } else {
    REQUIRE((what == "st" || what == "swap"));
    out.what = what == "swap" ? op::swap : weak ? op::plain_store : op::store;
    words >> out.cell >> out.value;
  }
  REQUIRE_FALSE(words.fail());
  return out;
}

std::vector<instruction> parse_thread(const std::string& text) {
  std::vector<instruction> out;
  std::istringstream all(text);
  for (std::string one; std::getline(all, one, ';');) out.push_back(parse_instruction(one));
  return out;
}

TEST_CASE("a GPU shows no outcome that the axioms of the memory model forbid") {
  std::ifstream record(SIMT_GPU_RECORD);
  REQUIRE(record);
  std::string name, line, word;
  program p;
  std::set<outcome> allowed;
  int tests = 0, outcomes = 0;
  while (std::getline(record, line)) {
    std::istringstream words(line);
    words >> word;
    if (word == "test") {
      name = line.substr(5), p = {}, allowed.clear(), ++tests;
    } else if (word == "blocks") {
      words >> p.blocks >> word >> p.threads;
    } else if (word == "thread") {
      p.code.push_back(parse_thread(line.substr(7)));
    } else if (word == "saw") {
      if (allowed.empty()) allowed = executions(p, false).outcomes;
      words >> word;  // how often, and a colon
      outcome seen;
      for (int value; words >> value;) seen.push_back(value);
      INFO(name, ": ", line);
      CHECK(allowed.contains(seen));
      ++outcomes;
    }
  }
  CHECK(tests == 82);
  CHECK(outcomes == 421);
}

}  // namespace
