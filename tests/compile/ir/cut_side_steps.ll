; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; What the first threads of a row do beside the others, and what those of the last row do, have loops of their own: the
; loop in which all take part has no condition. The second question stands behind an `else`.
; CHECK-LABEL: define internal void @kernel.loops.16x16(
; CHECK: store float 3.0
; CHECK: %v = load float, ptr %from
; CHECK-NEXT: getelementptr
; CHECK-NEXT: store float %v
; CHECK-NEXT: add nuw nsw i64
; CHECK-NEXT: icmp ult i64 {{.*}}, 15
; CHECK: store float 2.0
; CHECK-NEXT: add nuw nsw i64
; CHECK-NEXT: icmp ult i64 {{.*}}, 15
BODY
@key = global i8 0
declare void @simt.loops.barrier() convergent
declare ptr @simt.loops.shared(ptr, ptr)
KERNEL {
entry:
  %in = load ptr, ptr %args
  %tile = call ptr @simt.loops.shared(ptr %b, ptr @key)
  %row = mul i64 %y, 32
  %at = add i64 %row, %x
  %from = getelementptr float, ptr %in, i64 %at
  %v = load float, ptr %from
  %mine = getelementptr float, ptr %tile, i64 %at
  store float %v, ptr %mine
  %is.first = icmp eq i64 %x, 0
  br i1 %is.first, label %first, label %ask
first:
  %left = getelementptr float, ptr %tile, i64 %row
  store float 2.0, ptr %left
  br label %meet
ask:
  %is.last = icmp eq i64 %y, 15
  br i1 %is.last, label %last, label %meet
last:
  %below = getelementptr float, ptr %mine, i64 512
  store float 3.0, ptr %below
  br label %meet
meet:
  call void @simt.loops.barrier()
  %all = load float, ptr %mine
  store float %all, ptr %from
  ret void
}
