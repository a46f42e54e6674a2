; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; No kernel has them.
; CHECK: @body = constant {{.*}} { ptr null, ptr @simt.loops.reason
; CHECK: @simt.loops.reason = {{.*}}c"variable arguments
BODY
declare void @simt.loops.barrier() convergent
KERNEL {
entry:
  %v = va_arg ptr %args, i32
  call void @simt.loops.barrier()
  ret void
}
