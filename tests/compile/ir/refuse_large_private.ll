; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; More for each thread than a worker sets aside.
; CHECK: @body = constant {{.*}} { ptr null, ptr @simt.loops.reason
; CHECK: @simt.loops.reason = {{.*}}c"each thread keeps 40000 bytes from one barrier to the next
BODY
declare void @simt.loops.barrier() convergent
KERNEL {
entry:
  %a = alloca [10000 x i32]
  %at = getelementptr [10000 x i32], ptr %a, i64 0, i64 %x
  store i32 1, ptr %at
  call void @simt.loops.barrier()
  %v = load i32, ptr %at
  store i32 %v, ptr %args
  ret void
}
