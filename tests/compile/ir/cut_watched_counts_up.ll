; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; Watched: the edges of a node. The end of the loop is in memory that others may write, and clang has frozen what was read.
; But it counts, so it ends whatever others do: it waits for nobody.
; CHECK: @body = constant {{.*}} { ptr @kernel.loops, ptr null
BODY
declare void @simt.loops.barrier() convergent
KERNEL sanitize_thread {
entry:
  %to = load ptr, ptr %args
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %each = getelementptr i32, ptr %to, i64 %i
  store i32 1, ptr %each
  %i.next = add nsw i64 %i, 1
  %end.at = getelementptr i32, ptr %to, i64 %x
  %read = load i32, ptr %end.at
  %frozen = freeze i32 %read
  %end = sext i32 %frozen to i64
  %more = icmp slt i64 %i.next, %end
  br i1 %more, label %loop, label %behind
behind:
  call void @simt.loops.barrier()
  %at = getelementptr i32, ptr %to, i64 %y
  store i32 1, ptr %at
  ret void
}
