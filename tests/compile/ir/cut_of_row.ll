; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; What a thread has read for its row is kept once a row, and read in front of the loop over its threads: the address that
; is made of it grows with x.
; CHECK-LABEL: define internal void @kernel.loops.16x16(
; CHECK: %begin = load i64, ptr %mine
; CHECK: store i64 %begin,
; CHECK: [[KEPT:%.*]] = load i64, ptr
; CHECK-NEXT: [[PLACE:%.*]] = getelementptr i32, ptr %to, i64 [[KEPT]]
; CHECK-NEXT: br label
; CHECK: [[X:%.*]] = phi i64
; CHECK-NEXT: getelementptr i32, ptr [[PLACE]], i64 [[X]]
; CHECK-NEXT: store i32 2
BODY
declare void @simt.loops.barrier() convergent
KERNEL {
entry:
  %to = load ptr, ptr %args
  %more = getelementptr i8, ptr %args, i64 8
  %begins = load ptr, ptr %more
  %mine = getelementptr i64, ptr %begins, i64 %y
  %begin = load i64, ptr %mine
  %at = getelementptr i32, ptr %to, i64 %x
  store i32 1, ptr %at
  call void @simt.loops.barrier()
  %index = add i64 %begin, %x
  %there = getelementptr i32, ptr %to, i64 %index
  store i32 2, ptr %there
  ret void
}
