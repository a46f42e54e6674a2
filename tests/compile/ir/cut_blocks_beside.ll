; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; Four blocks side by side: rows outside, then blocks, then the threads of a row. Each block has its own place and its own
; shared memory, dz bytes behind the one before. What the first thread of a row does follows in the same turn over rows.
; CHECK: @simt.loops.copies = private constant [4 x { i64, i64, i64, ptr, i64, ptr }]
; CHECK-SAME: { i64 16, i64 16, i64 1, ptr @kernel.loops.16x16, i64 4, ptr @kernel.loops.16x16.beside }
; CHECK-LABEL: define internal void @kernel.loops.16x16.beside(
; CHECK: [[ROWS:.*]]:
; CHECK: %[[ROW:.*]] = phi i64
; CHECK: [[BLOCK:%.*]] = phi i64
; CHECK: [[PLACE:%.*]] = add {{.*}}i64 [[BLOCK]], %bx
; CHECK: mul {{.*}}i64 [[BLOCK]], %dz
; CHECK: store float %v
; CHECK: icmp ult i64 {{.*}}, 3
; CHECK-NOT: icmp ult i64 {{.*}}, 15
; CHECK: store float 2.0
; CHECK: icmp ult i64 {{.*}}, 3
; CHECK: icmp ult i64 {{.*}}, 15
; CHECK: br i1
; CHECK: ret void
BODY
@key = global i8 0
declare void @simt.loops.barrier() convergent
declare ptr @simt.loops.shared(ptr, ptr) nounwind willreturn memory(none)
KERNEL {
entry:
  %in = load ptr, ptr %args
  %tile = call ptr @simt.loops.shared(ptr %b, ptr @key)
  %first.of.block = mul i64 %bx, 16
  %column = add i64 %first.of.block, %x
  %row = mul i64 %y, 1024
  %at = add i64 %row, %column
  %from = getelementptr float, ptr %in, i64 %at
  %v = load float, ptr %from
  %row.of.tile = mul i64 %y, 20
  %at.in.tile = add i64 %row.of.tile, %x
  %mine = getelementptr float, ptr %tile, i64 %at.in.tile
  store float %v, ptr %mine
  %is.first = icmp eq i64 %x, 0
  br i1 %is.first, label %first, label %meet
first:
  %left = getelementptr float, ptr %mine, i64 16
  store float 2.0, ptr %left
  br label %meet
meet:
  call void @simt.loops.barrier()
  %other = xor i64 %at.in.tile, 1
  %there = getelementptr float, ptr %tile, i64 %other
  %all = load float, ptr %there
  store float %all, ptr %from
  ret void
}
