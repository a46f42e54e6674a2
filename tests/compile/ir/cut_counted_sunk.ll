; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; Code that is counted: what one side of a branch wants is loaded there, across a question whether an address suits; a load
; behind which something is written stays.
; CHECK: define internal void @kernel.thread(
; CHECK: call void @__tsan_read8(ptr %stays)
; CHECK: br i1 %c, label %side, label %out
; CHECK: side:
; CHECK: call void @__tsan_read8(ptr %moves)
; CHECK: ok:
; CHECK: call void @__tsan_write8(ptr %to)
BODY
@simt_profile_wanted = constant i8 1
declare void @simt.loops.barrier() convergent
declare void @engine_barrier(ptr)
declare void @simt_misplaced_copy(ptr, i64, i1)
declare void @mark()
KERNEL sanitize_thread {
entry:
  %n = load ptr, ptr %args
  %stays = getelementptr i64, ptr %n, i64 %x
  %s = load i64, ptr %stays, align 8
  call void @simt.loops.barrier()
  %moves = getelementptr i64, ptr %stays, i64 5000
  %v = load i64, ptr %moves, align 8
  %c = icmp ugt i64 %y, 3
  br i1 %c, label %side, label %out
side:
  %to = getelementptr i64, ptr %stays, i64 70000
  %a = ptrtoint ptr %to to i64
  %low = and i64 %a, 7
  %suits = icmp eq i64 %low, 0
  br i1 %suits, label %ok, label %misplaced
misplaced:
  call void @simt_misplaced_copy(ptr %to, i64 8, i1 true)
  br label %ok
ok:
  %sum = add i64 %s, 1
  store i64 %v, ptr %to, align 8
  store i64 %sum, ptr %moves, align 8
  br label %out
out:
  ret void
}
!simt.engine.simt.loops.barrier = !{!0}
!0 = !{ptr @engine_barrier}
