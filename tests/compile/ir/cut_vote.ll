; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; The votes of all threads are one sum.
; CHECK: @body = constant {{.*}} { ptr @kernel.loops, ptr null
; CHECK-LABEL: define internal void @kernel.loops.64x1(
; CHECK-NOT: @simt.loops.
; CHECK: phi i32 {{.*}}[ 0,
; CHECK: add {{.*}}i32
; CHECK: store i32 %
; CHECK: ret void
BODY
declare void @simt.loops.barrier() convergent
declare void @simt.loops.vote(i1) convergent
declare i32 @simt.loops.votes() convergent
KERNEL {
entry:
  %to = load ptr, ptr %args
  %at = getelementptr i32, ptr %to, i64 %x
  %v = load i32, ptr %at
  %yes = icmp sgt i32 %v, 3
  call void @simt.loops.vote(i1 %yes)
  call void @simt.loops.barrier()
  %sum = call i32 @simt.loops.votes()
  store i32 %sum, ptr %at
  ret void
}
