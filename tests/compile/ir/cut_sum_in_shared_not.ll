; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; A pointer from memory, which some thread may have left there, may lead to shared memory: each turn stores its sum.
; CHECK-LABEL: define internal void @kernel.loops(
; CHECK: phi float
; CHECK-NOT: br i1
; CHECK: store float %sum.next
; CHECK: br i1 %end
; CHECK: ret void
BODY
@slot = external global i8
declare void @simt.loops.barrier() convergent
declare ptr @simt.loops.shared(ptr, ptr)
KERNEL {
entry:
  %table = load ptr, ptr %args
  %from = load ptr, ptr %table
  %shared = call ptr @simt.loops.shared(ptr %b, ptr @slot)
  %part = getelementptr float, ptr %shared, i64 %x
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %k.next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %loop ]
  %row = mul i64 %x, 1000
  %element = add i64 %row, %k
  %at = getelementptr float, ptr %from, i64 %element
  %v = load float, ptr %at
  %sum.next = fadd float %sum, %v
  store float %sum.next, ptr %part
  %k.next = add nuw nsw i64 %k, 1
  %end = icmp eq i64 %k.next, 77
  br i1 %end, label %done, label %loop
done:
  call void @simt.loops.barrier()
  %first = load float, ptr %shared
  %to = getelementptr float, ptr %from, i64 %x
  store float %first, ptr %to
  ret void
}
