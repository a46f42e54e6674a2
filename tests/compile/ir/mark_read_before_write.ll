; RUN: simt-mark,tsan-module,function(tsan)
; WITH: -tsan-compound-read-before-write=1
; SPDX-License-Identifier: Apache-2.0
; Where additions are told as unread, the read of x += y is announced in front of its load.
; CHECK-LABEL: @update(
; CHECK: i64 @simt_increment(
; CHECK: call void @__tsan_read4(ptr %p)
; CHECK-NEXT: load i32, ptr %p
; CHECK: call void @__tsan_write4(
; CHECK-NEXT: store i32
; CHECK-NEXT: call void @__tsan_func_exit()
define void @update(ptr %p, ptr %q) sanitize_thread {
  %unread = call i64 @_ZN4simt3sim14checked_atomicEPvNS0_11atomic_typeENS0_13atomic_actionEmmNS_12memory_orderENS_5scopeE(ptr %q, i8 4, i8 4, i64 1, i64 0, i32 0, i32 1)
  %x = load i32, ptr %p
  %y = add i32 %x, 5
  store i32 %y, ptr %p
  ret void
}
declare i64 @_ZN4simt3sim14checked_atomicEPvNS0_11atomic_typeENS0_13atomic_actionEmmNS_12memory_orderENS_5scopeE(ptr, i8, i8, i64, i64, i32, i32)
