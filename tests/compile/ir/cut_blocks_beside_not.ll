; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; Threads are counted at a barrier, those of one block: no blocks side by side.
; CHECK: define internal void @kernel.loops.16x16(
; CHECK-NOT: beside
BODY
@key = global i8 0
declare void @simt.loops.barrier() convergent
declare void @simt.loops.vote(i1)
declare i32 @simt.loops.votes()
declare ptr @simt.loops.shared(ptr, ptr) nounwind willreturn memory(none)
KERNEL {
entry:
  %out = load ptr, ptr %args
  %tile = call ptr @simt.loops.shared(ptr %b, ptr @key)
  %row = mul i64 %y, 16
  %at = add i64 %row, %x
  %mine = getelementptr i32, ptr %tile, i64 %at
  store i32 3, ptr %mine
  %first = icmp ult i64 %x, 3
  call void @simt.loops.vote(i1 %first)
  call void @simt.loops.barrier()
  %count = call i32 @simt.loops.votes()
  %to = getelementptr i32, ptr %out, i64 %at
  store i32 %count, ptr %to
  ret void
}
