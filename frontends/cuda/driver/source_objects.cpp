// SPDX-License-Identifier: Apache-2.0
#include "source_objects.hpp"

#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <sstream>
#include <string_view>

#include "cache.hpp"

namespace simt::cuda_source {
namespace {

constexpr std::string_view kPlain = ".simt.plain", kChecked = ".simt.checked", kAbout = ".simt.about";
constexpr std::string_view kInLibrary = ".simt.objects";  // in a shared library: an archive
// A linker that finds no symbols in such an object says why (GNU's does).
constexpr std::string_view kEndOfObject =
    ".section .gnu.warning,\"\",@progbits\n"
    ".ascii \"simrun compiled it and has to link it: make CC=simrun CXX=simrun\"\n"
    ".section .note.GNU-stack,\"\",@progbits\n";
constexpr std::string_view kArchive = "!<arch>\n", kThinArchive = "!<thin>\n";

// An archive's header of a member (ar(5)): text, padded with spaces.
struct member_header {
  char name[16], date[12], user[6], group[6], mode[8], size[10], end[2];
};

// A file, or a part of one, of which is read what is asked for: a program is linked with libraries of hundreds of MB.
class file_part {
 public:
  file_part(int file, std::uint64_t begin, std::uint64_t size) : file_(file), begin_(begin), size_(size) {}

  [[nodiscard]] std::uint64_t size() const { return size_; }
  // The part of it from there on; of a size that does not fit there is none.
  [[nodiscard]] std::optional<file_part> part(std::uint64_t at, std::uint64_t size) const {
    if (at > size_ || size > size_ - at) return {};
    return file_part(file_, begin_ + at, size);
  }
  [[nodiscard]] bool read(std::uint64_t at, void* to, std::uint64_t size) const {
    if (at > size_ || size > size_ - at) return false;
    auto* bytes = static_cast<char*>(to);
    for (std::uint64_t got = 0; got < size;) {
      const ssize_t n = pread(file_, bytes + got, size - got, static_cast<off_t>(begin_ + at + got));
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) return false;
      got += static_cast<std::uint64_t>(n);
    }
    return true;
  }
  template <class T>
  [[nodiscard]] std::optional<T> value(std::uint64_t at) const {
    T found;
    if (!read(at, &found, sizeof found)) return {};
    return found;
  }
  // All of it; empty where it cannot be read.
  [[nodiscard]] std::string text() const {
    std::string all(size_, '\0');
    return read(0, all.data(), size_) ? all : std::string();
  }

 private:
  int file_;
  std::uint64_t begin_, size_;
};

std::optional<file_part> part_of_section(const file_part& file, const Elf64_Shdr& s) {
  if (s.sh_type == SHT_NOBITS) return {};
  return file.part(s.sh_offset, s.sh_size);
}

// A section, or nothing: `file` is no ELF file, or has none of that name.
std::optional<file_part> section_named(std::string_view wanted, const file_part& file) {
  const auto header = file.value<Elf64_Ehdr>(0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64 ||
      header->e_shentsize != sizeof(Elf64_Shdr))
    return {};
  const auto section = [&](unsigned i) { return file.value<Elf64_Shdr>(header->e_shoff + i * sizeof(Elf64_Shdr)); };
  const auto of_names = section(header->e_shstrndx);
  const auto part_of_names = of_names ? part_of_section(file, *of_names) : std::nullopt;
  if (!part_of_names) return {};
  const std::string names = part_of_names->text();
  for (unsigned i = 0; i < header->e_shnum; ++i) {
    const auto s = section(i);
    if (!s || s->sh_name >= names.size()) continue;
    if (wanted == names.c_str() + s->sh_name) return part_of_section(file, *s);
  }
  return {};
}

using found_object = std::function<bool(const file_part& plain, const file_part& checked, const file_part& about)>;

// `found` is called for each object until it says that it wants no more. Returns whether it wants more.
bool for_each_object(const file_part& file, const found_object& found);

bool is_archive(const file_part& file) {
  std::array<char, kArchive.size()> begin{};
  return file.read(0, begin.data(), begin.size()) && std::string_view(begin.data(), begin.size()) == kArchive;
}

bool for_each_member(const file_part& archive, const found_object& found) {
  for (std::uint64_t at = kArchive.size(); const auto header = archive.value<member_header>(at);) {
    const std::uint64_t size = std::strtoull(std::string(header->size, sizeof header->size).c_str(), nullptr, 10);
    const auto member = archive.part(at + sizeof *header, size);
    if (!member) break;
    if (!for_each_object(*member, found)) return false;
    at += sizeof *header + size + size % 2;
  }
  return true;
}

bool for_each_object(const file_part& file, const found_object& found) {
  if (is_archive(file)) return for_each_member(file, found);
  if (const auto kept = section_named(kInLibrary, file)) return for_each_object(*kept, found);
  const auto plain = section_named(kPlain, file), checked = section_named(kChecked, file),
             about = section_named(kAbout, file);
  const bool all = plain && checked && about && plain->size() > 0 && checked->size() > 0 && about->size() > 0;
  return !all || found(*plain, *checked, *about);
}

source_object object_of(const file_part& plain, const file_part& checked, const file_part& about) {
  source_object o{plain.text(), checked.text(), {}, {}};
  std::istringstream lines(about.text());
  std::getline(lines, o.made_by);
  for (std::string line; std::getline(lines, line);) o.includes.insert(line);
  return o;
}

void for_each_object_in(const std::string& file, const found_object& found) {
  const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return;
  struct stat about {};
  if (fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode))
    for_each_object(file_part(descriptor, 0, static_cast<std::uint64_t>(about.st_size)), found);
  close(descriptor);
}

}  // namespace

std::string maker_stamp() { return file_stamp("/proc/self/exe"); }

std::vector<source_object> source_objects_in(const std::string& file) {
  std::vector<source_object> all;
  for_each_object_in(file, [&](const file_part& plain, const file_part& checked, const file_part& about) {
    all.push_back(object_of(plain, checked, about));
    return true;
  });
  return all;
}

bool holds_source_objects(const std::string& file) {
  bool any = false;
  for_each_object_in(file, [&](const file_part&, const file_part&, const file_part&) {
    any = true;
    return false;
  });
  return any;
}

process_result write_source_archive(const tool_chain& tools, const std::vector<std::string>& files,
                                    const std::string& scratch, const std::string& to) {
  std::string text = fmt::format(".section {},\"\",@progbits\n.ascii \"!<arch>\\n\"\n", kInLibrary);
  for (const std::string& file : files) {
    if (!holds_source_objects(file)) continue;
    const std::uint64_t size = std::filesystem::file_size(file);
    text += fmt::format(".ascii \"{:<48}{:<10}`\\n\"\n.incbin \"{}\"\n", "object/", size,
                        std::filesystem::absolute(file).string());
    if (size % 2 != 0) text += ".byte 10\n";
  }
  text += ".section .note.GNU-stack,\"\",@progbits\n";
  write_whole_file(scratch, text);
  return run_process({tools.compiler, "-x", "assembler", "-c", scratch, "-o", to});
}

process_result write_linked_device_code(const tool_chain& tools, const std::string& scratch, const std::string& to) {
  write_whole_file(scratch, std::string(kEndOfObject));
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
  text += kEndOfObject;
  write_whole_file(scratch, text);
  return run_process({tools.compiler, "-x", "assembler", "-c", scratch, "-o", to});
}

}  // namespace simt::cuda_source
