; RUN: simt-prepare
; SPDX-License-Identifier: Apache-2.0
; Where blocks are to be marked, watched functions of headers of ours become part of what calls them, if a kernel may.
; What is not watched stands between the engine and the kernel: within a watched function its accesses would be the user's.
; CHECK: define linkonce_odr i32 @watched(ptr %p) [[INLINED:#[0-9]+]]
; CHECK: define linkonce_odr i32 @between(ptr %p) !dbg
; CHECK: define linkonce_odr i32 @of_host(ptr %p) [[LEFT:#[0-9]+]]
; CHECK: attributes [[INLINED]] = { alwaysinline sanitize_thread }
; CHECK: attributes [[LEFT]] = { sanitize_thread }
@simt_profile_wanted = constant i8 1
@of_kernels = constant [2 x ptr] [ptr @watched, ptr @between]
define linkonce_odr i32 @watched(ptr %p) sanitize_thread !dbg !4 {
  %v = load i32, ptr %p
  ret i32 %v
}
define linkonce_odr i32 @between(ptr %p) !dbg !5 {
  %v = load i32, ptr %p
  ret i32 %v
}
define linkonce_odr i32 @of_host(ptr %p) sanitize_thread !dbg !6 {
  %v = load i32, ptr %p
  ret i32 %v
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "/x/sim/exec/run_queue.hpp", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !{})
!4 = distinct !DISubprogram(name: "watched", scope: !1, file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!5 = distinct !DISubprogram(name: "between", scope: !1, file: !1, line: 2, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!6 = distinct !DISubprogram(name: "of_host", scope: !1, file: !1, line: 3, type: !3, unit: !0, spFlags: DISPFlagDefinition)
