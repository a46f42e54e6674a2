// SPDX-License-Identifier: Apache-2.0
// Command lines in nvcc's form. Every row of the driver's table must be read in every form that it has.
#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "frontends/cuda/driver/options.hpp"

namespace {

using namespace simt::cuda_source;
using words = std::vector<std::string>;

words split(const std::string& line) {
  std::istringstream in(line);
  words all;
  for (std::string word; in >> word;) all.push_back(word);
  return all;
}
source_command read(const std::string& line) { return read_command_line(split(line)); }

// A value that the option takes.
std::string value_for(const nvcc_option& o) {
  switch (o.use) {
    case option_use::default_stream:
      return "per-thread";
    case option_use::standard:
      return "c++20";
    case option_use::language:
      return "cu";
    case option_use::to_compiler:
      return "-Wall,-lm";
    case option_use::to_linker:
      return "-rpath,lib";
    default:
      return "3";
  }
}

// All ways to write the option with that value.
std::vector<words> spellings(const nvcc_option& o) {
  std::vector<words> all;
  for (const std::string_view view : {o.name, o.long_name}) {
    const std::string name(view), value = value_for(o);
    if (name.empty()) continue;
    if (o.value == option_value::none) all.push_back({name});
    if (o.value == option_value::separate) all.insert(all.end(), {{name, value}, {name + "=" + value}});
    if (o.value == option_value::attached) all.push_back({name + value});
    if (o.value == option_value::either) all.insert(all.end(), {{name, value}, {name + value}});
  }
  return all;
}

bool ends_with(const words& all, const words& end) {
  return all.size() >= end.size() && std::equal(end.rbegin(), end.rend(), all.rbegin());
}

}  // namespace

TEST_CASE("every row of the table is read in every form, and the word behind it stays a source") {
  for (const nvcc_option& o : nvcc_options()) {
    for (const words& typed : spellings(o)) {
      words line = {"a.cu"};
      line.insert(line.end(), typed.begin(), typed.end());
      line.push_back("b.cu");
      if (o.use == option_use::dependencies || o.use == option_use::shared) line.insert(line.end(), {"-o", "app"});
      const source_command c = read_command_line(line);
      CAPTURE(typed[0]);
      CHECK(c.for_tool.empty());
      if (o.use == option_use::refuse) {
        CHECK(c.wrong.find(typed[0]) == 0);
        CHECK(c.wrong.find(o.what) != std::string::npos);
        continue;
      }
      if (o.use == option_use::module) {  // of one source
        CHECK(c.wrong.find(" of one source file") != std::string::npos);
        CHECK(c.build.module);
        continue;
      }
      if (o.use == option_use::device_link) {  // of objects
        CHECK(c.wrong.find("-dlink takes object files, and a.cu is a source") == 0);
        CHECK(c.wants_device_link);
        continue;
      }
      CHECK(c.wrong == "");
      CHECK(c.wants_archive == (o.use == option_use::archive));
      CHECK(c.build.shared == (o.use == option_use::shared));
      CHECK(c.wants_objects == (o.use == option_use::object));
      CHECK(c.build.sources == words{"a.cu", "b.cu"});
      const bool passed_on = !c.build.options.empty() || !c.build.link_options.empty();
      const bool silent = o.use == option_use::ignore || o.use == option_use::language || o.use == option_use::output ||
                          o.use == option_use::dependencies || o.use == option_use::linked ||
                          o.use == option_use::relaxed || o.use == option_use::object || o.use == option_use::shared ||
                          o.use == option_use::target || o.use == option_use::archive;
      CHECK(passed_on == !silent);
      // What shapes the build is part of the command that a report repeats.
      words again = {"a.cu"};
      if (!silent || o.use == option_use::language || o.use == option_use::shared || o.use == option_use::linked ||
          o.use == option_use::relaxed)
        again.insert(again.end(), typed.begin(), typed.end());
      again.push_back("b.cu");
      CHECK(c.as_typed == again);
    }
  }
}

