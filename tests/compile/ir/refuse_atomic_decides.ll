; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; What an atomic gives differs between threads.
; CHECK: @body = constant {{.*}} { ptr null, ptr @simt.loops.reason
; CHECK: @simt.loops.reason = {{.*}}c"a barrier under a condition that differs between threads
BODY
declare void @simt.loops.barrier() convergent
KERNEL {
entry:
  %old = atomicrmw add ptr %args, i32 1 seq_cst
  %first = icmp eq i32 %old, 0
  br i1 %first, label %wait, label %join
wait:
  call void @simt.loops.barrier()
  br label %join
join:
  call void @simt.loops.barrier()
  ret void
}
