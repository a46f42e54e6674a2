// SPDX-License-Identifier: Apache-2.0
#include "launched_shapes.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstrTypes.h>

#include <optional>

namespace simt::compile {

using namespace llvm;

namespace {

// simt_cuda::configure(dim3 grid, dim3 block, ...) (frontends/cuda/headers/simt_cuda/launch.hpp), by the beginning of
// its mangled name. Where a dim3 is passed as x and y in one number and z in another, its block is these arguments.
constexpr StringRef kConfigure = "_ZN9simt_cuda9configureE4dim3";
constexpr unsigned kRow = 2, kPlane = 3;

std::optional<block_shape> block_of(const CallBase& launch) {
  if (launch.arg_size() <= kPlane) return {};
  const auto* row = dyn_cast<ConstantInt>(launch.getArgOperand(kRow));
  const auto* plane = dyn_cast<ConstantInt>(launch.getArgOperand(kPlane));
  if (row == nullptr || plane == nullptr || !row->getType()->isIntegerTy(64)) return {};
  const std::uint64_t xy = row->getZExtValue();
  return block_shape{static_cast<std::int64_t>(xy & 0xffffffff), static_cast<std::int64_t>(xy >> 32),
                     static_cast<std::int64_t>(plane->getZExtValue())};
}

// Other functions of CUDA that launch, or that say how somebody else will.
bool launches_otherwise(const Function& f) { return f.getName().contains("LaunchKernel") && !f.use_empty(); }

}  // namespace

launched_shapes find_launched_shapes(const Module& m) {
  launched_shapes found;
  bool any = false, unknown = false;
  for (const Function& f : m) {
    unknown |= launches_otherwise(f);
    if (!f.getName().starts_with(kConfigure)) continue;
    for (const User* u : f.users()) {
      const auto* launch = dyn_cast<CallBase>(u);
      const auto shape = launch != nullptr ? block_of(*launch) : std::nullopt;
      any = true;
      unknown |= !shape;
      if (shape && !is_contained(found.known, *shape)) found.known.push_back(*shape);
    }
  }
  found.all_known = any && !unknown;
  return found;
}

}  // namespace simt::compile
