// SPDX-License-Identifier: Apache-2.0
// What each rule means: the text behind `simrun explain RULE`, the help of SARIF rules and the HTML report.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "finding.hpp"
#include "text_report.hpp"

namespace simt {

struct rule_knowledge {
  simt::rule rule;
  std::string_view meaning;  // one line, no full stop
  std::string_view text;     // paragraphs separated by an empty line
  std::string_view example;  // a kernel that has the defect; the marked line is where it is reported
  std::string_view fix;      // paragraphs, and code in lines that start with blanks
};

const rule_knowledge& knowledge_of(rule r);

// What is told to people who write in that dialect.
struct rule_texts {
  std::string meaning, text, example, fix;
};
rule_texts texts_of(rule r, dialect words);

// One rule as text for people.
std::string text_explanation(rule r, dialect words, const text_style& style);

// All rules, one line each.
std::string text_rule_list(const text_style& style);

// The tables that knowledge_of looks in, one a group of rules; together they hold every rule once (tested).
std::vector<rule_knowledge> race_knowledge();
std::vector<rule_knowledge> memory_knowledge();
std::vector<rule_knowledge> barrier_knowledge();
std::vector<rule_knowledge> trap_knowledge();

// What differs for people who write CUDA; an empty text: nothing.
struct cuda_words {
  simt::rule rule;
  std::string_view example, fix;
};
std::vector<cuda_words> cuda_knowledge();
std::string in_cuda(std::string_view text);  // names of our API as CUDA's

}  // namespace simt
