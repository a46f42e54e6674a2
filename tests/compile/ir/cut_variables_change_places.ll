; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; Two variables that change places in each turn are needed at one place: two arrays at least.
; CHECK: @body = constant {{.*}} { ptr @kernel.loops, {{.*}} i64 {{8|12|16}},
BODY
declare void @simt.loops.barrier() convergent
KERNEL {
entry:
  %to = load ptr, ptr %args
  %at = getelementptr i32, ptr %to, i64 %x
  %first = load i32, ptr %at
  %far = getelementptr i32, ptr %at, i64 64
  %second = load i32, ptr %far
  br label %loop
loop:
  %one = phi i32 [ %first, %entry ], [ %two, %loop ]
  %two = phi i32 [ %second, %entry ], [ %one, %loop ]
  %s = phi i64 [ 7, %entry ], [ %s.next, %loop ]
  call void @simt.loops.barrier()
  %s.next = lshr i64 %s, 1
  %more = icmp ne i64 %s.next, 0
  br i1 %more, label %loop, label %behind
behind:
  store i32 %one, ptr %at
  ret void
}
