; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; A barrier under `x < 256`, as clang writes it with a mask: loops for blocks of at most 256 threads in x (16777216 is 256 in
; the upper bits of loop_body::rows), which do not ask, and copies for such shapes only. Who asks for less is asked still.
; CHECK: @body = constant {{.*}} { ptr @kernel.loops, ptr @simt.loops.reason, ptr @simt.loops.copies, i64 3, {{.*}}, i64 16777216,
; CHECK: @simt.loops.reason = {{.*}}c"a barrier under a condition that differs between threads
; CHECK-NOT: @kernel.loops.512x1
; CHECK-LABEL: define internal void @kernel.loops(
; CHECK-NOT: 4294967040
; CHECK: i64 16
BODY
declare void @simt.loops.barrier() convergent
KERNEL {
entry:
  %to = load ptr, ptr %args
  %upper = and i64 %x, 4294967040
  %some = icmp eq i64 %upper, 0
  %at = getelementptr i32, ptr %to, i64 %x
  store i32 3, ptr %at
  br i1 %some, label %in, label %out
in:
  call void @simt.loops.barrier()
  %few = icmp ult i64 %x, 16
  br i1 %few, label %store, label %out
store:
  store i32 5, ptr %at
  br label %out
out:
  call void @simt.loops.barrier()
  store i32 7, ptr %to
  ret void
}
