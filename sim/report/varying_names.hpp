// SPDX-License-Identifier: Apache-2.0
// Which names of a kernel hold another value in each thread: those that are computed from the thread's index. Read from
// the text alone, so advice may rest on it, a verdict may not.
#pragma once

#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "statements.hpp"

namespace simt {

// Whose threads are compared.
enum class threads_of { block, grid };

class varying_names {
 public:
  // `function` is the statement that defines it, parameters and body.
  varying_names(const parsed_source& source, const statement& function, threads_of whose);

  // Whether the words from `first` on, before `end`, name something that varies.
  bool vary(std::size_t first, std::size_t end) const;
  // Whether the name holds threadIdx.x and nothing else.
  bool is_thread_index(std::string_view name) const { return indices_.contains(name) && !no_indices_.contains(name); }

 private:
  bool is_seed(std::size_t at) const;
  void visit(const statement& s, int depth);
  void assignments(std::size_t first, std::size_t end, int depth);
  void assigned(std::size_t sign, std::size_t end, int depth);
  bool changes_for_some(std::size_t at, int depth) const;
  void add(std::size_t at);

  const parsed_source& source_;
  const threads_of whose_;
  std::set<std::string_view> names_, shared_, indices_, no_indices_;
  std::map<std::string_view, int> declared_;  // in how many branches that vary
  bool changed_ = false;
};

// Those of each function that was asked for: to find them takes several walks over its text, and a kernel may have
// hundreds of findings.
class known_varying_names {
 public:
  // The source and the function have to stay where they are.
  const varying_names& of(const parsed_source& source, const statement& function, threads_of whose) {
    return known_.try_emplace({&function, whose}, source, function, whose).first->second;
  }

 private:
  std::map<std::pair<const statement*, threads_of>, varying_names> known_;
};

}  // namespace simt
