; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; It would name no thread.
; CHECK: @body = constant {{.*}} { ptr null, ptr @simt.loops.reason
; CHECK: @simt.loops.reason = {{.*}}c"a use of llvm.trap
BODY
declare void @simt.loops.barrier() convergent
declare void @llvm.trap()
KERNEL {
entry:
  %zero = icmp eq i64 %bx, 5
  br i1 %zero, label %bad, label %good
bad:
  call void @llvm.trap()
  unreachable
good:
  call void @simt.loops.barrier()
  ret void
}
