; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; Threads wait in as many rounds as their index says.
; CHECK: @body = constant {{.*}} { ptr null, ptr @simt.loops.reason
; CHECK: @simt.loops.reason = {{.*}}c"a barrier under a condition that differs between threads
BODY
declare void @simt.loops.barrier() convergent
KERNEL {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  call void @simt.loops.barrier()
  %next = add i64 %i, 1
  %again = icmp ult i64 %next, %x
  br i1 %again, label %loop, label %end
end:
  ret void
}
