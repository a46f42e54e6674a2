// SPDX-License-Identifier: Apache-2.0
#include "rewrite.hpp"

#include <algorithm>

namespace simt::cuda_source {

rewritten rewrite(std::string_view preprocessed, std::string_view own_headers, std::string_view) {
  unit u(tokenize(preprocessed, own_headers));
  find_functions(u);
  rewrite_variables(u);
  rewrite_launches(u);
  rewrite_bodies(u);
  name_allocations(u);
  find_unsupported(u);
  rewritten r;
  std::stable_sort(u.messages.begin(), u.messages.end(), [](const message& a, const message& b) { return a.line < b.line; });
  r.messages = u.messages;
  if (r.messages.empty()) r.text = render(u);
  return r;
}

}  // namespace simt::cuda_source
