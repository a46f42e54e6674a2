; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; A loop with an atomic stays within its thread: others see in which order it is done.
; CHECK: @body = constant {{.*}} { ptr @kernel.loops, ptr null
; CHECK-LABEL: define internal void @kernel.loops.256x1(
; CHECK: %sum = phi float {{.*}}%sum.next
; CHECK: atomicrmw
; CHECK: icmp {{.*}} %k.next, %n
; CHECK: icmp ult i64 {{.*}}, 255
; CHECK: ret void
BODY
declare void @simt.loops.barrier() convergent
KERNEL {
entry:
  %from = load ptr, ptr %args
  %n.at = getelementptr i64, ptr %args, i64 1
  %n = load i64, ptr %n.at
  call void @simt.loops.barrier()
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %k.next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %loop ]
  %row = mul i64 %k, 1000
  %element = add i64 %row, %x
  %at = getelementptr float, ptr %from, i64 %element
  %v = load float, ptr %at
  %old = atomicrmw add ptr %from, i32 1 monotonic
  %sum.next = fadd float %sum, %v
  %k.next = add nuw nsw i64 %k, 1
  %end = icmp eq i64 %k.next, %n
  br i1 %end, label %done, label %loop
done:
  call void @simt.loops.barrier()
  %to = getelementptr float, ptr %from, i64 %x
  store float %sum.next, ptr %to
  ret void
}
