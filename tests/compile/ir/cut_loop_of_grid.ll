; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; Rounds that end by what all blocks have added up: each passes a barrier of the grid, so nobody waits for who cannot
; go on.
; CHECK: @body = constant {{.*}} { ptr @kernel.loops, ptr null
; CHECK-LABEL: define internal void @kernel.loops(
; CHECK: call void @simt_grid_barrier(ptr %b)
BODY
declare void @simt.loops.grid_barrier() convergent
KERNEL {
entry:
  %to = load ptr, ptr %args
  br label %loop
loop:
  %old = atomicrmw add ptr %to, i32 1 monotonic
  call void @simt.loops.grid_barrier()
  %sum = load i32, ptr %to
  %again = icmp ult i32 %sum, 1000
  br i1 %again, label %loop, label %end
end:
  ret void
}
