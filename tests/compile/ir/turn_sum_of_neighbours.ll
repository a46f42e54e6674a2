; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; A thread reads two neighbouring elements in each turn, the next thread those that follow: one stretch, so threads are
; put side by side.
; CHECK: @body = constant {{.*}} { ptr @kernel.loops, ptr null
; CHECK-LABEL: define internal void @kernel.loops.256x1(
; CHECK: %turn{{.*}} = phi i64 {{.*}}%k.next
; CHECK: fadd float
; CHECK: icmp ult i64 {{.*}}, 255
; CHECK: ret void
BODY
declare void @simt.loops.barrier() convergent
KERNEL {
entry:
  %from = load ptr, ptr %args
  %n.at = getelementptr i64, ptr %args, i64 1
  %n = load i64, ptr %n.at
  %to = getelementptr float, ptr %from, i64 %x
  call void @simt.loops.barrier()
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %k.next, %loop ]
  %sum = phi float [ 2.0, %entry ], [ %sum.next, %loop ]
  %row = mul i64 %k, 1000
  %pair = shl i64 %x, 1
  %element = add i64 %row, %pair
  %at = getelementptr float, ptr %from, i64 %element
  %v = load float, ptr %at
  %other.at = getelementptr i8, ptr %at, i64 4
  %other = load float, ptr %other.at
  %both = fmul float %v, %other
  %sum.next = fadd float %sum, %both
  %k.next = add nuw nsw i64 %k, 1
  %more = icmp slt i64 %k.next, %n
  br i1 %more, label %loop, label %done
done:
  call void @simt.loops.barrier()
  store float %sum.next, ptr %to
  ret void
}
