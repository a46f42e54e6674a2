// SPDX-License-Identifier: Apache-2.0
// From kernel<<<...>>>(...) to a launch of the engine.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <frontends/cuda/headers/simt_cuda/runtime_api.hpp>
#include <backends/sim/frontend.hpp>
#include <backends/sim/start_launch.hpp>
#include <sim/report/function_name.hpp>
#include <simt/simt.hpp>

#include "host_limit.hpp"
#include "result_uses.hpp"
#include "state.hpp"
#include "stream_numbers.hpp"

namespace simt_cuda {
namespace {

struct pending_launch {
  ::dim3 grid, block;
  std::size_t shared_bytes = 0;
  cudaStream_t stream = nullptr;
  bool cooperative = false;
  ::dim3 cluster;
  std::uintptr_t from = 0;  // where the program launches
};
thread_local std::vector<pending_launch> pending;
thread_local cudaError_t launch_result = cudaSuccess;

// What CUDA 13 gives for a geometry or an amount of shared memory over the limits (seen on an H200).
constexpr cudaError_t kBadLaunch = cudaErrorInvalidValue;

std::mutex attribute_mutex;
std::map<const void*, std::int64_t> dynamic_limits;  // cudaFuncSetAttribute
std::map<std::string, std::int64_t, std::less<>> dynamic_limits_by_signature;
std::int64_t dynamic_limit_of_unknown = 0;  // of kernels whose signature nobody could tell
thread_local const char** signature_wanted = nullptr;
constexpr std::int64_t kDynamicWithoutAsking = 48 * 1024;

// How many template arguments "void reduce<float, 4>(float*, int)::{lambda..." gives its function.
int argument_count(const std::string& closure) {
  int depth = 0, count = 0;
  for (const char c : closure) {
    if (c == '(' && depth == 0) break;
    if (c == '<' && depth == 0) count = 1;
    if (c == ',' && depth == 1) ++count;
    if (c == '<' || c == '(' || c == '{') ++depth;
    if (c == '>' || c == ')' || c == '}') --depth;
  }
  return count;
}

constexpr std::string_view kAnonymous = "(anonymous namespace)::";  // clang

// "void reduce(T*, int) [with T = float]" to "reduce<float>"; kept for the process, launches refer to it. Behind the
// template's parameters the list has the type names that the signature uses: `closure`, the type of the kernel's body,
// tells how many are to be taken (null: all).
const char* kernel_name(const char* signature, const char* closure) {
  static std::mutex mutex;
  static std::map<const char*, std::string> names;
  std::lock_guard lock(mutex);
  auto [it, fresh] = names.try_emplace(signature);
  if (!fresh) return it->second.c_str();
  std::string s(signature);
  for (std::size_t at; (at = s.find(kAnonymous)) != std::string::npos;) s.erase(at, kAnonymous.size());
  const std::size_t with = s.find(" [");
  std::size_t end = s.find('(');
  int depth = 0;
  for (std::size_t i = 0; i < s.size(); ++i) {  // the parameter list: the first ( outside <>
    if (s[i] == '<') ++depth;
    if (s[i] == '>') --depth;
    if (s[i] == '(' && depth == 0) {
      end = i;
      break;
    }
  }
  std::size_t begin = end;
  while (begin > 0 && s[begin - 1] != ' ') --begin;
  std::string name = s.substr(begin, end - begin);
  if (with != std::string::npos && name.find('<') == std::string::npos) {
    int left = std::numeric_limits<int>::max();
    if (closure != nullptr)
      if (const std::string text = simt::demangled(closure); text != closure) left = argument_count(text);
    std::string arguments;
    std::string list = s.substr(with + 2, s.size() - with - 3);
    if (list.rfind("with ", 0) == 0) list = list.substr(5);
    int nested = 0, packed = 0;
    std::size_t start = std::string::npos;
    for (std::size_t i = 0; i <= list.size() && left > 0; ++i) {
      const char c = i < list.size() ? list[i] : ';';
      if (c == '<' || c == '(' || c == '{') ++nested;
      if (c == '>' || c == ')' || c == '}') --nested;
      if (c == ',' && nested == 1 && start != std::string::npos && (list[start] == '{' || list[start] == '<')) ++packed;
      if (c == '=' && nested == 0 && start == std::string::npos) start = i + 2;
      if ((c == ';' || (c == ',' && nested == 0)) && start != std::string::npos) {
        std::string argument = list.substr(start, i - start);
        if (argument.front() == '<') argument = "{" + argument.substr(1, argument.size() - 2) + "}";  // clang's pack
        arguments += (arguments.empty() ? "" : ", ") + argument;
        left -= argument == "{}" ? 0 : 1 + packed;
        packed = 0;
        start = std::string::npos;
      }
    }
    if (!arguments.empty()) name += "<" + arguments + ">";
  }
  it->second = name;
  return it->second.c_str();
}

}  // namespace

cudaError_t error_of(simt::cause why) {
  switch (why) {
    case simt::cause::fault_assert:
      return cudaErrorAssert;
    case simt::cause::fault_freed:
    case simt::cause::fault_no_allocation:
    case simt::cause::fault_null:
    case simt::cause::fault_no_device:
      return cudaErrorIllegalAddress;
    case simt::cause::fault_timeout:
      return cudaErrorLaunchTimeout;
    case simt::cause::fault_stack:
      return cudaErrorHardwareStackError;
    default:
      return cudaErrorLaunchFailure;
  }
}

namespace {

void run(simt::sim::launch_request& request, const char* signature, const char* closure_name) {
  launch_result = cudaSuccess;
  if (pending.empty()) {
    std::fprintf(stderr, "simt: kernel %s was called like a function; a kernel is launched with <<<grid, block>>>\n",
                 kernel_name(signature, closure_name));
    std::exit(2);
  }
  const pending_launch p = pending.back();
  pending.pop_back();
  if (sticky_error() != cudaSuccess) {
    launch_result = sticky_error();
    return;
  }
  if (kernel_was_lost()) return;  // on its way behind one that died: no error yet, but it never begins
  request.name = kernel_name(signature, closure_name);
  simt::launch_config config;
  config.grid = {p.grid.x, p.grid.y, p.grid.z};
  config.block = {p.block.x, p.block.y, p.block.z};
  config.shared_bytes = static_cast<std::int64_t>(p.shared_bytes);
  config.cooperative = p.cooperative;
  config.cluster = {p.cluster.x, p.cluster.y, p.cluster.z};
  if (config.shared_bytes > kDynamicWithoutAsking) {
    std::lock_guard lock(attribute_mutex);
    const auto asked = dynamic_limits_by_signature.find(signature);
    if (config.shared_bytes >
        std::max(dynamic_limit_of_unknown, asked == dynamic_limits_by_signature.end() ? 0 : asked->second)) {
      launch_failed(launch_result = cudaErrorInvalidValue,
                    "kernel " + std::string(request.name) +
                        ": more than 48 KiB of dynamic shared memory must be asked for first: "
                        "cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, " +
                        std::to_string(config.shared_bytes) + ")",
                    p.from);
      return;
    }
  }
  try {
    simt::check_launch(config, simt::backend::properties(0), request.name);
  } catch (const simt::grid_too_large& e) {
    launch_failed(launch_result = cudaErrorCooperativeLaunchTooLarge, e.what(), p.from);
    return;
  } catch (const simt::error& e) {
    launch_failed(launch_result = kBadLaunch, e.what(), p.from);
    return;
  }
  const auto stream = static_cast<simt::backend::stream_handle>(stream_number(p.stream));
  if (!simt::backend::stream_exists(stream)) {
    launch_failed(launch_result = cudaErrorInvalidResourceHandle,
                  "kernel " + std::string(request.name) + ": its stream does not exist (any more)", p.from);
    return;
  }
  simt::sim::set_geometry(request, config, stream);
  if (p.cooperative && simt::backend::capturing(stream)) {
    launch_failed(launch_result = cudaErrorNotSupported, "a cooperative launch in a captured graph is not supported",
                  p.from);
    return;
  }
  result_of_launch(request.name);
  const launch_under_way here;
  try {
    simt::sim::launch_and_report(request);
  } catch (const simt::sim::kernel_fault& e) {
    rest_if_interrupted();
    kernel_died(error_of(e.why()));
  } catch (const simt::error& e) {
    const int capture = simt::backend::take_capture_error();
    launch_failed(launch_result = capture != 0 ? static_cast<cudaError_t>(capture) : kBadLaunch, e.what(), p.from);
  }
}

// A kernel that a kernel launched: it runs when that one has ended, as CUDA allows, in the order of the launches, and
// before the next one all that it launches itself. Those at the tail are behind all others, and are judged as if the
// host had launched them.
struct child_launch {
  pending_launch geometry;
  const char* signature;
  const char* closure_name;
  simt::sim::kernel_bodies bodies;
  bool instrumented;
  std::vector<unsigned char> arguments;  // aligned by hand: see aligned()
  std::size_t bytes;
  bool at_tail;
  std::uint64_t number;  // to the checks; 0: it is no child to them
};
constexpr std::size_t kArgumentAlignment = 64;
std::mutex children_mutex;
std::vector<child_launch> children;

unsigned char* aligned(child_launch& c) {
  const auto at = reinterpret_cast<std::uintptr_t>(c.arguments.data());
  return c.arguments.data() + (kArgumentAlignment - at % kArgumentAlignment) % kArgumentAlignment;
}

void launch_later(const simt::sim::launch_request& request, const char* signature, const char* closure_name) {
  const simt::frontend::uninterrupted alone;
  std::lock_guard lock(children_mutex);
  if (pending.empty()) return;
  cudaStream_t stream = pending.back().stream;
  const bool at_tail = stream == cudaStreamTailLaunch;
  if (stream == cudaStreamFireAndForget) stream = new_stream_of_kernels();
  children.push_back({pending.back(),
                      signature,
                      closure_name,
                      request.bodies,
                      request.instrumented,
                      {},
                      request.args_bytes,
                      at_tail,
                      at_tail ? 0 : simt::frontend::kernel_launched(reinterpret_cast<std::uintptr_t>(stream))});
  pending.pop_back();
  child_launch& c = children.back();
  c.geometry.stream = nullptr;
  c.arguments.resize(c.bytes + kArgumentAlignment);
  std::memcpy(aligned(c), request.args, c.bytes);
}

void run_children(cudaStream_t stream) {
  std::vector<child_launch> now;
  {
    std::lock_guard lock(children_mutex);
    now.swap(children);
  }
  std::stable_partition(now.begin(), now.end(), [](const child_launch& c) { return !c.at_tail; });
  for (child_launch& c : now) {
    simt::sim::launch_request child{};
    child.bodies = c.bodies;
    child.instrumented = c.instrumented;
    child.args = aligned(c);
    child.args_bytes = c.bytes;
    child.child = c.number;
    c.geometry.stream = stream;
    pending.push_back(c.geometry);
    run(child, c.signature, c.closure_name);
    run_children(stream);
  }
}

void run_or_keep(simt::sim::launch_request& request, const char* signature, const char* closure_name) {
  if (simt::frontend::on_device()) return launch_later(request, signature, closure_name);
  const cudaStream_t stream = pending.empty() ? nullptr : pending.back().stream;
  run(request, signature, closure_name);
  const cudaError_t parents = launch_result;
  run_children(stream);
  launch_result = parents;
}

#if defined(SIMT_VARIANT_CHECK)
void checked_body(simt::sim::block_context& b, simt::sim::fiber& self) {
  const auto* c = static_cast<const checked_closure*>(b.launch->args);
  simt::sim::walk_threads(b, self, [c](simt::sim::checked_thread_loop& walk) { c->call(c->bytes, walk); });
}
#endif

}  // namespace

void configure(::dim3 grid, ::dim3 block, std::size_t shared_bytes, cudaStream_t stream, bool cooperative,
               ::dim3 cluster) {
  const simt::frontend::uninterrupted alone;
  if (!simt::frontend::on_device()) ensure_started();
  if (!in_driver) runtime_used = true;
  const auto from = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
  pending.push_back({grid, block, shared_bytes, stream, cooperative, cluster, from});
}

void ask_for_signature(const char** answer) { signature_wanted = answer; }

void use_cluster(::dim3 cluster) {
  if (signature_wanted == nullptr && !pending.empty()) pending.back().cluster = cluster;
}

#if defined(SIMT_VARIANT_CHECK)
void launch(const char* signature, const char* closure_name, row_call call, const simt::sim::loop_body* loops,
            const void* closure, std::size_t bytes) {
  if (signature_wanted != nullptr) {
    *std::exchange(signature_wanted, nullptr) = signature;
    return;
  }
  const std::size_t room = sizeof(checked_closure) + bytes;
  auto* c = static_cast<checked_closure*>(std::aligned_alloc(64, (room + 63) / 64 * 64));
  c->call = call;
  std::memcpy(c->bytes, closure, bytes);
  simt::sim::launch_request request{};
  request.bodies.threads = &checked_body;
  if (loops != nullptr) request.bodies.loops = loops;
  request.instrumented = true;
  request.args = c;
  request.args_bytes = room;
  run_or_keep(request, signature, closure_name);
  std::free(c);
}
#else
void run_thread_calls(simt::sim::block_context& b, simt::sim::fiber& self, thread_call call, const void* closure) {
  const auto in_words = [](const simt::sim::extent3& e) { return ::dim3(place_in(e.x, e.y, e.z)); };
  const launch_extents extents{in_words(b.launch->block), in_words(b.launch->grid)};
  running = b.queue;
  simt::sim::run_over_threads(
      b, self, [&](std::int64_t x, std::int64_t y, std::int64_t z, std::int64_t bx, std::int64_t by, std::int64_t bz) {
        call(closure, place_in(x, y, z), place_in(bx, by, bz), extents);
      });
}

void launch(const char* signature, const char* closure_name, simt::sim::block_function body,
            const simt::sim::loop_body* loops, const void* closure, std::size_t bytes) {
  if (signature_wanted != nullptr) {
    *std::exchange(signature_wanted, nullptr) = signature;
    return;
  }
  simt::sim::launch_request request{};
  request.bodies.threads = body;
  if (loops != nullptr) request.bodies.loops = loops;
  request.args = closure;
  request.args_bytes = bytes;
  run_or_keep(request, signature, closure_name);
}
#endif

cudaError_t finish_launch() { return launch_result; }

cudaError_t function_attributes(cudaFuncAttributes* a, const void* f) {
  *a = {};
  a->maxThreadsPerBlock = 1024;
  a->numRegs = 32;
  a->ptxVersion = a->binaryVersion = 90;
  std::lock_guard lock(attribute_mutex);
  const auto it = dynamic_limits.find(f);
  a->maxDynamicSharedSizeBytes = static_cast<int>(it == dynamic_limits.end() ? kDynamicWithoutAsking : it->second);
  return cudaSuccess;
}
cudaError_t set_function_attribute(const void* f, const char* signature, cudaFuncAttribute attribute, int value) {
  if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return cudaSuccess;
  if (value < 0 || value > simt::backend::properties(0).shared_bytes_per_block_optin)
    return fail(cudaErrorInvalidValue);
  const kernel_calls* const known = known_kernel(f);
  if (signature == nullptr && known != nullptr) signature = known->signature(f);
  std::lock_guard lock(attribute_mutex);
  dynamic_limits[f] = value;
  if (signature != nullptr)
    dynamic_limits_by_signature[signature] = value;
  else
    dynamic_limit_of_unknown = std::max<std::int64_t>(dynamic_limit_of_unknown, value);
  return cudaSuccess;
}
int resident_blocks(int block_size, std::size_t dynamic_shared) {
  if (block_size < 1 || block_size > 1024) return 0;
  return simt::resident_blocks(simt::backend::properties(0), block_size, static_cast<std::int64_t>(dynamic_shared));
}

}  // namespace simt_cuda
