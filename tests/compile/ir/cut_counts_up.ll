; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; The end of the loop is in memory, and an atomic operation is in it. But it counts, so it ends whatever others do: it waits
; for nobody.
; CHECK: @body = constant {{.*}} { ptr @kernel.loops, ptr null
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
  %end.at = getelementptr i32, ptr %to, i64 %x
  %end = load i32, ptr %end.at
  %more = icmp slt i32 %i.next, %end
  br i1 %more, label %loop, label %behind
behind:
  call void @simt.loops.barrier()
  %at = getelementptr i32, ptr %to, i64 %y
  store i32 1, ptr %at
  ret void
}
