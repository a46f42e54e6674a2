; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; A barrier of the grid for every other thread.
; CHECK: @body = constant {{.*}} { ptr null, ptr @simt.loops.reason
; CHECK: @simt.loops.reason = {{.*}}c"a barrier under a condition that differs between threads
BODY
declare void @simt.loops.grid_barrier() convergent
KERNEL {
entry:
  %bit = trunc i64 %x to i1
  br i1 %bit, label %wait, label %join
wait:
  call void @simt.loops.grid_barrier()
  br label %join
join:
  call void @simt.loops.grid_barrier()
  ret void
}
