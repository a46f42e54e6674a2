; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; Watched: a window grows until what it holds is enough, so a turn reads what the turn before it has read. But each turn asks
; a count, too, so it ends whatever others do: it waits for nobody.
; CHECK: @body = constant {{.*}} { ptr @kernel.loops, ptr null
BODY
declare void @simt.loops.barrier() convergent
KERNEL sanitize_thread {
entry:
  %from = load ptr, ptr %args
  %to.at = getelementptr i8, ptr %args, i64 8
  %to = load ptr, ptr %to.at
  br label %window
window:
  %q = phi i64 [ 1, %entry ], [ %q.next, %asked ]
  br label %turn
turn:
  %i = phi i64 [ 0, %window ], [ %i.next, %turn ]
  %sum = phi i32 [ 0, %window ], [ %sum.next, %turn ]
  %at = add i64 %i, %x
  %at.p = getelementptr i32, ptr %from, i64 %at
  %v = load i32, ptr %at.p
  %sum.next = add i32 %sum, %v
  %i.next = add i64 %i, 1
  %more = icmp ult i64 %i.next, %q
  br i1 %more, label %turn, label %asked
asked:
  %q.next = add nuw nsw i64 %q, 1
  %few = icmp slt i32 %sum.next, 100
  %fits = icmp ult i64 %q.next, 9
  %on = select i1 %few, i1 %fits, i1 false
  br i1 %on, label %window, label %behind
behind:
  call void @simt.loops.barrier()
  %out = getelementptr i32, ptr %to, i64 %y
  store i32 %sum.next, ptr %out
  ret void
}
