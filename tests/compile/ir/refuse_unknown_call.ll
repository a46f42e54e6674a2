; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; The callee may wait.
; CHECK: @body = constant {{.*}} { ptr null, ptr @simt.loops.reason
; CHECK: @simt.loops.reason = {{.*}}c"a call of somebody, which may wait
BODY
declare void @simt.loops.barrier() convergent
declare void @somebody()
KERNEL {
entry:
  call void @somebody()
  call void @simt.loops.barrier()
  ret void
}
