// SPDX-License-Identifier: Apache-2.0
// Command line options as NVIDIA's samples read them: -name, --name, -name=value. Used where a program brings no
// helper_string.h of its own.
#ifndef COMMON_HELPER_STRING_H_
#define COMMON_HELPER_STRING_H_

#include "../simt_cuda/hide_names.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif

namespace simt_samples {
// The text behind -name or -name=, or null.
inline const char* option(int argc, const char** argv, const char* name) {
  const std::size_t length = std::strlen(name);
  for (int i = 1; i < argc; ++i) {
    const char* a = argv[i];
    if (*a != '-') continue;
    while (*a == '-') ++a;
    if (std::strncmp(a, name, length) != 0 || (a[length] != 0 && a[length] != '=')) continue;
    return a[length] == '=' ? a + length + 1 : a + length;
  }
  return nullptr;
}
}  // namespace simt_samples

inline bool checkCmdLineFlag(const int argc, const char** argv, const char* name) {
  return simt_samples::option(argc, argv, name) != nullptr;
}
inline int getCmdLineArgumentInt(const int argc, const char** argv, const char* name) {
  const char* v = simt_samples::option(argc, argv, name);
  return v == nullptr ? 0 : std::atoi(v);
}
inline float getCmdLineArgumentFloat(const int argc, const char** argv, const char* name) {
  const char* v = simt_samples::option(argc, argv, name);
  return v == nullptr ? 0.0f : static_cast<float>(std::atof(v));
}
inline bool getCmdLineArgumentString(const int argc, const char** argv, const char* name, char** value) {
  const char* v = simt_samples::option(argc, argv, name);
  *value = const_cast<char*>(v);
  return v != nullptr;
}
inline char* sdkFindFilePath(const char* name, const char*) {
  for (const char* folder : {"./", "./data/", "../data/"}) {
    const std::string path = std::string(folder) + name;
    if (std::FILE* f = std::fopen(path.c_str(), "rb")) {
      std::fclose(f);
      return strdup(path.c_str());
    }
  }
  return nullptr;
}

#include "../simt_cuda/restore_names.hpp"

#endif
