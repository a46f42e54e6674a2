// SPDX-License-Identifier: Apache-2.0
#include "execution_spaces.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <cstdlib>
#include <set>
#include <string>

#include "host_functions.hpp"
#include "user_code.hpp"

namespace simt::compile {

using namespace llvm;

namespace {

// any: for both, or nobody can tell. declared: the device's, unless its definition says otherwise. callable: the
// device's, in a text that the host's compiler sees another one of. constant: constexpr without a word of the space.
enum class space { host, device, declared, callable, global, any, constant };

constexpr std::pair<StringLiteral, space> kMarks[] = {
    {"simt.device", space::device}, {"simt.declared", space::declared}, {"simt.callable", space::callable},
    {"simt.global", space::global}, {"simt.any", space::any},           {"simt.constexpr", space::constant}};

// What is noted of the whole text, of a variable that the translator adds.
constexpr StringLiteral kRelaxed = "simt.relaxed";    // constexpr functions are for both sides
constexpr StringLiteral kUnsure = "simt.variables?";  // variables without a mark may be the device's

// Of what CUDA's headers declare, functions that nvcc takes in device code alone.
constexpr StringLiteral kDeviceCalls[] = {"__syncthreads",
                                          "__syncthreads_count",
                                          "__syncthreads_and",
                                          "__syncthreads_or",
                                          "__syncwarp",
                                          "__shfl_sync",
                                          "__shfl_up_sync",
                                          "__shfl_down_sync",
                                          "__shfl_xor_sync",
                                          "__ballot_sync",
                                          "__any_sync",
                                          "__all_sync",
                                          "__activemask",
                                          "__threadfence",
                                          "__threadfence_block",
                                          "__threadfence_system",
                                          "atomicAdd",
                                          "atomicSub",
                                          "atomicExch",
                                          "atomicMin",
                                          "atomicMax",
                                          "atomicInc",
                                          "atomicDec",
                                          "atomicCAS",
                                          "atomicAnd",
                                          "atomicOr",
                                          "atomicXor",
                                          "__popc",
                                          "__popcll",
                                          "__clz",
                                          "__clzll",
                                          "__ffs",
                                          "__brev",
                                          "__sinf",
                                          "__cosf",
                                          "__expf",
                                          "__logf",
                                          "__powf",
                                          "__fdividef",
                                          "__int_as_float",
                                          "__float_as_int",
                                          "__ldg",
                                          "__nanosleep"};

struct marks {
  DenseMap<const Function*, space> of;
  bool relaxed = false, unsure = false;
};

// Of two marks of one function: constexpr says nothing beside a word of the space.
space both_of(space a, space b) {
  if (a == b || b == space::constant) return a;
  if (a == space::constant) return b;
  const bool of_device = a == space::device || b == space::device;
  const bool is_declared = a == space::declared || b == space::declared;
  return of_device && is_declared ? space::device : space::any;
}

// The marks, of declarations too, which leave the module: what is named there is kept, and nobody else reads them.
marks take_marks(Module& m) {
  marks found;
  GlobalVariable* const annotations = m.getGlobalVariable("llvm.global.annotations");
  if (annotations == nullptr) return found;
  SmallVector<Constant*> others;
  auto* const entries = cast<ConstantArray>(annotations->getInitializer());
  for (const Use& o : entries->operands()) {
    auto* const entry = cast<ConstantStruct>(o.get());
    auto* const text = dyn_cast<GlobalVariable>(entry->getOperand(1)->stripPointerCasts());
    auto* const words = text == nullptr ? nullptr : dyn_cast<ConstantDataArray>(text->getInitializer());
    const StringRef mark = words != nullptr && words->isCString() ? words->getAsCString() : StringRef();
    found.relaxed |= mark == kRelaxed;
    found.unsure |= mark == kUnsure;
    const auto* const meant = llvm::find_if(kMarks, [&](const auto& m) { return m.first == mark; });
    if (meant == std::end(kMarks)) {
      others.push_back(entry);
      continue;
    }
    auto* const f = dyn_cast<Function>(entry->getOperand(0)->stripPointerCasts());
    if (f == nullptr) continue;
    const auto [at, added] = found.of.try_emplace(f, meant->second);
    if (!added) at->second = both_of(at->second, meant->second);
  }
  if (found.of.empty()) return found;
  for (auto& [f, s] : found.of)
    if (s == space::declared) s = f->isDeclaration() ? space::device : space::any;
  if (!others.empty()) {
    auto* const type = ArrayType::get(entries->getType()->getElementType(), others.size());
    auto* const rest = new GlobalVariable(m, type, false, GlobalValue::AppendingLinkage,
                                          ConstantArray::get(type, others), "", annotations);
    rest->setSection(annotations->getSection());
    annotations->eraseFromParent();
    rest->setName("llvm.global.annotations");
  } else {
    annotations->eraseFromParent();
  }
  return found;
}

std::string name_of(const Function& f) {
  const std::string mangled = f.getName().str();  // the demangler looks into it
  ItaniumPartialDemangler d;
  if (d.partialDemangle(mangled.c_str()) || !d.isFunction())
    return f.getSubprogram() != nullptr ? f.getSubprogram()->getName().str() : f.getName().str();
  char* const text = d.getFunctionName(nullptr, nullptr);
  std::string name = text == nullptr ? f.getName().str() : text;
  std::free(text);
  return name;
}

// What stands in the body of a function has a name that begins with the function's.
bool is_inside(StringRef name, const Function& f) {
  return f.getName().starts_with("_Z") && name.starts_with(("_ZZ" + f.getName().drop_front(2) + "E").str());
}

class reader {
 public:
  explicit reader(Module& m) : module_(m), noted_(take_marks(m)), marks_(noted_.of) {
    for (const auto& [f, s] : marks_) {
      if (s != space::any && s != space::constant) of_device_.push_back(f);
      host_sees_another_ |= s == space::callable;
    }
  }
  bool is_of_cuda() const { return !marks_.empty(); }

