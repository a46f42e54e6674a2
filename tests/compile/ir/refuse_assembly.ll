; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; Nobody knows what it does.
; CHECK: @body = constant {{.*}} { ptr null, ptr @simt.loops.reason
; CHECK: @simt.loops.reason = {{.*}}c"inline assembly
BODY
declare void @simt.loops.barrier() convergent
KERNEL {
entry:
  call void asm sideeffect "nop", ""()
  call void @simt.loops.barrier()
  ret void
}
