; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; Of two questions for a place of which clang has made a switch, each side has a loop of its own, though a minimum that is
; cheap to compute again comes from in front: the loop in which all take part has no condition.
; CHECK-LABEL: define internal void @kernel.loops.16x16(
; CHECK: %v = load float, ptr %from
; CHECK-NOT: br
; CHECK: store float %v
; CHECK-NEXT: add nuw nsw i64
; CHECK-NEXT: icmp ult i64 {{.*}}, 15
; CHECK: store float 2.0
; CHECK-NEXT: add nuw nsw i64
; CHECK: store float 3.0
BODY
@key = global i8 0
declare void @simt.loops.barrier() convergent
declare ptr @simt.loops.shared(ptr, ptr)
declare i64 @llvm.smin.i64(i64, i64)
KERNEL {
entry:
  %in = load ptr, ptr %args
  %tile = call ptr @simt.loops.shared(ptr %b, ptr @key)
  %row = mul i64 %y, 32
  %at = add i64 %row, %x
  %least = call i64 @llvm.smin.i64(i64 %at, i64 200)
  %from = getelementptr float, ptr %in, i64 %at
  %v = load float, ptr %from
  %mine = getelementptr float, ptr %tile, i64 %least
  store float %v, ptr %mine
  switch i64 %x, label %meet [
    i64 0, label %first
    i64 15, label %last
  ]
first:
  %left = getelementptr float, ptr %mine, i64 512
  store float 2.0, ptr %left
  br label %meet
last:
  %right = getelementptr float, ptr %mine, i64 513
  store float 3.0, ptr %right
  br label %meet
meet:
  call void @simt.loops.barrier()
  %all = load float, ptr %tile
  store float %all, ptr %from
  ret void
}
