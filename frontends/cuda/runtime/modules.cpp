// SPDX-License-Identifier: Apache-2.0
// Modules, their kernels and variables. A module is a shared object that shares this program's runtime; its kernels
// make themselves known when it is opened (frontends/cuda/headers/simt_cuda/module_kernels.hpp).
#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string_view>

#include <frontends/cuda/headers/simt_cuda/module_kernels.hpp>
#include <sim/report/function_name.hpp>

#include "driver.hpp"
#include "modules.hpp"

namespace simt_cuda {
namespace {

std::recursive_mutex modules_mutex;
std::map<const void*, kernel_calls> module_kernels;
// Objects that are open: by file, and by what stands for a name expression in them.
struct opened {
  void* handle = nullptr;
  bool used = false;  // a module has it, or had it: its variables are no longer as they were
  std::map<std::string, named_thing> names;
};
std::map<std::string, opened> objects;
opened* opening = nullptr;
std::set<CUmodule> modules;

// Copies of objects that were loaded more than once: each has variables of its own. They are there to the end, for
// reports find their lines in them.
struct copies {
  ~copies() {
    for (const std::string& file : files) unlink(file.c_str());
  }
  std::vector<std::string> files;
} copied;

// What the loader says names a file of the cache; who lacks a function knows it by its name in the source.
std::string why_not_opened(const std::string& loader) {
  constexpr std::string_view kUndefined = "undefined symbol: ";
  const std::size_t at = loader.find(kUndefined);
  if (at == std::string::npos) return "the module cannot be opened: " + loader;
  const std::string symbol = loader.substr(at + kUndefined.size());
  return "undefined reference to '" + simt::demangled(symbol.c_str()) +
         "': no module that was linked defines it for the device (cuLinkAddData, nvJitLinkAddData)";
}

opened* open_object(const std::string& object, std::string& why) {
  opened& o = objects[object];
  if (o.handle != nullptr) return &o;
  opened* const outer = std::exchange(opening, &o);
  o.handle = dlopen(object.c_str(), RTLD_NOW | RTLD_LOCAL);
  opening = outer;
  if (o.handle != nullptr) return &o;
  const char* const text = dlerror();
  why = why_not_opened(text != nullptr ? text : object);
  return nullptr;
}

std::string copy_of(const std::string& object) {
  const char* const folder = std::getenv("TMPDIR");
  std::string name = std::string(folder != nullptr && *folder != 0 ? folder : "/tmp") + "/simt-module-XXXXXX";
  const int file = mkstemp(name.data());
  if (file < 0) return {};
  close(file);
  copied.files.push_back(name);
  std::ofstream(name, std::ios::binary) << std::ifstream(object, std::ios::binary).rdbuf();
  return name;
}

CUresult load_object(CUmodule* m, const found_object& found, std::string& why) {
  why = found.why;
  if (found.result != CUDA_SUCCESS) return found.result;
  std::lock_guard lock(modules_mutex);
  std::string file = found.object;
  if (const auto it = objects.find(file); it != objects.end() && it->second.used) file = copy_of(file);
  opened* const o = open_object(file, why);
  if (o == nullptr) return CUDA_ERROR_SHARED_OBJECT_INIT_FAILED;
  o->used = true;
  *m = new CUmod_st{o->handle, file, true, {}};
  modules.insert(*m);
  return CUDA_SUCCESS;
}

CUresult load_and_tell(CUmodule* m, const found_object& found, unsigned count, const CUjit_option* options,
                       void** values) {
  std::string why;
  const CUresult e = load_object(m, found, why);
  void* buffer[2] = {};
  std::size_t room[2] = {};
  for (unsigned i = 0; i < count; ++i) {
    const auto number = reinterpret_cast<std::uintptr_t>(values[i]);
    if (options[i] == CU_JIT_INFO_LOG_BUFFER) buffer[0] = values[i];
    if (options[i] == CU_JIT_ERROR_LOG_BUFFER) buffer[1] = values[i];
    if (options[i] == CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES) room[0] = static_cast<unsigned>(number);
    if (options[i] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES) room[1] = static_cast<unsigned>(number);
  }
  const std::string texts[2] = {{}, e == CUDA_SUCCESS ? std::string() : why};
  std::size_t written[2] = {};
  for (int k = 0; k < 2; ++k) {
    if (buffer[k] == nullptr || room[k] == 0) continue;
    written[k] = std::min(texts[k].size(), room[k] - 1);
    std::memcpy(buffer[k], texts[k].data(), written[k]);
    static_cast<char*>(buffer[k])[written[k]] = 0;
  }
  for (unsigned i = 0; i < count; ++i)
    for (int k = 0; k < 2; ++k)
      if (options[i] == (k == 0 ? CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES : CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES))
        values[i] = reinterpret_cast<void*>(written[k]);
  if (e != CUDA_SUCCESS && !why.empty()) complain_of_module(why);
  return e;
}

bool is_loaded(CUmodule m) { return m != nullptr && modules.count(m) != 0 && m->loaded; }
CUmodule as_module(CUlibrary l) { return reinterpret_cast<CUmodule>(l); }

CUresult launch_function(CUfunction f, ::dim3 grid, ::dim3 block, unsigned shared, CUstream s, void** parameters,
                         void** extra, bool cooperative) {
  if (grid.x == 0 || grid.y == 0 || grid.z == 0 || block.x == 0 || block.y == 0 || block.z == 0)
    return CUDA_ERROR_INVALID_VALUE;
  std::vector<void*> pointers;
  if (const CUresult e = arguments_of(f, parameters, extra, pointers); e != CUDA_SUCCESS) return e;
  configure(grid, block, shared, s, cooperative);
  f->calls.call(f->calls.kernel, pointers.data());
  return as_driver(finish_launch());
}

}  // namespace

CUresult arguments_of(CUfunction f, void** parameters, void** extra, std::vector<void*>& pointers) {
  if (f == nullptr || !is_loaded(f->module)) return CUDA_ERROR_INVALID_HANDLE;
  if (parameters != nullptr && extra != nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (parameters != nullptr) {
    pointers.assign(parameters, parameters + f->calls.count);
    return CUDA_SUCCESS;
  }
  if (f->calls.count == 0) return CUDA_SUCCESS;
  char* buffer = nullptr;
  std::size_t size = 0;
  for (void** at = extra; at != nullptr && *at != CU_LAUNCH_PARAM_END; at += 2) {
    if (*at == CU_LAUNCH_PARAM_BUFFER_POINTER)
      buffer = static_cast<char*>(at[1]);
    else if (*at == CU_LAUNCH_PARAM_BUFFER_SIZE)
      size = *static_cast<std::size_t*>(at[1]);
    else
      return CUDA_ERROR_INVALID_VALUE;
  }
  if (buffer == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::size_t at = 0;
  for (std::size_t i = 0; i < f->calls.count; ++i) {
    const parameter_size& p = f->calls.parameters[i];
    at = (at + p.alignment - 1) / p.alignment * p.alignment;
    if (at + p.bytes > size) return CUDA_ERROR_INVALID_VALUE;
    pointers.push_back(buffer + at);
    at += p.bytes;
  }
  return CUDA_SUCCESS;
}

CUmodule the_program() {
  static auto* const program = [] {
    std::lock_guard lock(modules_mutex);
    return *modules.insert(new CUmod_st{nullptr, {}, true, {}}).first;
  }();
  return program;
}

void know_module_kernel(const kernel_calls& k) {
  std::lock_guard lock(modules_mutex);
  module_kernels[k.kernel] = k;
}
void complain_of_module(const std::string& why) {
  std::fprintf(stderr, "simt: %s%s", why.c_str(), why.ends_with('\n') ? "" : "\n");
}
bool know_module_variables(const void* first, const void* last) {
  if (first != nullptr) simt::frontend::know_references(first, last);
  return true;
}
void know_name(const char* expression, const void* address, bool function) {
  std::lock_guard lock(modules_mutex);
  if (opening != nullptr) opening->names[expression] = {address, function};
}
std::string fault_of_object(const std::string& object) {
  std::lock_guard lock(modules_mutex);
  std::string why;
  open_object(object, why);
  return why;
}
std::optional<named_thing> find_expression(const std::string& object, const std::string& expression) {
  std::lock_guard lock(modules_mutex);
  std::string why;
  opened* const o = open_object(object, why);
  if (o == nullptr) return {};
  const auto it = o->names.find(expression);
  if (it == o->names.end()) return {};
  return it->second;
}

}  // namespace simt_cuda

using namespace simt_cuda;

CUresult cuModuleLoad(CUmodule* m, const char* file) {
  SIMT_DRIVER_CALL;
  if (m == nullptr || file == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return load_and_tell(m, object_of_file(file), 0, nullptr, nullptr);
}
CUresult cuModuleLoadDataEx(CUmodule* m, const void* image, unsigned int count, CUjit_option* options, void** values) {
  SIMT_DRIVER_CALL;
  if (m == nullptr || image == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return load_and_tell(m, object_of_image(image), count, options, values);
}
CUresult cuModuleLoadData(CUmodule* m, const void* image) { return cuModuleLoadDataEx(m, image, 0, nullptr, nullptr); }
CUresult cuModuleLoadFatBinary(CUmodule* m, const void* image) {
  return cuModuleLoadDataEx(m, image, 0, nullptr, nullptr);
}
// The object stays open: what a kernel of it left may still be reported, and the lines stand there.
CUresult cuModuleUnload(CUmodule m) {
  SIMT_DRIVER_CALL;
  std::lock_guard lock(modules_mutex);
  if (!is_loaded(m)) return CUDA_ERROR_INVALID_HANDLE;
  m->loaded = false;
  return CUDA_SUCCESS;
}
CUresult cuModuleGetFunction(CUfunction* f, CUmodule m, const char* name) {
  SIMT_DRIVER_CALL;
  if (f == nullptr || name == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::lock_guard lock(modules_mutex);
  if (!is_loaded(m)) return CUDA_ERROR_INVALID_HANDLE;
  std::unique_ptr<CUfunc_st>& known = m->functions[name];
  if (known == nullptr) {
    const auto it = module_kernels.find(dlsym(m->handle, name));
    if (it == module_kernels.end()) {
      m->functions.erase(name);
      return CUDA_ERROR_NOT_FOUND;
    }
    known.reset(new CUfunc_st{m, it->second, name});
  }
  *f = known.get();
  return CUDA_SUCCESS;
}
CUresult cuModuleGetGlobal(CUdeviceptr* p, std::size_t* bytes, CUmodule m, const char* name) {
  SIMT_DRIVER_CALL;
  if (name == nullptr || (p == nullptr && bytes == nullptr)) return CUDA_ERROR_INVALID_VALUE;
  std::lock_guard lock(modules_mutex);
  if (!is_loaded(m)) return CUDA_ERROR_INVALID_HANDLE;
  const void* const symbol = dlsym(m->handle, name);  // a reference: it holds the address
  if (symbol == nullptr || module_kernels.count(symbol) != 0) return CUDA_ERROR_NOT_FOUND;
  const void* const address = *static_cast<const void* const*>(symbol);
  const std::size_t size = variable_bytes(address);
  if (size == 0) return CUDA_ERROR_NOT_FOUND;
  if (p != nullptr) *p = as_device(address);
  if (bytes != nullptr) *bytes = size;
  return CUDA_SUCCESS;
}

CUresult cuLibraryLoadData(CUlibrary* l, const void* image, CUjit_option* options, void** values, unsigned int count,
                           CUlibraryOption*, void**, unsigned int) {
  return cuModuleLoadDataEx(reinterpret_cast<CUmodule*>(l), image, count, options, values);
}
CUresult cuLibraryLoadFromFile(CUlibrary* l, const char* file, CUjit_option*, void**, unsigned int, CUlibraryOption*,
                               void**, unsigned int) {
  return cuModuleLoad(reinterpret_cast<CUmodule*>(l), file);
}
CUresult cuLibraryUnload(CUlibrary l) { return cuModuleUnload(as_module(l)); }
CUresult cuLibraryGetKernel(CUkernel* k, CUlibrary l, const char* name) {
  return cuModuleGetFunction(reinterpret_cast<CUfunction*>(k), as_module(l), name);
}
CUresult cuLibraryGetModule(CUmodule* m, CUlibrary l) {
  if (m == nullptr || !is_loaded(as_module(l))) return CUDA_ERROR_INVALID_HANDLE;
  *m = as_module(l);
  return CUDA_SUCCESS;
}
CUresult cuLibraryGetGlobal(CUdeviceptr* p, std::size_t* bytes, CUlibrary l, const char* name) {
  return cuModuleGetGlobal(p, bytes, as_module(l), name);
}
CUresult cuKernelGetFunction(CUfunction* f, CUkernel k) {
  if (f == nullptr || k == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  *f = reinterpret_cast<CUfunction>(k);
  return CUDA_SUCCESS;
}

CUresult cuLaunchKernel(CUfunction f, unsigned int gx, unsigned int gy, unsigned int gz, unsigned int bx,
                        unsigned int by, unsigned int bz, unsigned int shared, CUstream s, void** parameters,
                        void** extra) {
  SIMT_DRIVER_CALL;
  return launch_function(f, {gx, gy, gz}, {bx, by, bz}, shared, s, parameters, extra, false);
}
CUresult cuLaunchCooperativeKernel(CUfunction f, unsigned int gx, unsigned int gy, unsigned int gz, unsigned int bx,
                                   unsigned int by, unsigned int bz, unsigned int shared, CUstream s,
                                   void** parameters) {
  SIMT_DRIVER_CALL;
  return launch_function(f, {gx, gy, gz}, {bx, by, bz}, shared, s, parameters, nullptr, true);
}
