// SPDX-License-Identifier: Apache-2.0
#include "exported_symbols.hpp"

#include <ar.h>
#include <elf.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <string_view>

#include "cache.hpp"

namespace simt::cuda_source {
namespace {

template <class T>
T read_at(const std::string& bytes, std::size_t at) {
  if (at > bytes.size() || bytes.size() - at < sizeof(T)) throw std::runtime_error("it is cut off");
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

bool is_object(const std::string& bytes, std::size_t at) {
  return bytes.compare(at, SELFMAG, ELFMAG) == 0 && bytes.size() > at + EI_CLASS && bytes[at + EI_CLASS] == ELFCLASS64;
}

// Of the object that begins at `start`: hidden symbols that others may refer to become visible. The standard library's
// stay as they are, for they are inline functions and templates that every module has of its own.
void unhide(std::string& bytes, std::size_t start) {
  const auto header = read_at<Elf64_Ehdr>(bytes, start);
  const auto section = [&](std::size_t i) {
    return read_at<Elf64_Shdr>(bytes, start + header.e_shoff + i * sizeof(Elf64_Shdr));
  };
  const std::size_t sections = header.e_shnum != 0 ? header.e_shnum : header.e_shoff != 0 ? section(0).sh_size : 0;
  for (std::size_t i = 0; i < sections; ++i) {
    const Elf64_Shdr table = section(i);
    if (table.sh_type != SHT_SYMTAB) continue;
    const std::size_t names = start + section(table.sh_link).sh_offset;
    for (std::size_t at = start + table.sh_offset, end = at + table.sh_size; at + sizeof(Elf64_Sym) <= end;
         at += sizeof(Elf64_Sym)) {
      const auto symbol = read_at<Elf64_Sym>(bytes, at);
      if (ELF64_ST_BIND(symbol.st_info) == STB_LOCAL || ELF64_ST_VISIBILITY(symbol.st_other) != STV_HIDDEN) continue;
      const std::string_view name(bytes.c_str() + std::min(names + symbol.st_name, bytes.size()));
      if (name.starts_with("_ZNSt") || name.starts_with("_ZNKSt") || name.starts_with("_ZSt")) continue;
      bytes[at + offsetof(Elf64_Sym, st_other)] = STV_DEFAULT;
    }
  }
}

}  // namespace

std::string exported_copy(const std::string& file, const std::string& folder) {
  std::string bytes = whole_file(file);
  try {
    if (is_object(bytes, 0)) {
      unhide(bytes, 0);
    } else {
      if (!bytes.starts_with(ARMAG)) throw std::runtime_error("it is neither an archive nor an object");
      for (std::size_t at = SARMAG; at < bytes.size();) {
        const auto member = read_at<ar_hdr>(bytes, at);
        const auto size = std::strtoull(std::string(member.ar_size, sizeof member.ar_size).c_str(), nullptr, 10);
        at += sizeof member;
        if (is_object(bytes, at)) unhide(bytes, at);
        at += size + size % 2;
      }
    }
  } catch (const std::runtime_error& e) {
    throw std::runtime_error(file + " cannot be lent to modules: " + e.what());
  }
  const auto copy = std::filesystem::path(folder) / std::filesystem::path(file).filename();
  write_whole_file(copy, bytes);
  return copy.string();
}

}  // namespace simt::cuda_source
