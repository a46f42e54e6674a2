; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; The second question is asked of some only: who stays meets behind both.
; CHECK: @body = constant {{.*}} { ptr @kernel.loops, ptr null
BODY
declare void @simt.loops.barrier() convergent
KERNEL {
entry:
  %to = load ptr, ptr %args
  %at = getelementptr i32, ptr %to, i64 %x
  %some = icmp ult i64 %x, 5
  br i1 %some, label %ask, label %stay
ask:
  %old = load i32, ptr %at
  %negative = icmp slt i32 %old, 0
  br i1 %negative, label %end, label %stay
stay:
  %v = phi i32 [ 0, %entry ], [ %old, %ask ]
  store i32 %v, ptr %at
  call void @simt.loops.barrier()
  br i1 %some, label %more, label %end
more:
  store i32 77, ptr %at
  br label %end
end:
  ret void
}
