// SPDX-License-Identifier: Apache-2.0
// NVML, the library that tells the state of devices, for the one device that is simulated. What it is and the memory in
// use are answered as the runtime API answers them. What only a real card has (power, temperature, load, fans,
// processes, settings) is NVML_ERROR_NOT_SUPPORTED, which the library says of cards without such a sensor.
#pragma once

#include "simt_cuda/hide_names.hpp"

#include <atomic>
#include <cstdio>
#include <cstring>

#include <cuda_runtime_api.h>

#include "simt_cuda/nvml_types.hpp"

namespace simt_cuda::nvml {

inline std::atomic<int> users{0};  // calls of nvmlInit without their nvmlShutdown
inline nvmlDevice_st device;       // its address is the handle

inline nvmlReturn_t when_started() { return users > 0 ? NVML_SUCCESS : NVML_ERROR_UNINITIALIZED; }
// `answers` for the device, once NVML is started.
template <class F>
nvmlReturn_t of(nvmlDevice_t d, F answers) {
  if (when_started() != NVML_SUCCESS) return NVML_ERROR_UNINITIALIZED;
  if (d != &device) return NVML_ERROR_INVALID_ARGUMENT;
  if constexpr (std::is_void_v<decltype(answers())>) {
    answers();
    return NVML_SUCCESS;
  } else {
    return answers();
  }
}
inline nvmlReturn_t tell(char* to, unsigned int length, const char* text) {
  if (to == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
  if (std::strlen(text) >= length) return NVML_ERROR_INSUFFICIENT_SIZE;
  std::strcpy(to, text);
  return NVML_SUCCESS;
}
inline nvmlReturn_t find(bool it_is, nvmlDevice_t* out) {
  if (when_started() != NVML_SUCCESS) return NVML_ERROR_UNINITIALIZED;
  if (out == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
  if (!it_is) return NVML_ERROR_NOT_FOUND;
  *out = &device;
  return NVML_SUCCESS;
}
inline cudaDeviceProp properties() {
  cudaDeviceProp p;
  (void)cudaGetDeviceProperties(&p, 0);
  return p;
}
inline int attribute(cudaDeviceAttr a) {
  int value = 0;
  (void)cudaDeviceGetAttribute(&value, a, 0);
  return value;
}
struct text {
  char letters[96];
};
inline text uuid() {
  const cudaDeviceProp p = properties();
  text t{"GPU-"};
  char* at = t.letters + 4;
  for (int i = 0; i < 16; ++i)
    at += std::sprintf(at, i == 4 || i == 6 || i == 8 || i == 10 ? "-%02x" : "%02x",
                       static_cast<unsigned>(static_cast<unsigned char>(p.uuid.bytes[i])));
  return t;
}
inline nvmlPciInfo_t place() {
  const cudaDeviceProp p = properties();
  nvmlPciInfo_t i{};
  i.domain = static_cast<unsigned int>(p.pciDomainID);
  i.bus = static_cast<unsigned int>(p.pciBusID);
  i.device = static_cast<unsigned int>(p.pciDeviceID);
  std::snprintf(i.busId, sizeof i.busId, "%08X:%02X:%02X.0", i.domain, i.bus, i.device);
  std::snprintf(i.busIdLegacy, sizeof i.busIdLegacy, "%04X:%02X:%02X.0", i.domain, i.bus, i.device);
  return i;
}

}  // namespace simt_cuda::nvml

// ---- the library ----
inline nvmlReturn_t nvmlInit_v2() {
  ++simt_cuda::nvml::users;
  return NVML_SUCCESS;
}
inline nvmlReturn_t nvmlInitWithFlags(unsigned int) { return nvmlInit_v2(); }
inline nvmlReturn_t nvmlShutdown() {
  if (simt_cuda::nvml::users <= 0) return NVML_ERROR_UNINITIALIZED;
  --simt_cuda::nvml::users;
  return NVML_SUCCESS;
}
inline const char* nvmlErrorString(nvmlReturn_t e) { return simt_cuda::nvml::text_of(e); }
inline nvmlReturn_t nvmlSystemGetDriverVersion(char* to, unsigned int length) {
  if (simt_cuda::nvml::when_started() != NVML_SUCCESS) return NVML_ERROR_UNINITIALIZED;
  return simt_cuda::nvml::tell(to, length, "580.0");
}
inline nvmlReturn_t nvmlSystemGetNVMLVersion(char* to, unsigned int length) {
  if (simt_cuda::nvml::when_started() != NVML_SUCCESS) return NVML_ERROR_UNINITIALIZED;
  return simt_cuda::nvml::tell(to, length, "13.580.0");
}
inline nvmlReturn_t nvmlSystemGetCudaDriverVersion(int* version) {
  if (version == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
  return cudaDriverGetVersion(version) == cudaSuccess ? NVML_SUCCESS : NVML_ERROR_UNKNOWN;
}
inline nvmlReturn_t nvmlSystemGetCudaDriverVersion_v2(int* version) { return nvmlSystemGetCudaDriverVersion(version); }

// ---- which devices there are ----
inline nvmlReturn_t nvmlDeviceGetCount_v2(unsigned int* count) {
  if (simt_cuda::nvml::when_started() != NVML_SUCCESS) return NVML_ERROR_UNINITIALIZED;
  if (count == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
  *count = 1;
  return NVML_SUCCESS;
}
inline nvmlReturn_t nvmlDeviceGetHandleByIndex_v2(unsigned int index, nvmlDevice_t* d) {
  const nvmlReturn_t r = simt_cuda::nvml::find(index == 0, d);
  return r == NVML_ERROR_NOT_FOUND ? NVML_ERROR_INVALID_ARGUMENT : r;
}
inline nvmlReturn_t nvmlDeviceGetHandleByUUID(const char* uuid, nvmlDevice_t* d) {
  return simt_cuda::nvml::find(uuid != nullptr && std::strcmp(uuid, simt_cuda::nvml::uuid().letters) == 0, d);
}
inline nvmlReturn_t nvmlDeviceGetHandleByPciBusId_v2(const char* id, nvmlDevice_t* d) {
  unsigned int domain = 0, bus = 0, device = 0;
  const bool read = id != nullptr && std::sscanf(id, "%x:%x:%x", &domain, &bus, &device) == 3;
  const nvmlPciInfo_t i = simt_cuda::nvml::place();
  return simt_cuda::nvml::find(read && domain == i.domain && bus == i.bus && device == i.device, d);
}

// ---- what the device is ----
inline nvmlReturn_t nvmlDeviceGetName(nvmlDevice_t d, char* name, unsigned int length) {
  return simt_cuda::nvml::of(d,
                             [&] { return simt_cuda::nvml::tell(name, length, simt_cuda::nvml::properties().name); });
}
inline nvmlReturn_t nvmlDeviceGetUUID(nvmlDevice_t d, char* uuid, unsigned int length) {
  return simt_cuda::nvml::of(d, [&] { return simt_cuda::nvml::tell(uuid, length, simt_cuda::nvml::uuid().letters); });
}
inline nvmlReturn_t nvmlDeviceGetIndex(nvmlDevice_t d, unsigned int* index) {
  return simt_cuda::nvml::of(d, [&] { *index = 0; });
}
inline nvmlReturn_t nvmlDeviceGetMinorNumber(nvmlDevice_t d, unsigned int* minor) {
  return simt_cuda::nvml::of(d, [&] { *minor = 0; });
}
inline nvmlReturn_t nvmlDeviceGetPciInfo_v3(nvmlDevice_t d, nvmlPciInfo_t* info) {
  return simt_cuda::nvml::of(d, [&] { *info = simt_cuda::nvml::place(); });
}
inline nvmlReturn_t nvmlDeviceGetCudaComputeCapability(nvmlDevice_t d, int* major, int* minor) {
  return simt_cuda::nvml::of(d, [&] {
    const cudaDeviceProp p = simt_cuda::nvml::properties();
    *major = p.major;
    *minor = p.minor;
  });
}
inline nvmlReturn_t nvmlDeviceGetArchitecture(nvmlDevice_t d, nvmlDeviceArchitecture_t* a) {
  return simt_cuda::nvml::of(d, [&] { *a = NVML_DEVICE_ARCH_HOPPER; });
}
inline nvmlReturn_t nvmlDeviceGetBrand(nvmlDevice_t d, nvmlBrandType_t* brand) {
  return simt_cuda::nvml::of(d, [&] { *brand = NVML_BRAND_NVIDIA; });
}
inline nvmlReturn_t nvmlDeviceGetNumGpuCores(nvmlDevice_t d, unsigned int* cores) {
  return simt_cuda::nvml::of(
      d, [&] { *cores = static_cast<unsigned int>(simt_cuda::nvml::properties().multiProcessorCount) * 128; });
}
inline nvmlReturn_t nvmlDeviceGetMemoryBusWidth(nvmlDevice_t d, unsigned int* bits) {
  return simt_cuda::nvml::of(
      d, [&] { *bits = static_cast<unsigned int>(simt_cuda::nvml::attribute(cudaDevAttrGlobalMemoryBusWidth)); });
}
inline nvmlReturn_t nvmlDeviceGetMaxClockInfo(nvmlDevice_t d, nvmlClockType_t type, unsigned int* mhz) {
  return simt_cuda::nvml::of(d, [&] {
    const bool memory = type == NVML_CLOCK_MEM;
    *mhz = static_cast<unsigned int>(
               simt_cuda::nvml::attribute(memory ? cudaDevAttrMemoryClockRate : cudaDevAttrClockRate)) /
           1000;
  });
}
// The simulated clock has one rate.
inline nvmlReturn_t nvmlDeviceGetClockInfo(nvmlDevice_t d, nvmlClockType_t type, unsigned int* mhz) {
  return nvmlDeviceGetMaxClockInfo(d, type, mhz);
}
inline nvmlReturn_t nvmlDeviceGetComputeMode(nvmlDevice_t d, nvmlComputeMode_t* mode) {
  return simt_cuda::nvml::of(d, [&] { *mode = NVML_COMPUTEMODE_DEFAULT; });
}
inline nvmlReturn_t nvmlDeviceGetMigMode(nvmlDevice_t d, unsigned int* now, unsigned int* pending) {
  return simt_cuda::nvml::of(d, [&] { *now = *pending = 0; });
}

// ---- its memory ----
inline nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t d, nvmlMemory_t* m) {
  return simt_cuda::nvml::of(d, [&] {
    std::size_t left = 0, all = 0;
    (void)cudaMemGetInfo(&left, &all);
    m->total = all;
    m->free = left;
    m->used = all - left;
  });
}
inline nvmlReturn_t nvmlDeviceGetMemoryInfo_v2(nvmlDevice_t d, nvmlMemory_v2_t* m) {
  nvmlMemory_t of_first;
  const nvmlReturn_t r = nvmlDeviceGetMemoryInfo(d, &of_first);
  if (r == NVML_SUCCESS) {
    m->total = of_first.total;
    m->reserved = 0;
    m->free = of_first.free;
    m->used = of_first.used;
  }
  return r;
}

// ---- what only a real card has ----
#define SIMT_NVML_OF_A_CARD(name)                                           \
  template <class... Arguments>                                             \
  nvmlReturn_t name(nvmlDevice_t d, Arguments...) {                         \
    return simt_cuda::nvml::of(d, [] { return NVML_ERROR_NOT_SUPPORTED; }); \
  }
SIMT_NVML_OF_A_CARD(nvmlDeviceGetPowerUsage)
SIMT_NVML_OF_A_CARD(nvmlDeviceGetTotalEnergyConsumption)
SIMT_NVML_OF_A_CARD(nvmlDeviceGetPowerManagementMode)
SIMT_NVML_OF_A_CARD(nvmlDeviceGetPowerManagementLimit)
SIMT_NVML_OF_A_CARD(nvmlDeviceGetPowerManagementLimitConstraints)
SIMT_NVML_OF_A_CARD(nvmlDeviceGetPowerManagementDefaultLimit)
SIMT_NVML_OF_A_CARD(nvmlDeviceGetEnforcedPowerLimit)
SIMT_NVML_OF_A_CARD(nvmlDeviceSetPowerManagementLimit)
SIMT_NVML_OF_A_CARD(nvmlDeviceGetPowerState)
SIMT_NVML_OF_A_CARD(nvmlDeviceGetPerformanceState)
SIMT_NVML_OF_A_CARD(nvmlDeviceGetTemperature)
SIMT_NVML_OF_A_CARD(nvmlDeviceGetTemperatureThreshold)
SIMT_NVML_OF_A_CARD(nvmlDeviceGetFanSpeed)
SIMT_NVML_OF_A_CARD(nvmlDeviceGetFanSpeed_v2)
SIMT_NVML_OF_A_CARD(nvmlDeviceGetNumFans)
SIMT_NVML_OF_A_CARD(nvmlDeviceGetUtilizationRates)
SIMT_NVML_OF_A_CARD(nvmlDeviceGetEncoderUtilization)
SIMT_NVML_OF_A_CARD(nvmlDeviceGetDecoderUtilization)
SIMT_NVML_OF_A_CARD(nvmlDeviceGetProcessUtilization)
SIMT_NVML_OF_A_CARD(nvmlDeviceGetComputeRunningProcesses_v3)
SIMT_NVML_OF_A_CARD(nvmlDeviceGetGraphicsRunningProcesses_v3)
SIMT_NVML_OF_A_CARD(nvmlDeviceGetSamples)
SIMT_NVML_OF_A_CARD(nvmlDeviceGetFieldValues)
SIMT_NVML_OF_A_CARD(nvmlDeviceGetClock)
SIMT_NVML_OF_A_CARD(nvmlDeviceGetApplicationsClock)
SIMT_NVML_OF_A_CARD(nvmlDeviceGetDefaultApplicationsClock)
SIMT_NVML_OF_A_CARD(nvmlDeviceSetApplicationsClocks)
SIMT_NVML_OF_A_CARD(nvmlDeviceResetApplicationsClocks)
SIMT_NVML_OF_A_CARD(nvmlDeviceGetSupportedMemoryClocks)
SIMT_NVML_OF_A_CARD(nvmlDeviceGetSupportedGraphicsClocks)
SIMT_NVML_OF_A_CARD(nvmlDeviceSetGpuLockedClocks)
SIMT_NVML_OF_A_CARD(nvmlDeviceResetGpuLockedClocks)
SIMT_NVML_OF_A_CARD(nvmlDeviceSetMemoryLockedClocks)
SIMT_NVML_OF_A_CARD(nvmlDeviceResetMemoryLockedClocks)
SIMT_NVML_OF_A_CARD(nvmlDeviceGetCurrentClocksThrottleReasons)
SIMT_NVML_OF_A_CARD(nvmlDeviceGetCurrentClocksEventReasons)
SIMT_NVML_OF_A_CARD(nvmlDeviceSetComputeMode)
SIMT_NVML_OF_A_CARD(nvmlDeviceGetPersistenceMode)
SIMT_NVML_OF_A_CARD(nvmlDeviceSetPersistenceMode)
SIMT_NVML_OF_A_CARD(nvmlDeviceGetEccMode)
SIMT_NVML_OF_A_CARD(nvmlDeviceGetTotalEccErrors)
SIMT_NVML_OF_A_CARD(nvmlDeviceGetMemoryErrorCounter)
SIMT_NVML_OF_A_CARD(nvmlDeviceGetBAR1MemoryInfo)
SIMT_NVML_OF_A_CARD(nvmlDeviceGetSerial)
SIMT_NVML_OF_A_CARD(nvmlDeviceGetBoardId)
SIMT_NVML_OF_A_CARD(nvmlDeviceGetVbiosVersion)
SIMT_NVML_OF_A_CARD(nvmlDeviceGetPcieThroughput)
SIMT_NVML_OF_A_CARD(nvmlDeviceGetCurrPcieLinkGeneration)
SIMT_NVML_OF_A_CARD(nvmlDeviceGetCurrPcieLinkWidth)
SIMT_NVML_OF_A_CARD(nvmlDeviceGetMaxPcieLinkGeneration)
SIMT_NVML_OF_A_CARD(nvmlDeviceGetMaxPcieLinkWidth)
SIMT_NVML_OF_A_CARD(nvmlDeviceGetNvLinkState)
SIMT_NVML_OF_A_CARD(nvmlDeviceGetViolationStatus)
SIMT_NVML_OF_A_CARD(nvmlDeviceGetAPIRestriction)
SIMT_NVML_OF_A_CARD(nvmlDeviceSetAPIRestriction)
SIMT_NVML_OF_A_CARD(nvmlDeviceGetCpuAffinity)
SIMT_NVML_OF_A_CARD(nvmlDeviceSetCpuAffinity)
#undef SIMT_NVML_OF_A_CARD

// The names without a number are macros in NVIDIA's header, too.
#define nvmlInit nvmlInit_v2
#define nvmlDeviceGetCount nvmlDeviceGetCount_v2
#define nvmlDeviceGetHandleByIndex nvmlDeviceGetHandleByIndex_v2
#define nvmlDeviceGetHandleByPciBusId nvmlDeviceGetHandleByPciBusId_v2
#define nvmlDeviceGetPciInfo nvmlDeviceGetPciInfo_v3
#define nvmlDeviceGetComputeRunningProcesses nvmlDeviceGetComputeRunningProcesses_v3
#define nvmlDeviceGetGraphicsRunningProcesses nvmlDeviceGetGraphicsRunningProcesses_v3

#include "simt_cuda/restore_names.hpp"
