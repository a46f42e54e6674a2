; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; What a turn begins with is needed behind the loop, when the variable has been set to a number for the next turn.
; CHECK: @body = constant {{.*}} { ptr @kernel.loops, {{.*}} i64 8,
BODY
declare void @simt.loops.barrier() convergent
KERNEL {
entry:
  %to = load ptr, ptr %args
  %at = getelementptr i32, ptr %to, i64 %x
  %first = load i32, ptr %at
  br label %loop
loop:
  %mine = phi i32 [ %first, %entry ], [ 5, %loop ]
  %s = phi i64 [ 7, %entry ], [ %s.next, %loop ]
  call void @simt.loops.barrier()
  %s.next = lshr i64 %s, 1
  %more = icmp ne i64 %s.next, 0
  br i1 %more, label %loop, label %behind
behind:
  store i32 %mine, ptr %at
  ret void
}
