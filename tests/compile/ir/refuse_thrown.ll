; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; A thread that throws ends in a way that nobody sees.
; CHECK: @body = constant {{.*}} { ptr null, ptr @simt.loops.reason
; CHECK: @simt.loops.reason = {{.*}}c"an exception
BODY
declare void @simt.loops.barrier() convergent
declare void @__cxa_throw(ptr, ptr, ptr)
KERNEL {
entry:
  call void @__cxa_throw(ptr null, ptr null, ptr null)
  call void @simt.loops.barrier()
  ret void
}
