; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; A loop with two entries.
; CHECK: @body = constant {{.*}} { ptr null, ptr @simt.loops.reason
; CHECK: @simt.loops.reason = {{.*}}c"control flow that is no nest of loops
BODY
declare void @simt.loops.barrier() convergent
KERNEL {
entry:
  %c = icmp eq i64 %bx, 0
  call void @simt.loops.barrier()
  br i1 %c, label %p, label %q
p:
  %d = icmp eq i64 %by, 0
  br i1 %d, label %q, label %end
q:
  %e = icmp eq i64 %bz, 0
  br i1 %e, label %p, label %end
end:
  ret void
}
