; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; It has no way out.
; CHECK: @body = constant {{.*}} { ptr null, ptr @simt.loops.reason
; CHECK: @simt.loops.reason = {{.*}}c"a kernel that always traps
BODY
declare void @simt.loops.barrier() convergent
KERNEL {
entry:
  call void @simt.loops.barrier()
  unreachable
}
