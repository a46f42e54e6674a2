; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; Watched: an index that wraps for threads that do not use it (rank - 1 behind rank != 0, in 32 bits without sign) has to be in
; range for the others only: it lies in [0, 2^32) (9), or the thread does not come there (3, of the guard). It begins at -1,
; not at 4294967295, which would be in range for the first thread alone.
; CHECK: @simt.loops.conditions = {{.*}}[i32 4, {{.*}} i32 9, {{.*}} i32 3, {{.*}} i32 2, i32
; CHECK: @simt.loops.always =
; CHECK-LABEL: define internal void @kernel.loops(
; CHECK-DAG: store i64 4294967295, ptr
; CHECK-DAG: store i64 -1, ptr
; CHECK: call {{.*}}i8 @simt_loop_region(
BODY
declare void @simt.loops.barrier() convergent
declare i32 @simt.loops.rank() memory(none)
KERNEL sanitize_thread {
entry:
  %to = load ptr, ptr %args
  %rank = call i32 @simt.loops.rank(), !range !0
  call void @simt.loops.barrier()
  %is.first = icmp eq i32 %rank, 0
  br i1 %is.first, label %end, label %others
others:
  %before = add i32 %rank, -1
  %before.wide = zext i32 %before to i64
  %at = getelementptr i32, ptr %to, i64 %before.wide
  store i32 1, ptr %at
  br label %end
end:
  ret void
}
!0 = !{i32 0, i32 1024}
