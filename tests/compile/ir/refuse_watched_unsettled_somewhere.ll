; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; Watched: where something is written is read from memory, so it may be the queue's end.
; CHECK: @body = constant {{.*}} { ptr null, ptr @simt.loops.reason
; CHECK: @simt.loops.reason = {{.*}}c"a loop that may wait for another thread
BODY
@tails = internal constant i8 0
@steps = internal constant i8 0
declare void @simt.loops.barrier() convergent
declare ptr @simt.loops.shared(ptr, ptr) nounwind willreturn memory(none) speculatable
KERNEL sanitize_thread {
entry:
  %to = load ptr, ptr %args
  %tail = call ptr @simt.loops.shared(ptr %b, ptr @tails)
  %step = call ptr @simt.loops.shared(ptr %b, ptr @steps)
  %tail.x = getelementptr i32, ptr %tail, i64 %x
  %step.x = getelementptr i32, ptr %step, i64 %x
  store i32 9, ptr %tail.x
  store i32 2, ptr %step.x
  call void @simt.loops.barrier()
  %q = and i64 %x, 7
  %tail.q = getelementptr i32, ptr %tail, i64 %q
  %step.q = getelementptr i32, ptr %step, i64 %q
  %here = trunc i64 %x to i32
  %where = load ptr, ptr %to
  store i32 1, ptr %where
  br label %loop
loop:
  %i = phi i32 [ %here, %entry ], [ %i.next, %turn ]
  %end = load i32, ptr %tail.q
  %more = icmp slt i32 %i, %end
  br i1 %more, label %turn, label %behind
turn:
  %at = getelementptr i32, ptr %to, i32 %i
  store i32 1, ptr %at
  %far = load i32, ptr %step.q
  %i.next = add i32 %i, %far
  br label %loop
behind:
  call void @simt.loops.barrier()
  store i32 0, ptr %tail.x
  store i32 %here, ptr %to
  ret void
}
