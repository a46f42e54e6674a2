; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; A loop that nothing ends.
; CHECK: @body = constant {{.*}} { ptr null, ptr @simt.loops.reason
; CHECK: @simt.loops.reason = {{.*}}c"a loop without an end
BODY
declare void @simt.loops.barrier() convergent
KERNEL {
entry:
  %c = icmp eq i64 %bx, 0
  br i1 %c, label %loop, label %end
loop:
  call void @simt.loops.barrier()
  br label %loop
end:
  ret void
}
