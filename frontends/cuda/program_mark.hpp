// SPDX-License-Identifier: Apache-2.0
// What simrun knows its own programs by: a note in the executable, made by the runtime (runtime/session.cpp) and read
// by the tool (driver/built_program.hpp). Its owner is "simt", its type the version of what the two tell each other,
// its text the variant.
#pragma once

#include <cstdint>

namespace simt::cuda_source {

inline constexpr char kMarkOwner[] = "simt";
inline constexpr std::uint32_t kMarkVersion = 1;

}  // namespace simt::cuda_source

// At namespace scope, once a program. Version and owner stand in text here: the assembler reads no constants of C++.
#if SIMT_VARIANT_CHECK
#define SIMT_MARKED_VARIANT "check"
#else
#define SIMT_MARKED_VARIANT "sim"
#endif
#define SIMT_MARK_PROGRAM                                                                                   \
  asm(".pushsection .note.simt, \"a\", %note\n.balign 4\n.long 5, 2f - 1f, 1\n.asciz \"simt\"\n.balign 4\n" \
      "1: .asciz \"" SIMT_MARKED_VARIANT "\"\n2: .balign 4\n.popsection\n")