TEST_CASE("an object file of each source, and what is linked") {
  const source_command two = read("dir/a.cu b.cpp -dc -O2");
  CHECK(two.wrong == "");
  CHECK(two.build.linked);
  CHECK(object_file_of(two, "dir/a.cu") == "a.o");
  const source_command one = read("dir/a.cu -c -o out/x.o");
  CHECK_FALSE(one.build.linked);
  CHECK(object_file_of(one, "dir/a.cu") == "out/x.o");
  CHECK(read("a.cu b.cu -c -o x.o").wrong == "-c with -o takes one source file");
  CHECK(read("a.o -c").wrong.find("none is named") != std::string::npos);
  CHECK(read("a.cu -c -ptx").wrong.find("ask for one of them") != std::string::npos);
  const source_command link = read("a.o -L /nowhere -lb c.a -o app");
  CHECK(link.build.sources.empty());
  CHECK(link.build.objects == words{"a.o", "c.a"});
  CHECK(subject_of(link) == "a.o");
}

TEST_CASE("archives and linked device code have names where none is given") {
  CHECK(read("a.cu b.o -lib").output == "a.a");
  CHECK(read("b.o -dlink -lcudadevrt").output == "a_dlink.o");
  CHECK(read("b.o -dlink -o x.o").output == "x.o");
  for (const char* other : {"-c", "-ptx", "-shared -o x.so"}) {
    CHECK(read(std::string("a.cu -lib ") + other).wrong.find("ask for one of them") != std::string::npos);
    CHECK(read(std::string("a.o -dlink ") + other).wrong != "");
  }
}

TEST_CASE("a module is a file beside, named as nvcc names it") {
  const source_command c = read("dir/kernel.cu -DN=3 --fatbin");
  CHECK(c.wrong == "");
  CHECK(c.output == "kernel.fatbin");
  CHECK(c.as_typed == words{"dir/kernel.cu", "-DN=3"});
  CHECK(read("kernel.cu -ptx -o here.txt").output == "here.txt");
  CHECK(read("a.cu b.cu -ptx -o here.txt").wrong == "-ptx makes a module of one source file");
  CHECK(read("a.cu b.cu -ptx -rdc=true").wrong == "-ptx makes a module of one source file");
  CHECK(read("a.cu b.cu -ptx -rdc=true -o here.txt").wrong == "");  // as linking asks for it
}

TEST_CASE("an option without its value says what the value is") {
  for (const nvcc_option& o : nvcc_options()) {
    if (o.value != option_value::separate && o.value != option_value::either) continue;
    CHECK(read("a.cu " + std::string(o.name)).wrong == std::string(o.name) + " takes a value: " + std::string(o.what));
  }
}

TEST_CASE("the table names no option twice and describes each") {
  std::set<std::string_view> names;
  for (const nvcc_option& o : nvcc_options()) {
    CAPTURE(o.name);
    CHECK(o.name.starts_with("-"));
    CHECK(names.insert(o.name).second);
    CHECK((o.long_name.empty() || (o.long_name.starts_with("--") && names.insert(o.long_name).second)));
    CHECK_FALSE(o.what.empty());
  }
}

TEST_CASE("the longest name of the table wins") {
  CHECK(read("a.cu -lineinfo").build.link_options.empty());  // not the library "ineinfo"
  CHECK(read("a.cu -maxrregcount=32").build.options.empty());
  CHECK(read("a.cu -fmad=false").build.options.empty());
  CHECK(read("a.cu -Wno-deprecated-gpu-targets --Wdefault-stream-launch").build.options.empty());
  CHECK(read("a.cu --disable-warnings --debug --Wreorder").build.options == words{"-w", "-g", "-Wreorder"});
  CHECK(read("a.cu -include x.h").build.options == words{"-include", "x.h"});
  CHECK(read("a.cu -isystem dir").build.options == words{"-isystem", "dir"});
  CHECK(read("a.cu -march=native -ffast-math -Wall -O3").build.options ==
        words{"-march=native", "-ffast-math", "-Wall", "-O3"});
}

