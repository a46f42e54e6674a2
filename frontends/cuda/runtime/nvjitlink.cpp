// SPDX-License-Identifier: Apache-2.0
// nvJitLink on our own modules. What it gives out as CUBIN or PTX is a text that cuModuleLoadData takes.
#include <cstring>
#include <fstream>
#include <string_view>

#include <frontends/cuda/headers/simt_cuda/runtime_api.hpp>
#include <frontends/cuda/headers/nvJitLink.h>

#include "linked_modules.hpp"

struct nvJitLink {
  std::vector<simt::cuda_source::module_file> parts;
  std::string log, text;  // text: of the whole; empty: not complete
};

namespace {

nvJitLinkResult give_size(const std::string& text, std::size_t* bytes) {
  if (bytes == nullptr) return NVJITLINK_ERROR_NULL_INPUT;
  *bytes = text.empty() ? 0 : text.size() + 1;
  return NVJITLINK_SUCCESS;
}
nvJitLinkResult give_text(const std::string& text, void* to) {
  if (to == nullptr) return NVJITLINK_ERROR_NULL_INPUT;
  if (!text.empty()) std::memcpy(to, text.c_str(), text.size() + 1);  // no more than the size that was given
  return NVJITLINK_SUCCESS;
}

}  // namespace

nvJitLinkResult nvJitLinkCreate(nvJitLinkHandle* handle, std::uint32_t count, const char** options) {
  if (handle == nullptr || (count > 0 && options == nullptr)) return NVJITLINK_ERROR_NULL_INPUT;
  bool arch = false;
  for (std::uint32_t i = 0; i < count; ++i)
    arch |= options[i] != nullptr && std::string_view(options[i]).starts_with("-arch=");
  if (!arch) return NVJITLINK_ERROR_MISSING_ARCH;
  *handle = new nvJitLink;
  return NVJITLINK_SUCCESS;
}
nvJitLinkResult nvJitLinkDestroy(nvJitLinkHandle* handle) {
  if (handle == nullptr) return NVJITLINK_ERROR_NULL_INPUT;
  delete *handle;
  *handle = nullptr;
  return NVJITLINK_SUCCESS;
}
nvJitLinkResult nvJitLinkAddData(nvJitLinkHandle handle, nvJitLinkInputType, const void* data, std::size_t,
                                 const char*) {
  if (handle == nullptr || data == nullptr) return NVJITLINK_ERROR_NULL_INPUT;
  simt::cuda_source::module_file m;
  if (!simt::cuda_source::read_module(static_cast<const char*>(data), m)) {
    handle->log += simt_cuda::object_of_image(data).why + "\n";
    return NVJITLINK_ERROR_UNRECOGNIZED_INPUT;
  }
  handle->parts.push_back(std::move(m));
  return NVJITLINK_SUCCESS;
}
nvJitLinkResult nvJitLinkAddFile(nvJitLinkHandle handle, nvJitLinkInputType type, const char* file) {
  if (handle == nullptr || file == nullptr) return NVJITLINK_ERROR_NULL_INPUT;
  if (!std::ifstream(file)) {
    handle->log += std::string(file) + ": no such file\n";
    return NVJITLINK_ERROR_INVALID_INPUT;
  }
  const std::string whole = simt_cuda::text_of(file) + std::string(16, '\0');
  return nvJitLinkAddData(handle, type, whole.data(), whole.size(), file);
}
nvJitLinkResult nvJitLinkComplete(nvJitLinkHandle handle) {
  if (handle == nullptr) return NVJITLINK_ERROR_NULL_INPUT;
  if (handle->parts.empty()) return NVJITLINK_ERROR_INVALID_INPUT;
  const simt_cuda::compilation c = simt_cuda::link_modules(handle->parts);
  handle->log += c.messages;
  if (c.exit_code != 0) return NVJITLINK_ERROR_FINALIZE;
  handle->text = write_module(c.made);
  return NVJITLINK_SUCCESS;
}
nvJitLinkResult nvJitLinkGetLinkedCubinSize(nvJitLinkHandle handle, std::size_t* bytes) {
  if (handle == nullptr) return NVJITLINK_ERROR_NULL_INPUT;
  return handle->text.empty() ? NVJITLINK_ERROR_INVALID_INPUT : give_size(handle->text, bytes);
}
nvJitLinkResult nvJitLinkGetLinkedCubin(nvJitLinkHandle handle, void* to) {
  if (handle == nullptr) return NVJITLINK_ERROR_NULL_INPUT;
  return handle->text.empty() ? NVJITLINK_ERROR_INVALID_INPUT : give_text(handle->text, to);
}
nvJitLinkResult nvJitLinkGetLinkedPtxSize(nvJitLinkHandle handle, std::size_t* bytes) {
  return nvJitLinkGetLinkedCubinSize(handle, bytes);
}
nvJitLinkResult nvJitLinkGetLinkedPtx(nvJitLinkHandle handle, char* to) { return nvJitLinkGetLinkedCubin(handle, to); }
nvJitLinkResult nvJitLinkGetErrorLogSize(nvJitLinkHandle handle, std::size_t* bytes) {
  return handle == nullptr ? NVJITLINK_ERROR_NULL_INPUT : give_size(handle->log, bytes);
}
nvJitLinkResult nvJitLinkGetErrorLog(nvJitLinkHandle handle, char* to) {
  return handle == nullptr ? NVJITLINK_ERROR_NULL_INPUT : give_text(handle->log, to);
}
nvJitLinkResult nvJitLinkGetInfoLogSize(nvJitLinkHandle handle, std::size_t* bytes) {
  return handle == nullptr ? NVJITLINK_ERROR_NULL_INPUT : give_size({}, bytes);
}
nvJitLinkResult nvJitLinkGetInfoLog(nvJitLinkHandle handle, char* to) {
  return handle == nullptr ? NVJITLINK_ERROR_NULL_INPUT : give_text({}, to);
}
nvJitLinkResult nvJitLinkVersion(unsigned int* major, unsigned int* minor) {
  if (major == nullptr || minor == nullptr) return NVJITLINK_ERROR_NULL_INPUT;
  *major = 13;
  *minor = 0;
  return NVJITLINK_SUCCESS;
}
