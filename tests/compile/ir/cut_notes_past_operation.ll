; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; What a thread has noted of its place on a way past an operation of a warp is asked again, too: nothing is kept.
; CHECK: @body = constant {{.*}} { ptr @kernel.loops, ptr null, {{.*}}, i64 0, i64 1, i64 {{[0-9]}}, i64 {{[0-9]}} }
BODY
declare i64 @simt.loops.warp(i32, i32, i32, i64, i32) convergent
declare i32 @simt.loops.rank() memory(none)
declare void @simt.loops.barrier() convergent
KERNEL {
entry:
  %to = load ptr, ptr %args
  %narrow = trunc i64 %x to i32
  %at = getelementptr i32, ptr %to, i64 %x
  %warp = icmp ult i32 %narrow, 32
  br i1 %warp, label %of.first, label %meet
of.first:
  %vote = call i64 @simt.loops.warp(i32 5, i32 0, i32 -1, i64 1, i32 0)
  %small = trunc i64 %vote to i32
  store i32 %small, ptr %at
  %is.zero = icmp eq i32 %narrow, 0
  br label %meet
meet:
  %noted = phi i1 [ false, %entry ], [ %is.zero, %of.first ]
  call void @simt.loops.barrier()
  br i1 %noted, label %store, label %done
store:
  store i32 9, ptr %to
  br label %done
done:
  ret void
}
