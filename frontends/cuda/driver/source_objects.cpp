// SPDX-License-Identifier: Apache-2.0
#include "source_objects.hpp"

#include <elf.h>
#include <fmt/format.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>

#include "cache.hpp"

namespace simt::cuda_source {
namespace {

constexpr std::string_view kPlain = ".simt.plain", kChecked = ".simt.checked", kAbout = ".simt.about";
constexpr std::string_view kInLibrary = ".simt.objects";  // in a shared library: an archive
constexpr std::string_view kArchive = "!<arch>\n", kThinArchive = "!<thin>\n";

// An archive's header of a member (ar(5)): text, padded with spaces.
struct member_header {
  char name[16], date[12], user[6], group[6], mode[8], size[10], end[2];
};

template <class T>
std::optional<T> part_at(std::string_view file, std::uint64_t at) {
  if (at > file.size() || file.size() - at < sizeof(T)) return {};
  T part;
  std::memcpy(&part, file.data() + at, sizeof part);
  return part;
}

std::string_view section_text(std::string_view file, const Elf64_Shdr& s) {
  if (s.sh_type == SHT_NOBITS || s.sh_offset > file.size() || file.size() - s.sh_offset < s.sh_size) return {};
  return file.substr(s.sh_offset, s.sh_size);
}

// A section's text, or nothing: `file` is no ELF file, or has none of that name.
std::string_view section_named(std::string_view wanted, std::string_view file) {
  const auto header = part_at<Elf64_Ehdr>(file, 0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64 ||
      header->e_shentsize != sizeof(Elf64_Shdr))
    return {};
  const auto section = [&](unsigned i) { return part_at<Elf64_Shdr>(file, header->e_shoff + i * sizeof(Elf64_Shdr)); };
  const auto of_names = section(header->e_shstrndx);
  if (!of_names) return {};
  const std::string_view names = section_text(file, *of_names);
  for (unsigned i = 0; i < header->e_shnum; ++i) {
    const auto s = section(i);
    if (!s || s->sh_name >= names.size()) continue;
    const std::string_view rest = names.substr(s->sh_name);
    if (rest.substr(0, rest.find('\0')) == wanted) return section_text(file, *s);
  }
  return {};
}

void add_object(std::string_view file, std::vector<source_object>& all) {
  const std::string_view plain = section_named(kPlain, file), checked = section_named(kChecked, file);
  std::string_view about = section_named(kAbout, file);
  if (plain.empty() || checked.empty() || about.empty()) return;
  source_object o{std::string(plain), std::string(checked), {}, {}};
  while (!about.empty()) {
    const std::size_t end = std::min(about.find('\n'), about.size());
    const std::string line(about.substr(0, end));
    about.remove_prefix(std::min(end + 1, about.size()));
    if (o.made_by.empty())
      o.made_by = line;
    else
      o.includes.insert(line);
  }
  all.push_back(std::move(o));
}

void add_all(std::string_view file, std::vector<source_object>& all) {
  if (!file.starts_with(kArchive)) {
    if (const std::string_view kept = section_named(kInLibrary, file); !kept.empty()) return add_all(kept, all);
    return add_object(file, all);
  }
  for (std::uint64_t at = kArchive.size(); const auto header = part_at<member_header>(file, at);) {
    const std::uint64_t size = std::strtoull(std::string(header->size, sizeof header->size).c_str(), nullptr, 10);
    const std::string_view rest = file.substr(at + sizeof *header);
    if (size > rest.size()) break;
    add_all(rest.substr(0, size), all);
    at += sizeof *header + size + size % 2;
  }
}

}  // namespace

std::string maker_stamp() { return file_stamp("/proc/self/exe"); }

std::vector<source_object> source_objects_in(const std::string& file) {
  std::vector<source_object> all;
  add_all(whole_file(file), all);
  return all;
}

process_result write_source_archive(const tool_chain& tools, const std::vector<std::string>& files,
                                    const std::string& scratch, const std::string& to) {
  std::string text = fmt::format(".section {},\"\",@progbits\n.ascii \"!<arch>\\n\"\n", kInLibrary);
  for (const std::string& file : files) {
    if (source_objects_in(file).empty()) continue;
    const std::uint64_t size = std::filesystem::file_size(file);
    text += fmt::format(".ascii \"{:<48}{:<10}`\\n\"\n.incbin \"{}\"\n", "object/", size,
                        std::filesystem::absolute(file).string());
    if (size % 2 != 0) text += ".byte 10\n";
  }
  text += ".section .note.GNU-stack,\"\",@progbits\n";
  write_whole_file(scratch, text);
  return run_process({tools.compiler, "-x", "assembler", "-c", scratch, "-o", to});
}

bool is_thin_archive(const std::string& file) {
  std::string begin(kThinArchive.size(), '\0');
  std::ifstream(file, std::ios::binary).read(begin.data(), static_cast<std::streamsize>(begin.size()));
  return begin == kThinArchive;
}

process_result write_source_object(const tool_chain& tools, const std::string& plain, const std::string& checked,
                                   const std::set<std::string>& files_read, const std::string& scratch,
                                   const std::string& to) {
  std::string text;
  const auto begin = [&](std::string_view section) { text += fmt::format(".section {},\"\",@progbits\n", section); };
  begin(kPlain), text += fmt::format(".incbin \"{}\"\n", plain);
  begin(kChecked), text += fmt::format(".incbin \"{}\"\n", checked);
  begin(kAbout), text += fmt::format(".ascii \"{}\\n\"\n", maker_stamp());
  for (const std::string& file : files_read)
    if (file.starts_with(tools.headers)) text += fmt::format(".ascii \"{}\\n\"\n", file);
  // A linker that finds no symbols here says why (GNU's does).
  begin(".gnu.warning"), text += ".ascii \"simrun compiled it and has to link it: make CC=simrun CXX=simrun\"\n";
  text += ".section .note.GNU-stack,\"\",@progbits\n";
  write_whole_file(scratch, text);
  return run_process({tools.compiler, "-x", "assembler", "-c", scratch, "-o", to});
}

}  // namespace simt::cuda_source
