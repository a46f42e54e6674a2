; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; Rows by a stride, and within them a stride of neighbours, whose question stands in front of both: else the rows are
; counted for nothing. Both are turned, for there is a form without turns.
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
  %any.row = icmp slt i32 %y.narrow, 18
  br i1 %any.row, label %ask, label %meet
ask:
  %any = icmp slt i32 %x.narrow, 18
  br i1 %any, label %rows, label %idle
rows:
  %j = phi i32 [ %y.narrow, %ask ], [ %j.next, %row.end ]
  %line = mul i32 %j, 18
  br label %row
row:
  %i = phi i32 [ %x.narrow, %rows ], [ %i.next, %row ]
  %index = add i32 %line, %i
  %wide = sext i32 %index to i64
  %at = getelementptr i32, ptr %to, i64 %wide
  store i32 7, ptr %at
  %i.next = add i32 %i, %step.x
  %more = icmp slt i32 %i.next, 18
  br i1 %more, label %row, label %row.end
row.end:
  %j.next = add i32 %j, %step.y
  %more.rows = icmp slt i32 %j.next, 18
  br i1 %more.rows, label %rows, label %meet
idle:
  %k = phi i32 [ %y.narrow, %ask ], [ %k.next, %idle ]
  %k.next = add i32 %k, %step.y
  %more.idle = icmp slt i32 %k.next, 18
  br i1 %more.idle, label %idle, label %meet
meet:
  call void @simt.loops.barrier()
  %own = getelementptr i32, ptr %to, i64 %x
  %v = load i32, ptr %own
  %next = getelementptr i32, ptr %own, i64 400
  store i32 %v, ptr %next
  ret void
}
