// SPDX-License-Identifier: Apache-2.0
// NVML beside the runtime API: it tells the same device, memory that the program takes is used there, and calls before
// nvmlInit or with too short a text are refused. (-lnvidia-ml)
#include <nvml.h>

#include <cctype>
#include <cstdio>
#include <cstring>

#define TRY(call)                                                     \
  do {                                                                \
    const nvmlReturn_t r = call;                                      \
    if (r != NVML_SUCCESS) printf("%s: %s\n", #call, nvmlErrorString(r)); \
  } while (0)

int main() {
  unsigned int count = 0;
  printf("before: %s\n", nvmlErrorString(nvmlDeviceGetCount(&count)));
  TRY(nvmlInit());
  TRY(nvmlDeviceGetCount(&count));
  int of_runtime = 0;
  cudaGetDeviceCount(&of_runtime);
  printf("as many devices: %d\n", count >= unsigned(of_runtime));

  char bus[32] = "";
  cudaDeviceGetPCIBusId(bus, sizeof bus, 0);
  nvmlDevice_t device;
  TRY(nvmlDeviceGetHandleByPciBusId(bus, &device));
  cudaDeviceProp p;
  cudaGetDeviceProperties(&p, 0);
  char name[NVML_DEVICE_NAME_BUFFER_SIZE], uuid[NVML_DEVICE_UUID_BUFFER_SIZE];
  TRY(nvmlDeviceGetName(device, name, sizeof name));
  TRY(nvmlDeviceGetUUID(device, uuid, sizeof uuid));
  printf("name: %d\n", std::strcmp(name, p.name) == 0);
  printf("short: %s\n", nvmlErrorString(nvmlDeviceGetName(device, name, 3)));
  bool same = std::strncmp(uuid, "GPU-", 4) == 0;
  const char *at = uuid + 4;
  for (int i = 0; i < 16; ++i) {
    if (*at == '-') ++at;
    unsigned int byte = 0;
    std::sscanf(at, "%2x", &byte);
    same = same && byte == static_cast<unsigned char>(p.uuid.bytes[i]);
    at += 2;
  }
  printf("uuid: %d\n", same);
  nvmlPciInfo_t place;
  TRY(nvmlDeviceGetPciInfo(device, &place));
  printf("place: %d\n", place.bus == unsigned(p.pciBusID) && place.device == unsigned(p.pciDeviceID));
  int major = 0, minor = 0;
  TRY(nvmlDeviceGetCudaComputeCapability(device, &major, &minor));
  printf("capability: %d\n", major == p.major && minor == p.minor);
  int version = 0, driver = 0;
  TRY(nvmlSystemGetCudaDriverVersion(&version));
  cudaDriverGetVersion(&driver);
  printf("version: %d\n", version == driver);

  nvmlMemory_t before, after;
  TRY(nvmlDeviceGetMemoryInfo(device, &before));
  printf("memory: %d\n", before.total >= p.totalGlobalMem && before.used + before.free <= before.total);
  void *taken;
  cudaMalloc(&taken, 256 << 20);
  TRY(nvmlDeviceGetMemoryInfo(device, &after));
  printf("taken: %d\n", after.used >= before.used + (256 << 20));
  cudaFree(taken);
  TRY(nvmlShutdown());
  printf("after: %s\n", nvmlErrorString(nvmlDeviceGetName(device, name, sizeof name)));
}
