; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; Watched: which lanes take part is not known.
; CHECK: @body = constant {{.*}} { ptr null, ptr @simt.loops.reason
; CHECK: @simt.loops.reason = {{.*}}c"an operation of a warp whose mask is not known to be all lanes
BODY
declare i64 @simt.loops.warp(i32, i32, i32, i64, i32) convergent
declare i32 @simt.loops.rank() memory(none)
KERNEL sanitize_thread {
entry:
  %mask = load i32, ptr %args
  %v = call i64 @simt.loops.warp(i32 7, i32 0, i32 %mask, i64 1, i32 0)
  store i64 %v, ptr %args
  ret void
}
