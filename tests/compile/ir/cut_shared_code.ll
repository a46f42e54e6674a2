; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; Both arms lead into one store, one of them under a condition of the thread: each has its own then.
; CHECK: @body = constant {{.*}} { ptr @kernel.loops, ptr null
; CHECK-LABEL: define internal void @kernel.loops(
; CHECK-COUNT-2: store i32 77,
; CHECK-NOT: store i32 77,
; CHECK: ret void
BODY
declare void @simt.loops.barrier() convergent
KERNEL {
entry:
  %to = load ptr, ptr %args
  %at = getelementptr i32, ptr %to, i64 %x
  %all = icmp eq i64 %bx, 0
  br i1 %all, label %one, label %other
one:
  store i32 1, ptr %at
  call void @simt.loops.barrier()
  br label %both
other:
  store i32 2, ptr %at
  call void @simt.loops.barrier()
  %some = icmp ult i64 %x, 5
  br i1 %some, label %both, label %end
both:
  %behind = phi i64 [ 1000, %one ], [ 2000, %other ]
  %from = getelementptr i32, ptr %at, i64 %behind
  store i32 77, ptr %from
  br label %end
end:
  ret void
}
