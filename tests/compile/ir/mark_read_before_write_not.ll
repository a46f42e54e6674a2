; RUN: simt-mark,tsan-module,function(tsan)
; WITH: -tsan-compound-read-before-write=1
; SPDX-License-Identifier: Apache-2.0
; Where no addition is told as unread (its old value is used), the read and the write of x += y are one access.
; CHECK-LABEL: @update(
; CHECK: call void @__tsan_read_write4(ptr %p)
; CHECK-NEXT: store i32
define i64 @update(ptr %p, ptr %q) sanitize_thread {
  %used = call i64 @_ZN4simt3sim14checked_atomicEPvNS0_11atomic_typeENS0_13atomic_actionEmmNS_12memory_orderENS_5scopeE(ptr %q, i8 4, i8 4, i64 1, i64 0, i32 0, i32 1)
  %x = load i32, ptr %p
  %y = add i32 %x, 5
  store i32 %y, ptr %p
  ret i64 %used
}
declare i64 @_ZN4simt3sim14checked_atomicEPvNS0_11atomic_typeENS0_13atomic_actionEmmNS_12memory_orderENS_5scopeE(ptr, i8, i8, i64, i64, i32, i32)
