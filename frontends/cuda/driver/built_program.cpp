// SPDX-License-Identifier: Apache-2.0
#include "built_program.hpp"

#include <elf.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "frontends/cuda/program_mark.hpp"

namespace simt::cuda_source {
namespace {

constexpr std::size_t kMostNotes = 1U << 16U;  // bytes of one segment; real ones have some hundred
constexpr int kMostSegments = 128;

template <class T>
bool read_at(std::ifstream& in, std::uint64_t at, T* to, std::size_t bytes = sizeof(T)) {
  in.seekg(static_cast<std::streamoff>(at));
  return static_cast<bool>(in.read(reinterpret_cast<char*>(to), static_cast<std::streamsize>(bytes)));
}

std::size_t padded(std::size_t bytes) { return (bytes + 3) / 4 * 4; }

std::optional<program_mark> mark_among(const std::string& notes) {
  for (std::size_t at = 0; at + sizeof(Elf64_Nhdr) <= notes.size();) {
    Elf64_Nhdr header;
    std::memcpy(&header, notes.data() + at, sizeof header);
    const std::size_t owner = at + sizeof header;
    if (header.n_namesz > notes.size() || header.n_descsz > notes.size()) return {};
    const std::size_t text = owner + padded(header.n_namesz), next = text + padded(header.n_descsz);
    if (text + header.n_descsz > notes.size()) return {};
    if (notes.compare(owner, header.n_namesz, kMarkOwner, sizeof kMarkOwner) == 0)
      return program_mark{notes.c_str() + text, header.n_type == kMarkVersion};
    at = next;
  }
  return {};
}

}  // namespace

std::optional<program_mark> mark_of(const std::string& file) {
  std::error_code failed;
  if (!std::filesystem::is_regular_file(file, failed)) return {};
  std::ifstream in(file, std::ios::binary);
  Elf64_Ehdr header;
  if (!read_at(in, 0, &header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return {};
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_phentsize != sizeof(Elf64_Phdr)) return {};
  for (int i = 0; i < header.e_phnum && i < kMostSegments; ++i) {
    Elf64_Phdr segment;
    if (!read_at(in, header.e_phoff + i * sizeof segment, &segment)) return {};
    if (segment.p_type != PT_NOTE || segment.p_filesz > kMostNotes) continue;
    std::string notes(segment.p_filesz, '\0');
    if (!read_at(in, segment.p_offset, notes.data(), notes.size())) return {};
    if (auto mark = mark_among(notes)) return mark;
  }
  return {};
}

}  // namespace simt::cuda_source
