; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; Watched: the runtime is asked about a piece of 600 accesses, too. Loops that are taken apart (8 results of 17 elements
; each in the separable convolution of NVIDIA's samples) make hundreds of them.
; CHECK-LABEL: define internal void @kernel.loops(
; CHECK: call {{.*}}i8 @simt_loop_region(
; CHECK: ret void
BODY
declare void @simt.loops.barrier() convergent
declare i32 @simt.loops.rank() memory(none)
KERNEL sanitize_thread {
entry:
  %to = load ptr, ptr %args
  %rank = call i32 @simt.loops.rank(), !range !0
  %wide = zext i32 %rank to i64
  %first = getelementptr i32, ptr %to, i64 %wide
  call void @simt.loops.barrier()
REPEAT 600:   %at.# = getelementptr [4096 x i8], ptr %first, i64 #
REPEAT 600:   store i32 #, ptr %at.#
  ret void
}
!0 = !{i32 0, i32 1024}