TEST_CASE("what the compiler and the linker get") {
  CHECK(read("a.cu -I inc -Iinc2 -D N=3 -DM -U K").build.options ==
        words{"-I", "inc", "-Iinc2", "-D", "N=3", "-DM", "-U", "K"});
  CHECK(read("a.cu -L dir -lm -l z x.o y.a z.so -o a").build.link_options ==
        words{"-L", "dir", "-lm", "-l", "z", "x.o", "y.a", "z.so"});
  CHECK(read("a.cu -Xcompiler -Wall,-lm,-fopenmp").build.options == words{"-Wall"});
  CHECK(read("a.cu -Xcompiler=-Wall,-lm,-fopenmp").build.link_options == words{"-lm"});
  CHECK(read("a.c -g -fopenmp -O2").build.options == words{"-g", "-O2"});
  CHECK(read("a.cu -Xlinker -rpath,/opt").build.link_options == words{"-Wl,-rpath", "-Wl,/opt"});
  CHECK(read("a.cu -Wl,-rpath,/opt").build.link_options == words{"-Wl,-rpath,/opt"});
  CHECK(read("a.cu -Wl,-rpath,/opt").build.options.empty());
  CHECK(read_command_line({"a.cu", "-Xcompiler", "-Wall -O2 -fopenmp"}).build.options == words{"-Wall", "-O2"});
  CHECK(read("a.cu /opt/z.so").build.link_options == words{"/opt/z.so", "-Wl,-rpath,/opt"});  // where it was named
  CHECK(read("a.cu -shared -o liba.so").build.shared);
  CHECK_FALSE(read("a.cu -shared -c").build.shared);  // the link makes the library
  CHECK(read("a.cu -shared").wrong.find("needs -o FILE") != std::string::npos);
  CHECK(read("a.cu -fopenmp").build.options.empty());  // a team of one
  CHECK(read("a.cu --default-stream per-thread").build.options == words{"-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1"});
  CHECK(read("a.cu --default-stream legacy").build.options.empty());
}

TEST_CASE("standards before C++20 give way to the headers' own") {
  for (const char* old : {"c++11", "c++14", "c++17", "gnu++17", "c++0x"})
    CHECK(read("a.cu -std=" + std::string(old)).build.options.empty());
  for (const char* of_c : {"c99", "gnu11", "c17"}) CHECK(read("a.c -std=" + std::string(of_c)).build.options.empty());
  CHECK(read("a.cu --std c++23").build.options == words{"-std=c++23", "-D_SIMT_CPP20_NAMES=1"});
}

TEST_CASE("headers of NVIDIA's Toolkit would hide the simulator's: their folder is left out, others are not") {
  const std::filesystem::path root = std::filesystem::temp_directory_path() / ("toolkit" + std::to_string(getpid()));
  std::filesystem::create_directories(root / "include/crt");
  std::ofstream(root / "include/cuda_runtime.h") << "";
  const std::string toolkit = (root / "include").string(), other = root.string();
  for (const std::string option : {"-I", "-I ", "-isystem "}) {
    CHECK(read("a.cu " + option + toolkit).build.options.empty());
    CHECK(read("a.cu " + option + other).build.options == split(option + other));
  }
  std::filesystem::remove_all(root);
}

TEST_CASE("libraries of NVIDIA are the simulator's runtime") {
  for (const char* name : {"cudart", "cudart_static", "cuda", "cudadevrt", "curand"}) {
    CHECK(read("a.cu -l" + std::string(name)).build.link_options.empty());
    CHECK(read("a.cu -l " + std::string(name)).build.link_options.empty());
  }
}

TEST_CASE("sources, output, the program's arguments, and what is left for simrun") {
  const source_command c = read("run a.cu b.cpp --check all -o app --seed=3 -- -I x.cu");
  CHECK(c.build.sources == words{"a.cu", "b.cpp"});
  CHECK(c.output == "app");
  CHECK(c.for_tool == words{"run", "--check", "all", "--seed=3"});
  CHECK(c.arguments == words{"-I", "x.cu"});
  CHECK(ends_with(c.as_typed, {"a.cu", "b.cpp"}));
}

TEST_CASE("a rule for make goes beside the executable, or where -MF says") {
  CHECK_FALSE(read("a.cu -o app").wants_dependencies);
  CHECK(read("a.cu -o app -MD").dependencies == "app.d");
  CHECK(read("a.cu -MF list -o app").dependencies == "list");
  CHECK(read("a.cu -MD").wrong.find("need -o FILE") != std::string::npos);
}

TEST_CASE("values that make no sense") {
  CHECK(read("a.cu b.cu a.cu").wrong == "a.cu is named twice");
  CHECK(read("a.cu b.cu").wrong == "");
  CHECK(read("a.cu --default-stream=mine").wrong == "--default-stream takes legacy, null or per-thread, not 'mine'");
  CHECK(read("a.cu -x c++").wrong == "-x takes cu, not 'c++'");
}
