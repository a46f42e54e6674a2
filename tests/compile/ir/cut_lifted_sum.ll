; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; v + (what a shuffle gives), behind a barrier: the sum is kept, 4 bytes for each thread, and not both it is made of. (The
; second number of the loop_body's are these bytes.)
; CHECK: @body = constant {{.*}} { ptr @kernel.loops, ptr null, {{.*}}, i64 4, i64 1, i64 {{[0-9]}}, i64 {{[0-9]}} }
BODY
declare i64 @simt.loops.warp(i32, i32, i32, i64, i32) convergent
declare i32 @simt.loops.rank() memory(none)
declare void @simt.loops.barrier() convergent
KERNEL {
entry:
  %to = load ptr, ptr %args
  %rank = call i32 @simt.loops.rank(), !range !0
  %wide = zext i32 %rank to i64
  %at = getelementptr float, ptr %to, i64 %wide
  %v = load float, ptr %at
  %bits = bitcast float %v to i32
  %value = zext i32 %bits to i64
  %lane = and i32 %rank, 31
  %source = xor i32 %lane, 16
  %got = call i64 @simt.loops.warp(i32 4, i32 0, i32 -1, i64 %value, i32 %source)
  call void @simt.loops.barrier()
  %is.first = icmp eq i32 %lane, 0
  br i1 %is.first, label %first, label %done
first:
  %small = trunc i64 %got to i32
  %other = bitcast i32 %small to float
  %sum = fadd float %v, %other
  store float %sum, ptr %at
  br label %done
done:
  ret void
}
!0 = !{i32 0, i32 1024}
