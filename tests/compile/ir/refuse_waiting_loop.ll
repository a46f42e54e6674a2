; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; A thread waits until another one has set a flag.
; CHECK: @body = constant {{.*}} { ptr null, ptr @simt.loops.reason
; CHECK: @simt.loops.reason = {{.*}}c"a loop that may wait for another thread
BODY
declare void @simt.loops.barrier() convergent
KERNEL {
entry:
  br label %loop
loop:
  %flag = load volatile i32, ptr %args
  %again = icmp eq i32 %flag, 0
  br i1 %again, label %loop, label %end
end:
  call void @simt.loops.barrier()
  ret void
}
