; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; What a clock says has no order in loops.
; CHECK: @body = constant {{.*}} { ptr null, ptr @simt.loops.reason
; CHECK: @simt.loops.reason = {{.*}}c"a use of llvm.readcyclecounter
BODY
declare void @simt.loops.barrier() convergent
declare i64 @llvm.readcyclecounter()
KERNEL {
entry:
  %now = call i64 @llvm.readcyclecounter()
  call void @simt.loops.barrier()
  ret void
}
