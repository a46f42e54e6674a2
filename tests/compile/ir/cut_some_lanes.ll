; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; Which lanes a mask names is known when the kernel runs. Where all lanes name the same ones, as of a vote, the kernel
; looks itself whether those who are there are named, and the engine hears of it where one is not. What a reduction
; gives is read once a warp, in front of the lanes' loop.
; CHECK: @body = constant {{.*}} { ptr @kernel.loops, ptr null
; CHECK-LABEL: define internal void @kernel.loops(
; CHECK: br i1 %{{.*}}, label %{{.*}}, label %[[first:lanes.missing[0-9]*]], !prof
; CHECK: br i1 %{{.*}}, label %{{.*}}, label %[[second:lanes.missing[0-9]*]], !prof
; CHECK: call void @simt_loop_warp(i32 10, i32 0, i32 %[[live:.*]], i32 32, ptr nonnull %{{.*}}, ptr nonnull %{{.*}})
; CHECK: [[first]]:
; CHECK: store <32 x i32> %{{.*}}, ptr %[[masks:.*]], align 64
; CHECK: call void @simt_loop_masks(ptr %b, i32 %{{.*}}, i32 %[[live]], ptr nonnull %[[masks]], i32 1)
; CHECK: [[second]]:
; CHECK: call void @simt_loop_masks(ptr %b, i32 %{{.*}}, i32 %[[live]], ptr nonnull %{{.*}}, i32 10)
BODY
declare i64 @simt.loops.warp(i32, i32, i32, i64, i32) convergent
declare i32 @simt.loops.rank() memory(none)
KERNEL {
entry:
  %to = load ptr, ptr %args
  %rank = call i32 @simt.loops.rank(), !range !0
  %wide = zext i32 %rank to i64
  %at = getelementptr i32, ptr %to, i64 %wide
  %v = load i32, ptr %at
  %enough = icmp sgt i32 %v, 3
  %said = zext i1 %enough to i64
  %named = call i64 @simt.loops.warp(i32 7, i32 0, i32 -1, i64 %said, i32 0)
  %mask = trunc i64 %named to i32
  br i1 %enough, label %some, label %end
some:
  %value = zext i32 %v to i64
  %first = call i32 @llvm.cttz.i32(i32 %mask, i1 false)
  %got = call i64 @simt.loops.warp(i32 1, i32 0, i32 %mask, i64 %value, i32 %first)
  %sum = call i64 @simt.loops.warp(i32 10, i32 0, i32 %mask, i64 %got, i32 0)
  %small = trunc i64 %sum to i32
  store i32 %small, ptr %at
  br label %end
end:
  ret void
}
declare i32 @llvm.cttz.i32(i32, i1)
!0 = !{i32 0, i32 1024}