  void run() {
    for (Function& f : module_)
      if (!f.isDeclaration() && is_written_by_user(f)) {
        look_at_calls(f);
        if (space_of(f) == space::device && !noted_.unsure) look_at_variables(f);
      }
  }

 private:
  static bool is_written_by_user(const Function& f) {
    const DISubprogram* const s = f.getSubprogram();
    return s != nullptr && s->getLine() != 0 && !s->isArtificial() && !is_of_library(path_of(*s));
  }
  static bool is_lambda(const Function& f) {
    return f.getSubprogram()->getName() == "operator()" && (f.getName().contains("Ul") || f.getName().contains("$_"));
  }

  // nvcc takes calls of device functions from templates of the host.
  static bool is_of_template(const Function& f) { return StringRef(name_of(f)).contains('<'); }
  static bool is_of_cuda_device(const Function& f) {
    const DISubprogram* const s = f.getSubprogram();
    return s != nullptr && is_of_api(path_of(*s)) &&
           llvm::is_contained(kDeviceCalls, StringRef(name_of(f)).split('<').first);
  }

  const Function* device_function_around(const Function& f) const {
    for (const Function* d : of_device_)
      if (d != &f && is_inside(f.getName(), *d)) return d;
    return nullptr;
  }
  space space_of(const Function& f) const {
    if (const auto at = marks_.find(&f); at != marks_.end())
      return at->second == space::callable ? space::device : at->second == space::constant ? space::any : at->second;
    if (device_function_around(f) != nullptr) return is_lambda(f) ? space::device : space::any;
    const bool unknown =
        is_lambda(f) || f.getName().contains("_GLOBAL__") || f.getSubprogram()->getName().starts_with("__cxx");
    return unknown ? space::any : space::host;
  }

  void look_at_calls(Function& f) {
    const space from = space_of(f);
    for (Instruction& i : instructions(f)) {
      auto* const call = dyn_cast<CallBase>(&i);
      const Function* const to = call == nullptr ? nullptr : call->getCalledFunction();
      if (to == nullptr || to->isIntrinsic() || !call->getDebugLoc()) continue;
      const auto mark = marks_.find(to);
      if (mark != marks_.end() && mark->second == space::global) {
        if (!is_configured(f, *call)) say_not_configured(*call, *to);
      } else if (from == space::device) {
        if (mark != marks_.end() && mark->second == space::constant && !noted_.relaxed)
          say_host_from_device(*call, f, *to, true);
        if (mark != marks_.end()) continue;
        if (!to->isDeclaration() && is_written_by_user(*to)) {
          if (space_of(*to) == space::host) say_host_from_device(*call, f, *to, false);
        } else if (const auto host = host_function_of_library(*to, noted_.relaxed)) {
          say_library_from_device(*call, f, *host);
        }
      } else if (from == space::host && !host_sees_another_ && !is_of_template(f)) {
        const bool of_user = mark != marks_.end() && mark->second == space::device;
        if (of_user || (mark == marks_.end() && is_of_cuda_device(*to))) say_device_from_host(*call, f, *to, of_user);
      }
    }
  }

  // k<<<grid, block>>>(x) has become (configure(grid, block), k(x)).
  bool is_configured(Function& f, const CallBase& kernel) const {
    const DominatorTree dominators(f);
    const auto is_configuration = [](const CallBase& c) {
      return c.getCalledFunction() != nullptr && c.getCalledFunction()->getName().contains("9simt_cuda9configure");
    };
    const auto is_kernel = [&](const CallBase& c) {
      const auto at = marks_.find(c.getCalledFunction());
      return at != marks_.end() && at->second == space::global;
    };
    const CallBase *configuration = nullptr, *kernel_before = nullptr;
    for (Instruction& i : instructions(f)) {
      auto* const c = dyn_cast<CallBase>(&i);
      if (c == nullptr || c == &kernel || !dominators.dominates(c, &kernel)) continue;
      const auto is_later = [&](const CallBase* last) { return last == nullptr || dominators.dominates(last, c); };
      if (is_configuration(*c) && is_later(configuration)) configuration = c;
      if (is_kernel(*c) && is_later(kernel_before)) kernel_before = c;
    }
    return configuration != nullptr && (kernel_before == nullptr || dominators.dominates(kernel_before, configuration));
  }

