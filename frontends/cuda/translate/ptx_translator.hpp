// SPDX-License-Identifier: Apache-2.0
// One asm statement of inline PTX as C++. Instructions, operands and memory are in ptx.cpp; what whole warps and blocks
// do together in ptx_together.cpp, video instructions in ptx_video.cpp.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "ptx_statement.hpp"

namespace simt::cuda_source {

class asm_translator {
 public:
  asm_translator(const asm_statement& s, const std::unordered_set<std::string_view>& known) : s_(s), known_(known) {}
  std::string error;     // what is not supported, where something is not
  std::string hoisted_;  // declarations for the whole statement
  // The carry, `simt_carry` in the text, which the caller declares: some instruction takes or leaves it; the first one
  // takes what was there before the statement; the last one leaves one.
  bool uses_carry_ = false, takes_carry_ = false, gives_carry_ = false;
  bool ends_thread_ = false;  // some instruction returns from the kernel

  std::string run();

 private:
  std::string fail(const std::string& what);
  bool knows(const std::string& name) const { return known_.count("simt_ptx_" + name) != 0; }

  std::string constant(const std::string& o) const;
  // An operand as a C++ expression of the register, or {}.
  std::string operand(std::string o);
  // [address + offset]
  std::string address(std::string o, const std::string& space);

  std::string declaration(const std::string& line);

  static bool is_label(const std::string& name);
  // A label's name in C++, local to the statement.
  static std::string label(std::string name);

  std::string instruction(std::string line);

  // Modifiers become template arguments: the base name, then types; order, scope and rounding as one string.
  std::string call(const std::string& opcode, const std::vector<std::string>& parts,
                   const std::vector<std::string>& given);
  std::string type(const std::vector<std::string>& types) const { return types.empty() ? "void" : cpp_type(types[0]); }
  std::string assign(const std::string& target, const std::string& value);

  std::string memory(const std::string& opcode, const std::string& name, const std::vector<std::string>& types,
                     const std::string& rest, const std::string& space, const std::vector<std::string>& given);

  // An array of the registers of a list.
  std::string registers(const std::string& name, const std::string& list);
  // mma.sync of shape mMnNkK, ldmatrix, stmatrix: of the whole warp.
  std::string matrices(const std::string& opcode, const std::string& name, const std::vector<std::string>& parts,
                       const std::vector<std::string>& given);

  std::string store_async(const std::string& opcode, const std::vector<std::string>& types, const std::string& rest,
                          const std::vector<std::string>& given);
  static std::string shared_in(const std::vector<std::string>& parts);
  // Barriers of the block, by number, and of the cluster.
  std::string block_barrier(const std::string& opcode, const std::vector<std::string>& parts,
                            const std::vector<std::string>& given);
  // mbarrier objects: simt_cuda/ptx_barriers.hpp.
  std::string barrier_object(const std::string& opcode, const std::vector<std::string>& parts,
                             const std::vector<std::string>& given);

  // Bulk copies of tiles of a tensor: simt_cuda/tensor_copies.hpp.
  std::string tile_copy(const std::string& opcode, const std::vector<std::string>& parts,
                        const std::vector<std::string>& given);

  // cvt.pack of two numbers to a type of 2 to 16 bits.
  std::string pack_narrow(const std::string& opcode, const std::string& to, const std::vector<std::string>& given);

  static bool is_video(const std::string& name);
  std::string video(const std::string& opcode, const std::string& name, const std::vector<std::string>& types,
                    const std::string& rest, std::vector<std::string> given);

  // Barriers, fences, warp operations and asynchronous copies.
  std::string special(const std::string& opcode, const std::string& name, const std::vector<std::string>& parts,
                      const std::vector<std::string>& types, const std::vector<std::string>& given);

  const asm_statement& s_;
  const std::unordered_set<std::string_view>& known_;
  std::set<std::string> declared_;      // registers, without a % in front of them
  std::set<std::string> labels_;        // in C++
  std::vector<std::string> jumped_to_;  // as the statement has them
};

}  // namespace simt::cuda_source
