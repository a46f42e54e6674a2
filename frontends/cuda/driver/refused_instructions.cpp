// SPDX-License-Identifier: Apache-2.0
#include "refused_instructions.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "frontends/cuda/translate/refusals.hpp"

namespace simt::cuda_source {
namespace {

bool is_refusal(const compiler_message& m) {
  return m.severity == "error" && m.text.starts_with("call to ") && m.text.find("simt_refused") != std::string::npos &&
         m.text.find(kRefusedPtx) != std::string::npos;
}

// Whether it says in which function the call of the next message is: g++ does, in lines without a place.
bool leads_to_call(const compiler_message& m) {
  return m.file.empty() && (m.text.starts_with("In ") || m.text.starts_with("    inlined from "));
}

}  // namespace

std::vector<compiler_message> take_refused_instructions(std::vector<compiler_message>& messages) {
  std::vector<compiler_message> refused, others;
  for (auto m = messages.begin(); m != messages.end(); ++m) {
    if (!is_refusal(*m)) {
      others.push_back(std::move(*m));
      continue;
    }
    while (!others.empty() && leads_to_call(others.back())) others.pop_back();
    m->text = m->text.substr(m->text.find(kRefusedPtx));
    m->column = 0;
    if (std::ranges::none_of(refused, [&](const compiler_message& r) {
          return r.file == m->file && r.line == m->line && r.text == m->text;
        }))
      refused.push_back(std::move(*m));
    while (std::next(m) != messages.end() && std::next(m)->severity == "note") ++m;
  }
  messages = std::move(others);
  quote_lines(refused);
  return refused;
}

}  // namespace simt::cuda_source
