; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; What both arms lead into is too large to be copied for each of them.
; CHECK: @body = constant {{.*}} { ptr null, ptr @simt.loops.reason
; CHECK: @simt.loops.reason = {{.*}}c"code that ways past different barriers share, and that is too large to be copied
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
REPEAT 1100:   store volatile i32 #, ptr %from
  br label %end
end:
  ret void
}
