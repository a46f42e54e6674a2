; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; Code that is counted: fibers get a copy of the body, in which markers are the engine's calls. Its accesses are announced
; by calls, and so are those that the loops have not listed (here one of an address that data decide). No call can be duplicated.
; CHECK: define internal void @kernel.thread(
; CHECK-NOT: simt.loops.barrier
; CHECK: call void @__tsan_read4(
; CHECK: call void @engine_barrier(ptr %b
; CHECK: call i32 @engine_vote(ptr %b, i32 %
; CHECK: call void @__tsan_write4(
; CHECK: define internal void @kernel.loops(
; CHECK: call void @__tsan_read4(ptr %{{.*}}) #[[N:[0-9]+]]
; CHECK: attributes #[[N]] = { {{.*}}noduplicate
BODY
@simt_profile_wanted = constant i8 1
declare void @simt.loops.barrier() convergent
declare void @simt.loops.vote(i1) convergent
declare i32 @simt.loops.votes() convergent
declare void @engine_barrier(ptr)
declare i32 @engine_vote(ptr, i32)
KERNEL sanitize_thread {
  %n = load ptr, ptr %args
  %i = getelementptr i32, ptr %n, i64 %x
  %v = load i32, ptr %i
  %w = zext i32 %v to i64
  %j = getelementptr i32, ptr %n, i64 %w
  %u = load i32, ptr %j
  call void @simt.loops.barrier()
  %p = icmp eq i32 %u, 3
  call void @simt.loops.vote(i1 %p)
  call void @simt.loops.barrier()
  %c = call i32 @simt.loops.votes()
  store i32 %c, ptr %i
  ret void
}
!simt.engine.simt.loops.barrier = !{!0}
!simt.engine.simt.loops.vote = !{!1}
!0 = !{ptr @engine_barrier}
!1 = !{ptr @engine_vote}
