// SPDX-License-Identifier: Apache-2.0
#include "launched_shapes.hpp"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>

namespace simt::compile {

using namespace llvm;

namespace {

// simt_cuda::configure(dim3 grid, dim3 block, ...) (frontends/cuda/headers/simt_cuda/launch.hpp), by the beginning of
// its mangled name. Where a dim3 is passed as x and y in one number and z in another, its block is these arguments.
constexpr StringRef kConfigure = "_ZN9simt_cuda9configureE4dim3";
constexpr unsigned kRow = 2, kPlane = 3;

// simt::check_launch(const launch_config&, ...) (backends/api/simt/launch_config.hpp), with which each launch of the
// native interface begins; where the block's shape lies in a launch_config.
constexpr StringRef kCheckLaunch = "_ZN4simt12check_launchERKNS_13launch_configESt17basic_string_view";
constexpr std::int64_t kBlockOfConfig = 24;

bool is_check(const Function* f) { return f != nullptr && f->getName().starts_with(kCheckLaunch); }

stored_shapes blocks_of(const CallBase& launch) {
  if (is_check(launch.getCalledFunction()))
    return find_stored_shapes(launch, {launch.getArgOperand(0), kBlockOfConfig, 8});
  if (launch.arg_size() <= kPlane) return {};
  const Value *const row = launch.getArgOperand(kRow), *const plane = launch.getArgOperand(kPlane);
  if (!row->getType()->isIntegerTy(64)) return {};
  if (const auto* stored = dyn_cast<LoadInst>(row))
    return find_stored_shapes(launch, {stored->getPointerOperand(), 0, 4});
  const auto *const known = dyn_cast<ConstantInt>(row), *const known_plane = dyn_cast<ConstantInt>(plane);
  if (known == nullptr || known_plane == nullptr) return {};
  const std::uint64_t xy = known->getZExtValue();
  const block_shape shape{static_cast<std::int64_t>(xy & 0xffffffff), static_cast<std::int64_t>(xy >> 32),
                          static_cast<std::int64_t>(known_plane->getZExtValue())};
  return {{shape}, true};
}

// Other functions of CUDA that launch, or that say how somebody else will.
bool launches_otherwise(const Function& f) { return f.getName().contains("LaunchKernel") && !f.use_empty(); }

// Which kernel a launch is of. The source says `(configure(grid, block, ...), kernel(arguments))`, and the kernel is a
// function that hands its loop_body to the engine, inlined or not.
class kernel_finder {
 public:
  explicit kernel_finder(ArrayRef<loop_source> kernels) {
    for (const loop_source& k : kernels) bodies_.insert(k.body);
    for (const loop_source& k : kernels)
      for (const User* u : k.body->users())
        if (const auto* hands_over = dyn_cast<CallBase>(u)) add_launcher(*hands_over->getFunction(), k.body);
  }

  // Null: not seen.
  const GlobalVariable* launched_behind(const CallBase& configure) const {
    const Instruction* at = &configure;
    for (int passed = 0; passed < kMostPassed; ++passed) {
      if (const auto* call = dyn_cast<InvokeInst>(at))
        at = &call->getNormalDest()->front();
      else if (const BasicBlock* only = at->isTerminator() ? at->getParent()->getSingleSuccessor() : nullptr)
        at = &only->front();
      else
        at = at->getNextNode();
      if (at == nullptr) return nullptr;
      const auto* call = dyn_cast<CallBase>(at);
      if (call == nullptr) continue;
      if (is_configure(call->getCalledFunction())) return nullptr;
      if (const GlobalVariable* const kernel = launched_by(*call)) return kernel;
    }
    return nullptr;
  }

  static bool is_configure(const Function* f) {
    return f != nullptr && (f->getName().starts_with(kConfigure) || is_check(f));
  }

 private:
  static constexpr int kMostPassed = 400;  // instructions between a launch's two calls: its arguments

  // f has a launch of the kernel, and so has whoever calls it, up to where launches are configured.
  void add_launcher(const Function& f, const GlobalVariable* kernel) {
    const auto [known, fresh] = launchers_.try_emplace(&f, kernel);
    if (!fresh) {
      if (known->second != kernel) known->second = nullptr;  // of several
      return;
    }
    for (const User* u : f.users()) {
      const auto* call = dyn_cast<CallBase>(u);
      if (call == nullptr || call->getCalledFunction() != &f || configures(*call->getFunction())) continue;
      add_launcher(*call->getFunction(), kernel);
    }
  }
  static bool configures(const Function& f) {
    return any_of(f, [](const BasicBlock& bb) {
      return any_of(bb, [](const Instruction& i) {
        const auto* call = dyn_cast<CallBase>(&i);
        return call != nullptr && is_configure(call->getCalledFunction());
      });
    });
  }
  const GlobalVariable* launched_by(const CallBase& call) const {
    for (const Use& o : call.args())
      if (const auto* body = dyn_cast<GlobalVariable>(o.get()); body != nullptr && bodies_.count(body) != 0)
        return body;
    return launchers_.lookup(call.getCalledFunction());
  }

  DenseSet<const GlobalVariable*> bodies_;
  DenseMap<const Function*, const GlobalVariable*> launchers_;
};

template <class Shapes>
void add_once(Shapes& shapes, const block_shape& shape) {
  if (!is_contained(shapes, shape)) shapes.push_back(shape);
}

}  // namespace

launched_shapes find_launched_shapes(const Module& m, ArrayRef<loop_source> kernels) {
  launched_shapes found;
  const kernel_finder finder(kernels);
  bool any = false, unknown = false;
  for (const Function& f : m) {
    unknown |= launches_otherwise(f);
    if (!kernel_finder::is_configure(&f)) continue;
    for (const User* u : f.users()) {
      const auto* launch = dyn_cast<CallBase>(u);
      const stored_shapes shapes = launch != nullptr ? blocks_of(*launch) : stored_shapes();
      any = true;
      unknown |= !shapes.all_known;
      const GlobalVariable* const kernel = shapes.found.empty() ? nullptr : finder.launched_behind(*launch);
      for (const block_shape& shape : shapes.found) {
        add_once(found.known, shape);
        if (kernel != nullptr) add_once(found.of_kernel[kernel], shape);
      }
    }
  }
  found.all_known = any && !unknown;
  return found;
}

}  // namespace simt::compile
