# SPDX-License-Identifier: Apache-2.0
# The three ways to compile a kernel, as targets that carry everything needed: simt::sim, simt::check, simt::cuda.
#
# A kernel and its host code of one variant are compiled with one of them and linked with it; objects of two variants
# never meet in one module or executable, because an inline function of one would then stand in for the other's.
include_guard(GLOBAL)

set(simt_is_gnu "$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>>")
set(simt_is_clang "$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:Clang,AppleClang>>")
set(simt_is_cxx "$<COMPILE_LANGUAGE:CXX>")

# Headers: the API (<simt/...>), and the engine's, which the API's inline parts include by their path in this tree.
add_library(simt_api INTERFACE)
add_library(simt::api ALIAS simt_api)
set_target_properties(simt_api PROPERTIES EXPORT_NAME api)
target_include_directories(
  simt_api INTERFACE "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>" "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/backends/api>"
                     "$<INSTALL_INTERFACE:include/simt-${PROJECT_VERSION}>")

add_library(simt_variant_host INTERFACE)
set_target_properties(simt_variant_host PROPERTIES EXPORT_NAME variant_host)
target_link_libraries(simt_variant_host INTERFACE simt_api Threads::Threads)
target_compile_features(simt_variant_host INTERFACE cxx_std_20)
# -ffp-contract=off: kernel and host reference do the same float arithmetic on every CPU and at every level of
#   optimisation, so that a histogram equals the host's exactly.
# -fstack-clash-protection: a large local array touches every page on its way down, so it meets the guard page of a
#   thread's stack instead of the next thread's stack.
# -ftls-model=initial-exec: thread-local state of the engine is one load away, also in a module opened later.
# -fno-finite-loops: clang takes a loop without an end away otherwise, and its end is what somebody looks for.
# -fno-delete-null-pointer-checks: clang takes whoever dereferences a pointer for proof that it is not null, chooses the
#   other one of two, and drops the end of the loop that would have left it null.
# -no-enable-noundef-analysis: a lane may hand a shuffle a variable that it has not set, as in __shfl_sync(m, v, 0) where
#   only lane 0 has set v. clang would conclude from the mere call that every lane is lane 0.
# What kernels of CUDA source are compiled with, too (frontends/cuda/driver/CMakeLists.txt), and of that what clang alone takes:
set(SIMT_KERNEL_OPTIONS -fvisibility=hidden -ffp-contract=off -ftls-model=initial-exec -fno-delete-null-pointer-checks)
set(SIMT_KERNEL_OPTIONS_OF_CLANG -fno-finite-loops -Xclang -no-enable-noundef-analysis)
list(JOIN SIMT_KERNEL_OPTIONS_OF_CLANG " " simt_words_of_clang)
target_compile_options(
  simt_variant_host
  INTERFACE "$<${simt_is_cxx}:-fstack-clash-protection;-fvisibility-inlines-hidden;${SIMT_KERNEL_OPTIONS}>"
            "$<${simt_is_clang}:SHELL:${simt_words_of_clang}>")

