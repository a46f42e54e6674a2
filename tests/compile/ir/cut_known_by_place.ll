; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; The first and the last thread have their elements' addresses without an index: where ways meet, it is the element of each
; thread, and nothing is kept for it. (The second number of the loop_body's are bytes for each thread.)
; CHECK: @body = constant {{.*}} { ptr @kernel.loops, ptr null, {{.*}}, i64 0, i64 1, i64 0, i64 1 }
BODY
declare void @simt.loops.barrier() convergent
KERNEL {
entry:
  %to = load ptr, ptr %args
  %narrow = trunc i64 %x to i32
  %is.first = icmp eq i32 %narrow, 0
  br i1 %is.first, label %first, label %others
first:
  store i32 7, ptr %to
  br label %meet
others:
  %high = shl i64 %x, 32
  %index = ashr exact i64 %high, 32
  %at = getelementptr inbounds [256 x i32], ptr %to, i64 0, i64 %index
  store i32 8, ptr %at
  %is.last = icmp ne i32 %narrow, 255
  br i1 %is.last, label %meet, label %last
last:
  %end = getelementptr inbounds i8, ptr %to, i64 1020
  store i32 9, ptr %end
  br label %meet
meet:
  %place = phi ptr [ %to, %first ], [ %at, %others ], [ %end, %last ]
  %number = phi i64 [ 0, %first ], [ %index, %others ], [ 255, %last ]
  call void @simt.loops.barrier()
  %small = trunc i64 %number to i32
  store i32 %small, ptr %place
  ret void
}
