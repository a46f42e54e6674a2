; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; Watched: a count by threes may step over the number that it is to be equal to, so it may be what others write that ends
; the loop.
; CHECK: @body = constant {{.*}} { ptr null, ptr @simt.loops.reason
; CHECK: @simt.loops.reason = {{.*}}c"a loop that may wait for another thread
BODY
declare void @simt.loops.barrier() convergent
declare float @sqrtf(float)
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
  %q.next = add nuw nsw i64 %q, 3
  %number = sitofp i32 %sum.next to float
  %root = call float @sqrtf(float %number) nounwind
  %enough = fcmp ogt float %root, 10.0
  %last = icmp eq i64 %q.next, 9
  %ends = select i1 %enough, i1 true, i1 %last
  br i1 %ends, label %behind, label %window
behind:
  call void @simt.loops.barrier()
  %out = getelementptr i32, ptr %to, i64 %y
  store i32 %sum.next, ptr %out
  ret void
}
