; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; A barrier under `(x & 0x50) == 0`, which is no question for the number of threads in a row.
; CHECK: @body = constant {{.*}} { ptr null, ptr @simt.loops.reason, ptr null, i64 0,
; CHECK: @simt.loops.reason = {{.*}}c"a barrier under a condition that differs between threads
BODY
declare void @simt.loops.barrier() convergent
KERNEL {
entry:
  %to = load ptr, ptr %args
  %upper = and i64 %x, 80
  %some = icmp eq i64 %upper, 0
  %at = getelementptr i32, ptr %to, i64 %x
  store i32 3, ptr %at
  br i1 %some, label %in, label %out
in:
  call void @simt.loops.barrier()
  %few = icmp eq i64 %x, 16
  br i1 %few, label %store, label %out
store:
  store i32 5, ptr %at
  br label %out
out:
  call void @simt.loops.barrier()
  store i32 7, ptr %to
  ret void
}
