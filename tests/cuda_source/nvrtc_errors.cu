// What NVRTC says of wrong programs, names and options. With nvcc: -lcuda -lnvrtc
#include <cuda.h>
#include <nvrtc.h>

#include <cstdio>
#include <string>

static std::string log_of(nvrtcProgram program) {
  std::size_t size = 0;
  nvrtcGetProgramLogSize(program, &size);
  std::string log(size, ' ');
  nvrtcGetProgramLog(program, log.data());
  return log;
}
static void say(const char* what, nvrtcResult result) { std::printf("%s: %s\n", what, nvrtcGetErrorString(result)); }

int main() {
  int major = 0, minor = -1;
  say("version", nvrtcVersion(&major, &minor));
  std::printf("%d\n", major >= 12 && minor >= 0);
  nvrtcProgram program = nullptr;
  say("no source", nvrtcCreateProgram(&program, nullptr, "x.cu", 0, nullptr, nullptr));

  const char* const wrong = "extern \"C\" __global__ void k(int* out) {\n  out[0] = undeclared;\n}\n";
  say("create", nvrtcCreateProgram(&program, wrong, "wrong.cu", 0, nullptr, nullptr));
  say("compile", nvrtcCompileProgram(program, 0, nullptr));
  const std::string log = log_of(program);
  std::printf("the log names wrong.cu %d, line 2 %d, undeclared %d\n", log.find("wrong.cu") != std::string::npos,
              log.find("2") != std::string::npos, log.find("undeclared") != std::string::npos);
  const char* unknown[] = {"--no-such-option"};
  say("option", nvrtcCompileProgram(program, 1, unknown));
  std::printf("the log names it: %d\n", log_of(program).find("--no-such-option") != std::string::npos);
  say("destroy", nvrtcDestroyProgram(&program));
  std::printf("%d\n", program == nullptr);

  const char* const right = "template <int N> __global__ void k(int* out) { out[0] = N; }\n";
  nvrtcCreateProgram(&program, right, nullptr, 0, nullptr, nullptr);
  say("wrong name", nvrtcAddNameExpression(program, "k<nothing>"));
  say("compile", nvrtcCompileProgram(program, 0, nullptr));
  nvrtcDestroyProgram(&program);

  cuInit(0);
  CUcontext context = nullptr;
  cuCtxCreate(&context, nullptr, 0, 0);
  CUmodule module = nullptr;
  std::printf("no file: %d\n", cuModuleLoad(&module, "no_such_file.cubin") == CUDA_ERROR_FILE_NOT_FOUND);
  std::printf("no image: %d\n", cuModuleLoadData(&module, nullptr) == CUDA_ERROR_INVALID_VALUE);
  cuCtxDestroy(context);
}
