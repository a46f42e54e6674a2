; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; Code that is counted: members of one copy are one access, as far as the alignment of the first allows; what it forbids
; to be one has another column. Copies, and several members as one number, are taken apart first.
; CHECK: define internal void @kernel.thread(
; CHECK: call void @__tsan_read16(
; CHECK-NOT: call void @__tsan
; CHECK: call void @__tsan_read4({{.*}}!dbg ![[FIRST:[0-9]+]]
; CHECK: call void @__tsan_read4({{.*}}!dbg ![[SECOND:[0-9]+]]
; CHECK-NOT: call void @__tsan
; CHECK: call void @__tsan_read8(
; CHECK: call void @__tsan_read4(
; CHECK-NOT: memmove
; CHECK: call void @__tsan_write8(
; CHECK: call void @__tsan_write4(
; CHECK-NOT: call void @__tsan
; CHECK: call void @__tsan_read4(
; CHECK: call void @__tsan_read4(
; CHECK-NOT: call void @__tsan
; CHECK: call void @__tsan_write16(
; CHECK-NOT: call void @__tsan
; CHECK: ret void
; CHECK-DAG: ![[FIRST]] = !DILocation(line: 2, column: 1,
; CHECK-DAG: ![[SECOND]] = !DILocation(line: 2, column: 16385,
BODY
@simt_profile_wanted = constant i8 1
declare void @simt.loops.barrier() convergent
declare void @engine_barrier(ptr)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
KERNEL sanitize_thread {
entry:
  %n = load ptr, ptr %args
  %whole = getelementptr { float, float, float, float }, ptr %n, i64 %x
  %first = load float, ptr %whole, align 16, !dbg !2
  %at.second = getelementptr i8, ptr %whole, i64 4
  %second = load float, ptr %at.second, align 4, !dbg !2
  %at.c = getelementptr i8, ptr %whole, i64 8
  %third = load i64, ptr %at.c, align 8, !dbg !2
  %pair = getelementptr i8, ptr %whole, i64 100000
  %re = load float, ptr %pair, align 4, !dbg !3
  %at.e = getelementptr i8, ptr %pair, i64 4
  %im = load float, ptr %at.e, align 4, !dbg !3
  %from = getelementptr i8, ptr %whole, i64 200000
  %to = getelementptr i8, ptr %whole, i64 300000
  call void @llvm.memmove.p0.p0.i64(ptr align 8 %to, ptr align 8 %from, i64 12, i1 false), !dbg !4
  %two = getelementptr i8, ptr %whole, i64 400000
  %both = load i64, ptr %two, align 4, !dbg !5
  call void @simt.loops.barrier()
  %re.im = fadd float %re, %im
  %sum = add i64 %third, %both
  %out = getelementptr i8, ptr %whole, i64 500000
  store float %first, ptr %out, align 16, !dbg !6
  %out.b = getelementptr i8, ptr %out, i64 4
  store float %second, ptr %out.b, align 4, !dbg !6
  %out.c = getelementptr i8, ptr %out, i64 8
  store float %re.im, ptr %out.c, align 8, !dbg !6
  %out.d = getelementptr i8, ptr %out, i64 12
  %low = trunc i64 %sum to i32
  store i32 %low, ptr %out.d, align 4, !dbg !6
  ret void
}
!simt.engine.simt.loops.barrier = !{!0}
!llvm.module.flags = !{!9}
!llvm.dbg.cu = !{!7}
!0 = !{ptr @engine_barrier}
!2 = !DILocation(line: 1, column: 1, scope: !1)
!3 = !DILocation(line: 2, column: 1, scope: !1)
!4 = !DILocation(line: 3, column: 1, scope: !1)
!5 = !DILocation(line: 4, column: 1, scope: !1)
!6 = !DILocation(line: 5, column: 1, scope: !1)
!1 = distinct !DISubprogram(name: "kernel", file: !8, line: 1, unit: !7, spFlags: DISPFlagDefinition)
!7 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !8, emissionKind: FullDebug)
!8 = !DIFile(filename: "kernel.cpp", directory: "/")
!9 = !{i32 2, !"Debug Info Version", i32 3}
