; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; Code that is counted: accesses that lie side by side are one, whoever names them, as far as the alignment goes and
; nothing between them may touch their memory. Here each is of a line of its own.
; CHECK: define internal void @kernel.thread(
; Two floats of a structure of 8 bytes; another's store comes between two others.
; CHECK: call void @__tsan_read8({{.*}}!dbg [[PAIR:![0-9]+]]
; CHECK: call void @__tsan_read4({{.*}}!dbg [[BEFORE:![0-9]+]]
; CHECK: call void @__tsan_write4({{.*}}!dbg [[BETWEEN:![0-9]+]]
; CHECK: call void @__tsan_read4({{.*}}!dbg [[BEHIND:![0-9]+]]
; Three of four words: 8 and 4 bytes of one place. Two of an alignment of 4 stay two.
; CHECK: call void @__tsan_read8({{.*}}!dbg [[THREE:![0-9]+]]
; CHECK: call void @__tsan_read4({{.*}}!dbg [[THREE]]
; CHECK: call void @__tsan_read4({{.*}}!dbg [[NARROW:![0-9]+]]
; CHECK: call void @__tsan_read4({{.*}}!dbg [[NARROW2:![0-9]+]]
; Neighbours by the index: where it cannot go round, and where it may.
; CHECK: call void @__tsan_read8({{.*}}!dbg [[INDEX:![0-9]+]]
; CHECK: call void @__tsan_read4({{.*}}!dbg [[ROUND:![0-9]+]]
; CHECK: call void @__tsan_read4({{.*}}!dbg [[ROUND2:![0-9]+]]
; By two indices: none is next to the other.
; CHECK: call void @__tsan_read4({{.*}}!dbg [[BYY:![0-9]+]]
; CHECK: call void @__tsan_read4({{.*}}!dbg [[BYZ:![0-9]+]]
; In an array of the block, which begins at a multiple of 16: what a parameter points to is not in it.
; CHECK: call void @__tsan_read8({{.*}}!dbg [[SHARED:![0-9]+]]
; CHECK: call void @__tsan_write4({{.*}}!dbg [[OTHER:![0-9]+]]
; Stores go to the last of them; what reads one of them comes behind it.
; CHECK: call void @__tsan_write8({{.*}}!dbg [[STORES:![0-9]+]]
; CHECK: call void @__tsan_write4({{.*}}!dbg [[FIRST:![0-9]+]]
; CHECK: call void @__tsan_read4({{.*}}!dbg [[READ:![0-9]+]]
; CHECK: call void @__tsan_write4({{.*}}!dbg [[LAST:![0-9]+]]
; CHECK: ret void
; CHECK-DAG: [[PAIR]] = !DILocation(line: 1,
; CHECK-DAG: [[BEFORE]] = !DILocation(line: 3,
; CHECK-DAG: [[BETWEEN]] = !DILocation(line: 4,
; CHECK-DAG: [[BEHIND]] = !DILocation(line: 5,
; CHECK-DAG: [[THREE]] = !DILocation(line: 6,
; CHECK-DAG: [[NARROW]] = !DILocation(line: 9,
; CHECK-DAG: [[INDEX]] = !DILocation(line: 11,
; CHECK-DAG: [[ROUND]] = !DILocation(line: 13,
; CHECK-DAG: [[BYY]] = !DILocation(line: 23,
; CHECK-DAG: [[SHARED]] = !DILocation(line: 15,
; CHECK-DAG: [[OTHER]] = !DILocation(line: 16,
; CHECK-DAG: [[STORES]] = !DILocation(line: 18,
; CHECK-DAG: [[FIRST]] = !DILocation(line: 20,
; CHECK-DAG: [[LAST]] = !DILocation(line: 22,
BODY
@simt_profile_wanted = constant i8 1
@slot = external global i8
declare void @simt.loops.barrier() convergent
declare void @engine_barrier(ptr)
declare ptr @simt.loops.shared(ptr, ptr)
declare ptr @engine_shared(ptr, ptr)
KERNEL sanitize_thread {
entry:
  %n = load ptr, ptr %args
  %shared = call ptr @simt.loops.shared(ptr %b, ptr @slot)
  call void @simt.loops.barrier()
  %pair = getelementptr { float, float }, ptr %n, i64 %x
  %a = load float, ptr %pair, align 8, !dbg !21
  %pair.b = getelementptr i8, ptr %pair, i64 4
  %b1 = load float, ptr %pair.b, align 4, !dbg !22
  %q = getelementptr i8, ptr %pair, i64 100000
  %c = load float, ptr %q, align 8, !dbg !23
  %to = getelementptr float, ptr %n, i64 %y
  store float %a, ptr %to, align 4, !dbg !24
  %q.b = getelementptr i8, ptr %q, i64 4
  %d = load float, ptr %q.b, align 4, !dbg !25
  %whole = getelementptr { float, float, float, float }, ptr %n, i64 %x
  %t0 = load float, ptr %whole, align 16, !dbg !26
  %whole.b = getelementptr i8, ptr %whole, i64 4
  %t1 = load float, ptr %whole.b, align 4, !dbg !27
  %whole.c = getelementptr i8, ptr %whole, i64 8
  %t2 = load float, ptr %whole.c, align 8, !dbg !28
  %narrow = getelementptr i8, ptr %pair, i64 200004
  %u0 = load float, ptr %narrow, align 4, !dbg !29
  %narrow.b = getelementptr i8, ptr %pair, i64 200008
  %u1 = load float, ptr %narrow.b, align 4, !dbg !30
  %numbers = getelementptr i32, ptr %n, i64 %z
  %k = load i32, ptr %numbers, align 4, !nosanitize !12
  %even = shl i32 %k, 1
  %odd = or disjoint i32 %even, 1
  %k.wide = sext i32 %even to i64
  %next.wide = sext i32 %odd to i64
  %row = getelementptr i8, ptr %n, i64 300000
  %i0 = getelementptr float, ptr %row, i64 %k.wide
  %v0 = load float, ptr %i0, align 8, !dbg !31
  %i1 = getelementptr float, ptr %row, i64 %next.wide
  %v1 = load float, ptr %i1, align 4, !dbg !32
  %round = add i32 %k, 1
  %round.wide = zext i32 %round to i64
  %low.wide = zext i32 %k to i64
  %row2 = getelementptr i8, ptr %n, i64 400000
  %r0 = getelementptr float, ptr %row2, i64 %low.wide
  %w0 = load float, ptr %r0, align 8, !dbg !33
  %r1 = getelementptr float, ptr %row2, i64 %round.wide
  %w1 = load float, ptr %r1, align 4, !dbg !34
  %row3 = getelementptr i8, ptr %n, i64 700000
  %by.y = getelementptr { float, float }, ptr %row3, i64 %y
  %y0 = load float, ptr %by.y, align 8, !dbg !43
  %by.z = getelementptr { float, float }, ptr %row3, i64 %z
  %by.z.b = getelementptr i8, ptr %by.z, i64 4
  %z0 = load float, ptr %by.z.b, align 4, !dbg !44
  %s0.at = getelementptr { float, float }, ptr %shared, i64 %x
  %s0 = load float, ptr %s0.at, align 4, !dbg !35
  store float %s0, ptr %n, align 4, !dbg !36
  %s1.at = getelementptr i8, ptr %s0.at, i64 4
  %s1 = load float, ptr %s1.at, align 4, !dbg !37
  %sum0 = fadd float %b1, %c
  %sum1 = fadd float %sum0, %d
  %sum2 = fadd float %sum1, %t0
  %sum3 = fadd float %sum2, %t1
  %sum4 = fadd float %sum3, %t2
  %sum5 = fadd float %sum4, %u0
  %sum6 = fadd float %sum5, %u1
  %sum7 = fadd float %sum6, %v0
  %sum8 = fadd float %sum7, %v1
  %sum9 = fadd float %sum8, %w0
  %sum10 = fadd float %sum9, %w1
  %sum11 = fadd float %sum10, %y0
  %sum12 = fadd float %sum11, %z0
  %sum = fadd float %sum12, %s1
  %o = getelementptr i8, ptr %pair, i64 500000
  store float %sum, ptr %o, align 8, !dbg !38
  %o.b = getelementptr i8, ptr %o, i64 4
  store float %a, ptr %o.b, align 4, !dbg !39
  %p = getelementptr i8, ptr %pair, i64 600000
  store float %sum, ptr %p, align 8, !dbg !40
  %from = getelementptr float, ptr %n, i64 %z
  %again = load float, ptr %from, align 4, !dbg !41
  %p.b = getelementptr i8, ptr %p, i64 4
  store float %again, ptr %p.b, align 4, !dbg !42
  ret void
}
!simt.engine.simt.loops.barrier = !{!10}
!simt.engine.simt.loops.shared = !{!11}
!llvm.module.flags = !{!9}
!llvm.dbg.cu = !{!7}
!10 = !{ptr @engine_barrier}
!11 = !{ptr @engine_shared}
!21 = !DILocation(line: 1, column: 1, scope: !1)
!22 = !DILocation(line: 2, column: 1, scope: !1)
!23 = !DILocation(line: 3, column: 1, scope: !1)
!24 = !DILocation(line: 4, column: 1, scope: !1)
!25 = !DILocation(line: 5, column: 1, scope: !1)
!26 = !DILocation(line: 6, column: 1, scope: !1)
!27 = !DILocation(line: 7, column: 1, scope: !1)
!28 = !DILocation(line: 8, column: 1, scope: !1)
!29 = !DILocation(line: 9, column: 1, scope: !1)
!30 = !DILocation(line: 10, column: 1, scope: !1)
!31 = !DILocation(line: 11, column: 1, scope: !1)
!32 = !DILocation(line: 12, column: 1, scope: !1)
!33 = !DILocation(line: 13, column: 1, scope: !1)
!34 = !DILocation(line: 14, column: 1, scope: !1)
!35 = !DILocation(line: 15, column: 1, scope: !1)
!36 = !DILocation(line: 16, column: 1, scope: !1)
!37 = !DILocation(line: 17, column: 1, scope: !1)
!38 = !DILocation(line: 18, column: 1, scope: !1)
!39 = !DILocation(line: 19, column: 1, scope: !1)
!40 = !DILocation(line: 20, column: 1, scope: !1)
!41 = !DILocation(line: 21, column: 1, scope: !1)
!42 = !DILocation(line: 22, column: 1, scope: !1)
!43 = !DILocation(line: 23, column: 1, scope: !1)
!44 = !DILocation(line: 24, column: 1, scope: !1)
!12 = !{}
!1 = distinct !DISubprogram(name: "kernel", file: !8, line: 1, unit: !7, spFlags: DISPFlagDefinition)
!7 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !8, emissionKind: FullDebug)
!8 = !DIFile(filename: "kernel.cpp", directory: "/")
!9 = !{i32 2, !"Debug Info Version", i32 3}
