// SPDX-License-Identifier: Apache-2.0
// GNU's other spellings of C++'s words, which headers of any compiler's take (`static __device__ __const__ float x`).
#include <array>
#include <string>
#include <utility>

#include "translate.hpp"

namespace simt::cuda_source {

void read_words_of_gnu(unit& u) {
  using word = std::pair<const char*, const char*>;
  static constexpr std::array kWords = {word{"__const__", "const"}, word{"__const", "const"},
                                        word{"__volatile", "volatile"}, word{"__signed__", "signed"},
                                        word{"__signed", "signed"}};
  for (position p = 0; p < u.tokens.size(); ++p)
    for (const auto& [gnu, plain] : kWords)
      if (u.tokens[p].is(gnu) && u.tokens[p].is_name()) u.rename(p, plain);
}

}  // namespace simt::cuda_source
