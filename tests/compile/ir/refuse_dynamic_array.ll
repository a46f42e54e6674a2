; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; Its size is known at run time only.
; CHECK: @body = constant {{.*}} { ptr null, ptr @simt.loops.reason
; CHECK: @simt.loops.reason = {{.*}}c"an array on the stack whose size is known at run time only
BODY
declare void @simt.loops.barrier() convergent
KERNEL {
entry:
  %a = alloca i32, i64 %dx
  store i32 1, ptr %a
  call void @simt.loops.barrier()
  ret void
}