  // The name of a variable of the host that the text itself defines; of what is const nvcc takes some uses. Variables
  // of the device are references in a section of their own.
  static std::string host_variable(const Value& v) {
    const auto* const g = dyn_cast<GlobalVariable>(v.stripInBoundsOffsets());
    if (g == nullptr || g->isConstant() || g->isDeclaration() || g->hasSection() || g->isThreadLocal()) return {};
    if (!g->hasExternalLinkage() && !g->hasInternalLinkage()) return {};
    const StringRef symbol = g->getName();
    if (symbol.starts_with("_ZZ") || symbol.starts_with("_ZGV") || symbol.contains("simt")) return {};
    return symbol.starts_with("_Z") ? demangle(symbol.str()) : symbol.str();
  }
  void look_at_variables(Function& f) {
    for (Instruction& i : instructions(f)) {
      if (!i.getDebugLoc() || isa<CallBase>(i)) continue;
      for (const Value* operand : i.operand_values())
        if (const std::string name = host_variable(*operand); !name.empty()) say_host_variable(i, name);
    }
  }
  void say_host_variable(const Instruction& at, const std::string& name) {
    say(at, "identifier \"" + name +
                "\" is undefined in device code: it is a variable of the host; pass its value to the " +
                "kernel as an argument, or declare it __device__ or, where the host uses it, too, __managed__");
  }

  // The function as its author knows it: a kernel's body is a lambda.
  std::pair<std::string, std::string> caller(const Function& f) const {
    const Function* known = &f;
    while (const Function* const around = device_function_around(*known)) known = around;
    const auto at = marks_.find(known);
    const space s = at == marks_.end() ? space::host : at->second;
    const char* const word = s == space::global ? "__global__" : s == space::host ? "__host__" : "__device__";
    return {word, name_of(*known)};
  }

  static std::string place_of(const Function& f) {
    if (f.getSubprogram() == nullptr) return "its declaration";
    const DISubprogram& s = *f.getSubprogram();
    return s.getFilename().str() + ":" + std::to_string(s.getLine());
  }

  static std::string not_allowed(bool is_constexpr, const std::string& to, std::pair<std::string, std::string> from) {
    return std::string("calling a ") + (is_constexpr ? "constexpr " : "") + "__host__ function (\"" + to +
           "\") from a " + from.first + " function (\"" + from.second + "\") is not allowed: ";
  }
  static constexpr const char* kFlag = ", or give --expt-relaxed-constexpr";

  void say_host_from_device(const CallBase& at, const Function& from, const Function& to, bool is_constexpr) {
    say(at, not_allowed(is_constexpr, name_of(to), caller(from)) + "declare it __host__ __device__ at " + place_of(to) +
                (is_constexpr ? kFlag : ""));
  }
  // Of a line that calls several members of a class, the first is enough.
  void say_library_from_device(const CallBase& at, const Function& from, const host_function& to) {
    const DILocation& place = *at.getDebugLoc();
    const std::string advice(to.instead);
    if (said_.insert(place.getFilename().str() + ":" + std::to_string(place.getLine()) + advice).second)
      say(at, not_allowed(to.is_constexpr, to.name, caller(from)) + advice + (to.is_constexpr ? kFlag : ""));
  }
  void say_device_from_host(const CallBase& at, const Function& from, const Function& to, bool of_user) {
    say(at, "calling a __device__ function (\"" + name_of(to) + "\") from a __host__ function (\"" +
                caller(from).second + "\") is not allowed: " +
                (of_user ? "call it from a kernel, or declare it __host__ __device__ at " + place_of(to)
                         : std::string("only kernels and __device__ functions have it")));
  }
  void say_not_configured(const CallBase& at, const Function& to) {
    const std::string name = name_of(to);
    say(at, "a call of a __global__ function (\"" + name + "\") must be configured: write " + name +
                "<<<grid, block>>>(arguments)");
  }

  void say(const Instruction& at, const std::string& text) {
    const DILocation& place = *at.getDebugLoc();
    const std::string message = place.getFilename().str() + ":" + std::to_string(place.getLine()) + ":" +
                                std::to_string(place.getColumn()) + ": error: " + text;
    if (said_.insert(message).second) module_.getContext().emitError("simt: " + message);
  }

  Module& module_;
  const marks noted_;
  const DenseMap<const Function*, space>& marks_;
  SmallVector<const Function*> of_device_;
  bool host_sees_another_ = false;
  std::set<std::string> said_;  // of the instances of a template
};

}  // namespace

bool refuse_calls_across_spaces(Module& m) {
  reader r(m);
  if (!r.is_of_cuda()) return false;
  r.run();
  return true;
}

}  // namespace simt::compile
