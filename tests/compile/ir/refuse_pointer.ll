; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; The callee may wait.
; CHECK: @body = constant {{.*}} { ptr null, ptr @simt.loops.reason
; CHECK: @simt.loops.reason = {{.*}}c"a call through a pointer, which may wait
BODY
declare void @simt.loops.barrier() convergent
KERNEL {
entry:
  %f = load ptr, ptr %args
  call void %f()
  call void @simt.loops.barrier()
  ret void
}
