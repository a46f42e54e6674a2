; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; A thread goes on until another one has written what it reads: equality may never be met. A number that does not grow
; ends no loop, either.
; CHECK: @body = constant {{.*}} { ptr null, ptr @simt.loops.reason
; CHECK: @simt.loops.reason = {{.*}}c"a loop that may wait for another thread
BODY
declare void @simt.loops.barrier() convergent
KERNEL {
entry:
  %to = load ptr, ptr %args
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %old = atomicrmw add ptr %to, i32 1 seq_cst
  %i.next = add nsw i32 %i, 1
  %i.other = add i32 %old, 7
  %end.at = getelementptr i32, ptr %to, i64 %x
  %end = load i32, ptr %end.at
  %more = icmp slt i32 %i.other, %end
  br i1 %more, label %loop, label %behind
behind:
  call void @simt.loops.barrier()
  %at = getelementptr i32, ptr %to, i64 %y
  store i32 1, ptr %at
  ret void
}
