; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; Code that is counted: an update whose address is the same for all lanes is one lane's, if its operation can be added
; up. The address may come of a vote, or of one lane; not of any lane, nor of what a barrier counts.
; CHECK: define internal void @kernel.thread(
; CHECK: call i64 @simt_reduction_of_warp(ptr %sum, i8 4, i8 4, i64 %v,
; CHECK: call i64 @simt_reduction_of_warp(ptr %sum, i8 4, i8 7, i64 %v,
; CHECK: call i64 @_ZN4simt3sim14checked_atomic{{.*}}(ptr %sum, i8 4, i8 2, i64 %v,
; CHECK: call i64 @simt_reduction_of_warp(ptr %of.block, i8 7, i8 4, i64 3,
; CHECK: call i64 @simt_reduction(ptr %sum, i8 7, i8 4, i64 %v,
; CHECK: call i64 @simt_reduction(ptr %sum, i8 10, i8 4, i64 1065353216,
; CHECK: call i64 @simt_atomic_of_full_warp(ptr %sum, i8 4, i8 4, i64 %v,
; CHECK: call i64 @simt_atomic_of_warp(ptr %sum, i8 4, i8 4, i64 1,
; CHECK: call i64 @_ZN4simt3sim14checked_atomic{{.*}}(ptr %sum, i8 4, i8 7, i64 %v,
; CHECK: call i64 @simt_reduction(ptr {{.*}}%values, i8 4, i8 4, i64 %v,
; CHECK: call i64 @simt_reduction_of_warp(ptr %of.vote, i8 4, i8 4, i64 5,
; CHECK: call i64 @simt_reduction_of_warp(ptr %of.lane, i8 4, i8 4, i64 5,
; CHECK: call i64 @simt_reduction(ptr %of.other, i8 4, i8 4, i64 5,
; CHECK: call i64 @simt_reduction(ptr %of.barrier, i8 4, i8 4, i64 5,
; CHECK: ret void
BODY
@simt_profile_wanted = constant i8 1
declare i64 @simt.loops.warp(i32, i32, i32, i64, i32) convergent
declare void @simt.loops.vote(i1) convergent
declare void @simt.loops.barrier() convergent
declare i32 @simt.loops.votes() convergent
declare i64 @engine_warp(ptr, i32, i8, i8, i64, i32)
declare void @engine_barrier(ptr)
declare i32 @engine_count(ptr, i1)
declare i64 @_ZN4simt3sim14checked_atomicEPvNS0_11atomic_typeENS0_13atomic_actionEmmNS_12memory_orderENS_5scopeE(ptr, i8, i8, i64, i64, i32, i32)
KERNEL sanitize_thread {
entry:
  %sum = load ptr, ptr %args
  %values = getelementptr i64, ptr %sum, i64 %x
  %v = load i64, ptr %values, align 8, !dbg !3
  %of.block = getelementptr i64, ptr %sum, i64 %bx
  %ballot = call i64 @simt.loops.warp(i32 7, i32 0, i32 -1, i64 %v, i32 0)
  %of.vote = getelementptr i64, ptr %sum, i64 %ballot
  %first = call i64 @simt.loops.warp(i32 1, i32 0, i32 -1, i64 %v, i32 3)
  %of.lane = getelementptr i64, ptr %sum, i64 %first
  %lane = trunc i64 %v to i32
  %any = call i64 @simt.loops.warp(i32 1, i32 0, i32 -1, i64 %v, i32 %lane)
  %of.other = getelementptr i64, ptr %sum, i64 %any
  %yes = icmp sgt i64 %v, 3
  call void @simt.loops.vote(i1 %yes)
  call void @simt.loops.barrier()
  %count = call i32 @simt.loops.votes()
  %of.barrier = getelementptr i64, ptr %sum, i32 %count
  %sum.unread = call i64 @_ZN4simt3sim14checked_atomicEPvNS0_11atomic_typeENS0_13atomic_actionEmmNS_12memory_orderENS_5scopeE(ptr %sum, i8 4, i8 4, i64 %v, i64 0, i32 0, i32 1), !dbg !2
  %max.unread = call i64 @_ZN4simt3sim14checked_atomicEPvNS0_11atomic_typeENS0_13atomic_actionEmmNS_12memory_orderENS_5scopeE(ptr %sum, i8 4, i8 7, i64 %v, i64 0, i32 0, i32 1), !dbg !2
  %exchanged = call i64 @_ZN4simt3sim14checked_atomicEPvNS0_11atomic_typeENS0_13atomic_actionEmmNS_12memory_orderENS_5scopeE(ptr %sum, i8 4, i8 2, i64 %v, i64 0, i32 0, i32 1), !dbg !2
  %long = call i64 @_ZN4simt3sim14checked_atomicEPvNS0_11atomic_typeENS0_13atomic_actionEmmNS_12memory_orderENS_5scopeE(ptr %of.block, i8 7, i8 4, i64 3, i64 0, i32 0, i32 1), !dbg !2
  %long.by.lane = call i64 @_ZN4simt3sim14checked_atomicEPvNS0_11atomic_typeENS0_13atomic_actionEmmNS_12memory_orderENS_5scopeE(ptr %sum, i8 7, i8 4, i64 %v, i64 0, i32 0, i32 1), !dbg !2
  %float = call i64 @_ZN4simt3sim14checked_atomicEPvNS0_11atomic_typeENS0_13atomic_actionEmmNS_12memory_orderENS_5scopeE(ptr %sum, i8 10, i8 4, i64 1065353216, i64 0, i32 0, i32 1), !dbg !2
  %sum.read = call i64 @_ZN4simt3sim14checked_atomicEPvNS0_11atomic_typeENS0_13atomic_actionEmmNS_12memory_orderENS_5scopeE(ptr %sum, i8 4, i8 4, i64 %v, i64 0, i32 0, i32 1), !dbg !2
  %count.read = call i64 @_ZN4simt3sim14checked_atomicEPvNS0_11atomic_typeENS0_13atomic_actionEmmNS_12memory_orderENS_5scopeE(ptr %sum, i8 4, i8 4, i64 1, i64 0, i32 0, i32 1), !dbg !2
  %max.read = call i64 @_ZN4simt3sim14checked_atomicEPvNS0_11atomic_typeENS0_13atomic_actionEmmNS_12memory_orderENS_5scopeE(ptr %sum, i8 4, i8 7, i64 %v, i64 0, i32 0, i32 1), !dbg !2
  %own.unread = call i64 @_ZN4simt3sim14checked_atomicEPvNS0_11atomic_typeENS0_13atomic_actionEmmNS_12memory_orderENS_5scopeE(ptr %values, i8 4, i8 4, i64 %v, i64 0, i32 0, i32 1), !dbg !2
  %vote.unread = call i64 @_ZN4simt3sim14checked_atomicEPvNS0_11atomic_typeENS0_13atomic_actionEmmNS_12memory_orderENS_5scopeE(ptr %of.vote, i8 4, i8 4, i64 5, i64 0, i32 0, i32 1), !dbg !2
  %lane.unread = call i64 @_ZN4simt3sim14checked_atomicEPvNS0_11atomic_typeENS0_13atomic_actionEmmNS_12memory_orderENS_5scopeE(ptr %of.lane, i8 4, i8 4, i64 5, i64 0, i32 0, i32 1), !dbg !2
  %other.unread = call i64 @_ZN4simt3sim14checked_atomicEPvNS0_11atomic_typeENS0_13atomic_actionEmmNS_12memory_orderENS_5scopeE(ptr %of.other, i8 4, i8 4, i64 5, i64 0, i32 0, i32 1), !dbg !2
  %barrier.unread = call i64 @_ZN4simt3sim14checked_atomicEPvNS0_11atomic_typeENS0_13atomic_actionEmmNS_12memory_orderENS_5scopeE(ptr %of.barrier, i8 4, i8 4, i64 5, i64 0, i32 0, i32 1), !dbg !2
  %two = add i64 %sum.read, %count.read
  %three = add i64 %two, %max.read
  store i64 %three, ptr %values, !dbg !3
  ret void
}
!simt.engine.simt.loops.warp = !{!10}
!simt.engine.simt.loops.barrier = !{!11}
!simt.engine.simt.loops.vote = !{!12}
!llvm.module.flags = !{!9}
!llvm.dbg.cu = !{!7}
!2 = !DILocation(line: 1, column: 1, scope: !1)
!3 = !DILocation(line: 2, column: 1, scope: !1)
!1 = distinct !DISubprogram(name: "kernel", file: !8, line: 1, unit: !7, spFlags: DISPFlagDefinition)
!7 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !8, emissionKind: FullDebug)
!8 = !DIFile(filename: "kernel.cpp", directory: "/")
!9 = !{i32 2, !"Debug Info Version", i32 3}
!10 = !{ptr @engine_warp}
!11 = !{ptr @engine_barrier}
!12 = !{ptr @engine_count}
