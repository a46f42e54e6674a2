; RUN: simt-mark
; SPDX-License-Identifier: Apache-2.0
; Updates whose old value nobody reads are told as such: of 4 and 8 bytes, no exchange, and none of cuda::atomic_ref. Of
; these, what adds the constant 1 to 32 bits counts up.
; CHECK: %read = call i64 @_ZN4simt3sim14checked_atomic
; CHECK: call i64 @simt_reduction(ptr %p, i8 4, i8 4, i64 3,
; CHECK: call i64 @simt_increment(ptr %p, i8 4, i8 4, i64 1,
; CHECK: call i64 @simt_increment(ptr %p, i8 5, i8 5, i64 4294967295,
; CHECK: call i64 @simt_increment(ptr %p, i8 5, i8 12, i64 4294967295,
; CHECK: call i64 @simt_reduction(ptr %p, i8 4, i8 4, i64 %v,
; CHECK: call i64 @simt_reduction(ptr %p, i8 4, i8 5, i64 1,
; CHECK: call i64 @simt_reduction(ptr %p, i8 7, i8 4, i64 1,
; CHECK: call i64 @simt_reduction(ptr %p, i8 11, i8 4, i64 1,
; CHECK: call i64 @_ZN4simt3sim14checked_atomic{{.*}}(ptr %p, i8 4, i8 2,
; CHECK: call i64 @_ZN4simt3sim14checked_atomic{{.*}}(ptr %p, i8 4, i8 3,
; CHECK: call i64 @_ZN4simt3sim14checked_atomic{{.*}}(ptr %p, i8 4, i8 0,
; CHECK: call i64 @_ZN4simt3sim14checked_atomic{{.*}}(ptr %p, i8 3, i8 4,
; CHECK: call i64 @_ZN4simt3sim14checked_atomic{{.*}}(ptr %p, i8 8, i8 4,
; CHECK: call i64 @_ZN4simt3sim14checked_atomic{{.*}}(ptr %p, i8 4, i8 4, i64 3, {{.*}}, !dbg
define i64 @updates(ptr %p, i64 %v) !dbg !4 {
  %read = call i64 @_ZN4simt3sim14checked_atomicEPvNS0_11atomic_typeENS0_13atomic_actionEmmNS_12memory_orderENS_5scopeE(ptr %p, i8 4, i8 4, i64 3, i64 0, i32 0, i32 1)
  %unread0 = call i64 @_ZN4simt3sim14checked_atomicEPvNS0_11atomic_typeENS0_13atomic_actionEmmNS_12memory_orderENS_5scopeE(ptr %p, i8 4, i8 4, i64 3, i64 0, i32 0, i32 1)
  %unread1 = call i64 @_ZN4simt3sim14checked_atomicEPvNS0_11atomic_typeENS0_13atomic_actionEmmNS_12memory_orderENS_5scopeE(ptr %p, i8 4, i8 4, i64 1, i64 0, i32 0, i32 1)
  %unread2 = call i64 @_ZN4simt3sim14checked_atomicEPvNS0_11atomic_typeENS0_13atomic_actionEmmNS_12memory_orderENS_5scopeE(ptr %p, i8 5, i8 5, i64 4294967295, i64 0, i32 0, i32 1)
  %unread3 = call i64 @_ZN4simt3sim14checked_atomicEPvNS0_11atomic_typeENS0_13atomic_actionEmmNS_12memory_orderENS_5scopeE(ptr %p, i8 5, i8 12, i64 4294967295, i64 0, i32 0, i32 1)
  %unread4 = call i64 @_ZN4simt3sim14checked_atomicEPvNS0_11atomic_typeENS0_13atomic_actionEmmNS_12memory_orderENS_5scopeE(ptr %p, i8 4, i8 4, i64 %v, i64 0, i32 0, i32 1)
  %unread5 = call i64 @_ZN4simt3sim14checked_atomicEPvNS0_11atomic_typeENS0_13atomic_actionEmmNS_12memory_orderENS_5scopeE(ptr %p, i8 4, i8 5, i64 1, i64 0, i32 0, i32 1)
  %unread6 = call i64 @_ZN4simt3sim14checked_atomicEPvNS0_11atomic_typeENS0_13atomic_actionEmmNS_12memory_orderENS_5scopeE(ptr %p, i8 7, i8 4, i64 1, i64 0, i32 0, i32 1)
  %unread7 = call i64 @_ZN4simt3sim14checked_atomicEPvNS0_11atomic_typeENS0_13atomic_actionEmmNS_12memory_orderENS_5scopeE(ptr %p, i8 11, i8 4, i64 1, i64 0, i32 0, i32 1)
  %unread8 = call i64 @_ZN4simt3sim14checked_atomicEPvNS0_11atomic_typeENS0_13atomic_actionEmmNS_12memory_orderENS_5scopeE(ptr %p, i8 4, i8 2, i64 1, i64 0, i32 0, i32 1)
  %unread9 = call i64 @_ZN4simt3sim14checked_atomicEPvNS0_11atomic_typeENS0_13atomic_actionEmmNS_12memory_orderENS_5scopeE(ptr %p, i8 4, i8 3, i64 1, i64 0, i32 0, i32 1)
  %unread10 = call i64 @_ZN4simt3sim14checked_atomicEPvNS0_11atomic_typeENS0_13atomic_actionEmmNS_12memory_orderENS_5scopeE(ptr %p, i8 4, i8 0, i64 1, i64 0, i32 0, i32 1)
  %unread11 = call i64 @_ZN4simt3sim14checked_atomicEPvNS0_11atomic_typeENS0_13atomic_actionEmmNS_12memory_orderENS_5scopeE(ptr %p, i8 3, i8 4, i64 1, i64 0, i32 0, i32 1)
  %unread12 = call i64 @_ZN4simt3sim14checked_atomicEPvNS0_11atomic_typeENS0_13atomic_actionEmmNS_12memory_orderENS_5scopeE(ptr %p, i8 8, i8 4, i64 1, i64 0, i32 0, i32 1)
  %unread.of.cuda = call i64 @_ZN4simt3sim14checked_atomicEPvNS0_11atomic_typeENS0_13atomic_actionEmmNS_12memory_orderENS_5scopeE(ptr %p, i8 4, i8 4, i64 3, i64 0, i32 0, i32 1), !dbg !7
  ret i64 %read
}
declare i64 @_ZN4simt3sim14checked_atomicEPvNS0_11atomic_typeENS0_13atomic_actionEmmNS_12memory_orderENS_5scopeE(ptr, i8, i8, i64, i64, i32, i32)
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "app.cu", directory: "/app")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DIFile(filename: "/any/headers/cuda/atomic", directory: "/app")
!4 = distinct !DISubprogram(name: "updates", scope: !1, file: !1, line: 1, type: !6, unit: !0)
!5 = distinct !DISubprogram(name: "fetch_add", scope: !3, file: !3, line: 1, type: !6, unit: !0)
!6 = !DISubroutineType(types: !{null})
!7 = !DILocation(line: 9, column: 3, scope: !5, inlinedAt: !8)
!8 = distinct !DILocation(line: 2, column: 3, scope: !4)
