; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; A sum that some threads add to in each turn is one variable over the barriers: one array with four bytes for each thread.
; CHECK: @body = constant {{.*}} { ptr @kernel.loops, {{.*}} i64 4,
BODY
declare void @simt.loops.barrier() convergent
KERNEL {
entry:
  %to = load ptr, ptr %args
  %at = getelementptr i32, ptr %to, i64 %x
  %first = load i32, ptr %at
  br label %loop
loop:
  %mine = phi i32 [ %first, %entry ], [ %merged, %join ]
  %s = phi i64 [ 8, %entry ], [ %s.next, %join ]
  call void @simt.loops.barrier()
  %adds = icmp ult i64 %x, %s
  br i1 %adds, label %add, label %join
add:
  %near = getelementptr i32, ptr %at, i64 %s
  %other = load i32, ptr %near
  %sum = add i32 %mine, %other
  store i32 %sum, ptr %at
  br label %join
join:
  %merged = phi i32 [ %mine, %loop ], [ %sum, %add ]
  %s.next = lshr i64 %s, 1
  %more = icmp ne i64 %s.next, 0
  br i1 %more, label %loop, label %behind
behind:
  store i32 %merged, ptr %at
  ret void
}
