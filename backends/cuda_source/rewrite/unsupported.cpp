// SPDX-License-Identifier: Apache-2.0
// Says what this compiler of CUDA source cannot do, at the user's line and before the host compiler stumbles over it.
#include <algorithm>
#include <set>

#include "rewrite.hpp"

namespace simt::cuda_source {
namespace {

std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t corner = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, corner + (a[i - 1] == b[j - 1] ? 0 : 1)});
      corner = above;
    }
  }
  return row[b.size()];
}

std::string_view library_prefix(std::string_view name) {
  for (const std::string_view p : {"cuda", "curand", "cublas", "cufft", "cusparse", "cusolver", "cudnn", "nccl", "nvrtc", "nvml", "nvtx", "cu"})
    if (name.starts_with(p) && name.size() > p.size() && name[p.size()] >= 'A' && name[p.size()] <= 'Z') return p;
  return {};
}

std::string nearest(const unit& u, std::string_view name, std::string_view prefix) {
  std::string_view best;
  std::size_t least = name.size();
  std::set<std::string_view> ordered(u.known.begin(), u.known.end());
  for (const std::string_view k : ordered) {
    if (library_prefix(k) != prefix || k.ends_with("_t") || k.starts_with("cudaError")) continue;
    const std::size_t d = distance(name, k);
    if (d < least) {
      least = d;
      best = k;
    }
  }
  return std::string(best);
}

// A name that the user's own text declares somewhere: `type name(`, or a parameter, variable or #define'd leftover.
bool is_declared_by_user(const unit& u, std::string_view name) {
  for (position p = 0; p < u.tokens.size(); ++p) {
    if (!u.tokens[p].is_name() || u.tokens[p].text != name) continue;
    const position before = u.previous(p);
    if (before == kNowhere) continue;
    const token& b = u.at(before);
    const bool type = (b.is_name() && !b.is("return") && !b.is("else") && !b.is("case") && !b.is("throw") && !b.is("do")) || b.is("*") || b.is(">");
    if (type && !(b.is("*") && !u.at(u.next(p)).is("("))) return true;
  }
  return false;
}

bool is_texture_name(std::string_view n) {
  for (const std::string_view w : {"tex1D", "tex2D", "tex3D", "tex1Dfetch", "tex2DLod", "tex2DLayered", "tex2Dgather", "tex1DLayered", "texCubemap",
                                   "surf1Dread", "surf2Dread", "surf3Dread", "surf1Dwrite", "surf2Dwrite", "surf3Dwrite",
                                   "cudaTextureObject_t", "cudaSurfaceObject_t", "cudaCreateTextureObject", "cudaBindTexture",
                                   "cudaBindTextureToArray", "cudaCreateSurfaceObject", "cudaMallocArray", "cudaMalloc3DArray",
                                   "cudaChannelFormatDesc", "cudaCreateChannelDesc"})
    if (n == w) return true;
  return false;
}

}  // namespace

void find_unsupported(unit& u) {
  std::set<std::string_view> said;
  for (position p = 0; p < u.tokens.size(); ++p) {
    const token& t = u.tokens[p];
    if (!t.is_name()) continue;
    if (is_texture_name(t.text) && said.insert(t.text).second && !u.known.count(t.text)) {
      u.complain(p, "textures, surfaces and CUDA arrays are not supported ('" + std::string(t.text) +
                        "'); read the image through a pointer (__ldg), or a pitched allocation (cudaMallocPitch)");
      continue;
    }
    const std::string_view prefix = library_prefix(t.text);
    if (prefix.empty() || !u.at(u.next(p)).is("(") || u.known.count(t.text)) continue;
    const position before = u.previous(p);
    if (before != kNowhere && (u.at(before).is(".") || u.at(before).is("->"))) continue;
    if (is_declared_by_user(u, t.text) || !said.insert(t.text).second) continue;
    const std::string near = nearest(u, t.text, prefix);
    u.complain(p, "'" + std::string(t.text) + "' is not supported" + (near.empty() ? "" : "; the nearest that is: '" + near + "'") +
                      " (docs/cuda_source.md lists all)");
  }
}

}  // namespace simt::cuda_source
