; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; Who does not enter a stride passes through a block that computes a number, as LLVM leaves it. It can be computed in
; front, and the stride is turned, for there is a form without turns. So is one of ranks, in blocks of several rows.
; CHECK-LABEL: define internal void @kernel.otherwise(
; CHECK-LABEL: define internal void @kernel.loops.16x16(
BODY
declare void @simt.loops.barrier() convergent
KERNEL {
entry:
  %to = load ptr, ptr %args
  %x.narrow = trunc i64 %x to i32
  %y.narrow = trunc i64 %y to i32
  %step.x = trunc i64 %dx to i32
  %step.y = trunc i64 %dy to i32
  %row = mul i32 %y.narrow, %step.x
  %rank = add i32 %row, %x.narrow
  %step = mul i32 %step.x, %step.y
  %any = icmp slt i32 %rank, 324
  br i1 %any, label %ahead, label %past
ahead:
  br label %loop
loop:
  %i = phi i32 [ %rank, %ahead ], [ %i.next, %loop ]
  %wide = sext i32 %i to i64
  %at = getelementptr i32, ptr %to, i64 %wide
  store i32 7, ptr %at
  %i.next = add i32 %i, %step
  %more = icmp slt i32 %i.next, 324
  br i1 %more, label %loop, label %meet
past:
  %doubled = shl i32 %y.narrow, 1
  br label %meet
meet:
  %number = phi i32 [ %doubled, %past ], [ 5, %loop ]
  call void @simt.loops.barrier()
  %own = getelementptr i32, ptr %to, i64 %x
  %v = load i32, ptr %own
  %sum = add i32 %v, %number
  %next = getelementptr i32, ptr %own, i64 400
  store i32 %sum, ptr %next
  ret void
}