if(SIMT_BUILD_SIM)
  add_library(simt_variant_sim INTERFACE)
  add_library(simt::sim ALIAS simt_variant_sim)
  set_target_properties(simt_variant_sim PROPERTIES EXPORT_NAME sim)
  target_link_libraries(simt_variant_sim INTERFACE simt_variant_host)
  target_compile_definitions(simt_variant_sim INTERFACE SIMT_VARIANT_SIM=1)
  # Neither errno nor the exception flags exist on a GPU; without them floor, sqrt and conditions vectorise.
  # The variant debug of modules (cmake/simt_kernels.cmake) is this one for somebody who steps through it.
  set(simt_for_debugger "$<BOOL:$<TARGET_PROPERTY:SIMT_FOR_DEBUGGER>>")
  target_compile_options(
    simt_variant_sim INTERFACE "$<${simt_is_cxx}:-fno-math-errno;-fno-trapping-math;-g1>"
                               "$<$<AND:${simt_is_cxx},$<NOT:$<CONFIG:Debug>>>:-O3>"
                               "$<$<AND:${simt_is_cxx},${simt_for_debugger}>:-O0;-g>")
  # clang makes gathers and scatters of arrays of structures otherwise, where a thread's index is guarded.
  target_compile_options(
    simt_variant_sim INTERFACE "$<${simt_is_clang}:SHELL:-mllvm -enable-masked-interleaved-mem-accesses>")
  # g++ 12 drops stores to members of structures that are copied by vectors (-O3 -march=native with AVX-512: a block of
  # zero threads arrived as one; tests/unit/engine/launches.cpp). Not seen with g++ 13, clang or without this pass.
  target_compile_options(
    simt_variant_sim
    INTERFACE "$<$<AND:${simt_is_gnu},$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-fno-tree-dse>")

  add_library(simt_variant_check INTERFACE)
  set_target_properties(simt_variant_check PROPERTIES EXPORT_NAME check)
  target_link_libraries(simt_variant_check INTERFACE simt_variant_host)
  target_compile_definitions(simt_variant_check INTERFACE SIMT_VARIANT_CHECK=1)
  # -fsanitize=thread when compiling only: the compiler calls __tsan_* for every access, and those functions are ours.
  # -fsanitize=alignment, compile step only and handled by our runtime too: vector types through cast pointers. (clang
  #   does not check copies of structures.)
  # -fno-builtin-mem*: a copy stays a call, which the linker hands to the runtime (--wrap below), as do fortified
  #   calls if they are not made in the first place (-U_FORTIFY_SOURCE; Ubuntu's compilers set it).
  # -maccumulate-outgoing-args, of x86-64: a kernel loads a structure among its parameters 16 bytes at a time. Where two pushes have
  #   just put it there, that load waits for both of them, as long as for all else that a short kernel does.
  # SIMT_CHECK_LLVM_OPTIONS, for clang; those of CUDA source have them, too (frontends/cuda/driver).
  # -tsan-compound-read-before-write: clang leaves out the read of x += 1 otherwise, and x may never have been written.
  # -simplifycfg-*, -enable-tail-merge: clang makes one access of those in two branches otherwise, or one announcement,
  #   and no line is theirs.
  # -disable-licm-promotion: nor has the one read before a loop that stands for the reads of its x += 1.
  # -UNDEBUG: assert() in a kernel is a check too.
  target_compile_options(
    simt_variant_check
    INTERFACE "$<${simt_is_cxx}:-O1;-g;-UNDEBUG;-U_FORTIFY_SOURCE;-fsanitize=thread>"
              "$<${simt_is_cxx}:-fno-omit-frame-pointer;-fno-optimize-sibling-calls>"
              "$<${simt_is_cxx}:-fno-builtin-memcpy;-fno-builtin-memset;-fno-builtin-memmove>"
              "$<${simt_is_gnu}:SHELL:--param tsan-distinguish-volatile=1>"
              "$<${simt_is_gnu}:-fsanitize=alignment>")
  set(SIMT_CHECK_LLVM_OPTIONS
      -tsan-distinguish-volatile=1 -tsan-compound-read-before-write=1 -simplifycfg-sink-common=false
      -simplifycfg-hoist-common=false -simplifycfg-merge-cond-stores=false -disable-licm-promotion -enable-tail-merge=false)
  foreach(option IN LISTS SIMT_CHECK_LLVM_OPTIONS)
    target_compile_options(simt_variant_check INTERFACE "$<${simt_is_clang}:SHELL:-mllvm ${option}>")
  endforeach()
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    target_compile_options(simt_variant_check INTERFACE "$<${simt_is_gnu}:-maccumulate-outgoing-args>")
  endif()
  target_link_options(
    simt_variant_check INTERFACE LINKER:--wrap=memcpy,--wrap=memset,--wrap=memmove,--wrap=pthread_mutex_unlock
                                 LINKER:--wrap=pthread_create
                                 LINKER:--wrap=_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE
                                 LINKER:-Bsymbolic)
endif()

if(SIMT_BUILD_CUDA)
  add_library(simt_variant_cuda INTERFACE)
  set_target_properties(simt_variant_cuda PROPERTIES EXPORT_NAME cuda)
  target_link_libraries(simt_variant_cuda INTERFACE simt_api CUDA::cudart_static)
  target_compile_definitions(simt_variant_cuda INTERFACE SIMT_VARIANT_CUDA=1)
  # -std outright, also where cmake/cuda_language.cmake has taught CMake the flag: twice the same does no harm.
  # -lineinfo costs no time on the device and lets its tools name lines.
  target_compile_options(
    simt_variant_cuda
    INTERFACE "$<$<COMPILE_LANGUAGE:CUDA>:-std=c++20;--expt-relaxed-constexpr;--extended-lambda;-lineinfo>"
              "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-fPIC;-Xcompiler=-fvisibility=hidden>")
endif()

# Ties the variants to the libraries behind them; called once the folders that define these have been added.
function(simt_finish_variants)
  if(TARGET simt_backend_sim)
    target_link_libraries(simt_variant_sim INTERFACE simt_backend_sim)
  endif()
  if(TARGET simt_backend_first)
    # check with the runtime of a first report, for the modules of single programs in this tree (kernels/single).
    add_library(simt_variant_first INTERFACE)
    foreach(property IN ITEMS COMPILE_DEFINITIONS COMPILE_OPTIONS LINK_OPTIONS LINK_LIBRARIES)
      get_target_property(value simt_variant_check INTERFACE_${property})
      set_property(TARGET simt_variant_first PROPERTY INTERFACE_${property} "${value}")
    endforeach()
    target_link_libraries(simt_variant_first INTERFACE simt_backend_first)
  endif()
  if(TARGET simt_backend_check)
    # One object (backends/sim/CMakeLists.txt says why), so any use of it brings all of it.
    target_link_libraries(simt_variant_check INTERFACE simt_backend_check)
    add_library(simt::check ALIAS simt_variant_check)
  endif()
  if(TARGET simt_backend_cuda)
    target_link_libraries(simt_variant_cuda INTERFACE simt_backend_cuda)
    add_library(simt::cuda ALIAS simt_variant_cuda)
  endif()
endfunction()
