; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; Rounds that wait for other blocks, of which only some pass the barrier of the grid.
; CHECK: @body = constant {{.*}} { ptr null, ptr @simt.loops.reason
; CHECK: @simt.loops.reason = {{.*}}c"a loop that may wait for another thread
BODY
declare void @simt.loops.grid_barrier() convergent
KERNEL {
entry:
  %to = load ptr, ptr %args
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %on ]
  %old = atomicrmw add ptr %to, i32 1 monotonic
  %next = add i32 %i, 1
  %meets = icmp eq i32 %next, 5
  br i1 %meets, label %meet, label %on
meet:
  call void @simt.loops.grid_barrier()
  br label %on
on:
  %sum = load i32, ptr %to
  %again = icmp ult i32 %sum, 1000
  br i1 %again, label %loop, label %end
end:
  ret void
}
