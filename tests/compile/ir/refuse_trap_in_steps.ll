; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; Where its thread would have gone without it is not one place.
; CHECK: @body = constant {{.*}} { ptr null, ptr @simt.loops.reason
; CHECK: @simt.loops.reason = {{.*}}c"a trap that is reached in several steps
BODY
declare void @simt.loops.barrier() convergent
KERNEL {
entry:
  %c = icmp eq i64 %x, 3
  br i1 %c, label %step, label %good
step:
  store i32 1, ptr %args
  br label %bad
bad:
  store i32 2, ptr %args
  unreachable
good:
  call void @simt.loops.barrier()
  ret void
}
