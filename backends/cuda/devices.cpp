// SPDX-License-Identifier: Apache-2.0
// Which GPUs there are, what they can do, and why none answers.
#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include <fmt/format.h>

#include <backends/api/device_limits.hpp>
#include <backends/cuda/faults.hpp>
#include <backends/cuda/probe.hpp>
#include <simt/backend.hpp>
#include <simt/session.hpp>

namespace simt::backend {

namespace {

std::atomic<int> selected{0};

int attribute(cudaDeviceAttr a, int device) {
  int value = 0;
  if (cudaDeviceGetAttribute(&value, a, device) != cudaSuccess) {
    cudaGetLastError();
    return 0;
  }
  return value;
}

std::string ask_why_unavailable() {
  int count = 0;
  if (const cudaError_t e = cudaGetDeviceCount(&count); e != cudaSuccess) {
    cudaGetLastError();
    int driver = 0;
    cudaDriverGetVersion(&driver);
    if (driver == 0)
      return fmt::format("no NVIDIA driver answers ({}: {}); install one, or use --backend sim", cudaGetErrorName(e),
                         cudaGetErrorString(e));
    if (e == cudaErrorNoDevice)
      return "no CUDA device is visible (cudaErrorNoDevice); see nvidia-smi and the variable CUDA_VISIBLE_DEVICES, or "
             "use --backend sim";
    return fmt::format(
        "no CUDA device answers ({}: {}); the driver supports CUDA {}.{}, this build was made with {}.{}",
        cudaGetErrorName(e), cudaGetErrorString(e), driver / 1000, driver % 1000 / 10, CUDART_VERSION / 1000,
        CUDART_VERSION % 1000 / 10);
  }
  if (count == 0) return "there is no CUDA device; use --backend sim";
  const cudaError_t e = gpu::probe_code();
  if (e == cudaSuccess) return {};
  cudaGetLastError();
  const int major = attribute(cudaDevAttrComputeCapabilityMajor, 0),
            minor = attribute(cudaDevAttrComputeCapabilityMinor, 0);
  return fmt::format(
      "the device has compute capability {}.{} and does not run this build's code for {} ({}: {}); configure with "
      "-DSIMT_CUDA_ARCHITECTURES={}{}",
      major, minor, SIMT_CUDA_ARCHITECTURES, cudaGetErrorName(e), cudaGetErrorString(e), major, minor);
}

device_properties ask_properties(int device) {
  cudaDeviceProp d;
  gpu::check(cudaGetDeviceProperties(&d, device), fmt::format("cudaGetDeviceProperties({})", device));
  device_properties p;
  p.name = d.name;
  p.simulated = false;
  p.compute_major = d.major;
  p.compute_minor = d.minor;
  p.warp_size = d.warpSize;
  p.multiprocessors = d.multiProcessorCount;
  p.max_threads_per_block = d.maxThreadsPerBlock;
  p.max_block = {d.maxThreadsDim[0], d.maxThreadsDim[1], d.maxThreadsDim[2]};
  p.max_grid = {d.maxGridSize[0], d.maxGridSize[1], d.maxGridSize[2]};
  p.max_threads_per_multiprocessor = d.maxThreadsPerMultiProcessor;
  p.max_blocks_per_multiprocessor = d.maxBlocksPerMultiProcessor;
  p.shared_bytes_per_block = static_cast<std::int64_t>(d.sharedMemPerBlock);
  p.shared_bytes_per_block_optin = static_cast<std::int64_t>(d.sharedMemPerBlockOptin);
  p.shared_bytes_per_multiprocessor = static_cast<std::int64_t>(d.sharedMemPerMultiprocessor);
  p.registers_per_block = d.regsPerBlock;
  p.constant_bytes = static_cast<std::int64_t>(d.totalConstMem);
  p.global_bytes = static_cast<std::int64_t>(d.totalGlobalMem);
  p.l2_bytes = d.l2CacheSize;
  p.clock_khz = attribute(cudaDevAttrClockRate, device);
  p.cooperative_launch = d.cooperativeLaunch != 0;
  p.cluster_launch = attribute(cudaDevAttrClusterLaunch, device) != 0;
  p.max_cluster_blocks = p.cluster_launch ? 8 : 1;  // portable size (CUDA Programming Guide, "Thread Block Clusters")
  return p;
}

}  // namespace

std::string unavailable() {
  static const std::string why = ask_why_unavailable();
  return why;
}

int device_count() {
  int count = 0;
  const cudaError_t e = cudaGetDeviceCount(&count);
  if (e == cudaErrorNoDevice || e == cudaErrorInsufficientDriver) {
    cudaGetLastError();
    return 0;
  }
  gpu::check(e, "cudaGetDeviceCount");
  return count;
}

const device_properties& limits(int device) {
  static std::mutex mutex;
  static std::vector<std::unique_ptr<device_properties>> known;
  std::lock_guard lock(mutex);
  if (device >= 0 && static_cast<std::size_t>(device) < known.size() && known[device]) return *known[device];
  const int count = device_count();
  if (count == 0) throw error(error_kind::unavailable, unavailable());
  if (device < 0 || device >= count)
    throw error(error_kind::invalid_argument,
                fmt::format("there is no device {}: there are {}, from device 0", device, count));
  if (known.size() <= static_cast<std::size_t>(device)) known.resize(device + 1);
  known[device] = std::make_unique<device_properties>(ask_properties(device));
  return *known[device];
}
device_properties properties(int device) { return limits(device); }

void select_device(int device) {
  limits(device);  // throws if there is none
  selected = device;
}
int selected_device() { return selected; }

std::vector<device_summary> describe_devices() {
  std::vector<device_summary> all;
  int driver = 0, runtime = 0;
  cudaDriverGetVersion(&driver);
  cudaRuntimeGetVersion(&runtime);
  for (int i = 0; i < device_count(); ++i) {
    const device_properties p = properties(i);
    device_summary d = describe(p);
    d.ordinal = i;
    d.properties.emplace_back("L2 cache", fmt::format("{:.1f} MiB", static_cast<double>(p.l2_bytes) / (1 << 20)));
    d.properties.emplace_back("clock", fmt::format("{} MHz", p.clock_khz / 1000));
    d.properties.emplace_back("CUDA driver, runtime", fmt::format("{}.{}, {}.{}", driver / 1000, driver % 1000 / 10,
                                                                  runtime / 1000, runtime % 1000 / 10));
    all.push_back(std::move(d));
  }
  return all;
}

}  // namespace simt::backend
