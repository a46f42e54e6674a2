; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; Watched: the runtime is asked about loops whose turns each thread counts from elsewhere: without sign, by the number
; that the turn began with, in more bits than are compared; and about what a switch decides. Where what was read ends
; the loop, about what stands beside it.
; CHECK: @body = constant {{.*}} { ptr @kernel.loops, ptr null
; CHECK-LABEL: define internal void @kernel.loops(
; CHECK: call {{.*}}i8 @simt_loop_region(
; CHECK: call void @simt_loop_barrier(
; CHECK: call {{.*}}i8 @simt_loop_region(
; CHECK: call void @simt_loop_barrier(
; CHECK: call {{.*}}i8 @simt_loop_region(
; CHECK: call void @simt_loop_barrier(
; CHECK: call {{.*}}i8 @simt_loop_region(
; CHECK: call void @simt_loop_barrier(
; CHECK: call {{.*}}i8 @simt_loop_region(
; CHECK: ret void
BODY
declare void @simt.loops.barrier() convergent
declare i32 @simt.loops.rank() memory(none)
KERNEL sanitize_thread {
entry:
  %to = load ptr, ptr %args
  %n.at = getelementptr i8, ptr %args, i64 8
  %n = load i32, ptr %n.at
  %rank = call i32 @simt.loops.rank(), !range !0
  br label %unsigned
unsigned:
  %i = phi i32 [ %rank, %entry ], [ %i.next, %unsigned ]
  %i.wide = zext i32 %i to i64
  %i.at = getelementptr i32, ptr %to, i64 %i.wide
  store i32 1, ptr %i.at
  %i.next = add i32 %i, 64
  %i.again = icmp ult i32 %i.next, %n
  br i1 %i.again, label %unsigned, label %i.end
i.end:
  call void @simt.loops.barrier()
  br label %before
before:
  %j = phi i32 [ %rank, %i.end ], [ %j.next, %before ]
  %j.wide = zext i32 %j to i64
  %j.at = getelementptr i32, ptr %to, i64 %j.wide
  store i32 2, ptr %j.at
  %j.next = add nuw nsw i32 %j, 64
  %j.again = icmp slt i32 %j, 448
  br i1 %j.again, label %before, label %j.end
j.end:
  call void @simt.loops.barrier()
  %rank.wide = zext i32 %rank to i64
  br label %wider
wider:
  %k = phi i64 [ %rank.wide, %j.end ], [ %k.next, %wider ]
  %k.at = getelementptr i32, ptr %to, i64 %k
  store i32 3, ptr %k.at
  %k.next = add nuw nsw i64 %k, 64
  %k.cut = trunc i64 %k.next to i32
  %k.again = icmp sgt i32 %n, %k.cut
  br i1 %k.again, label %wider, label %k.end
k.end:
  call void @simt.loops.barrier()
  %rank.at = getelementptr i32, ptr %to, i64 %rank.wide
  switch i32 %rank, label %other [ i32 3, label %end
                                   i32 7, label %far ]
far:
  %far.at = getelementptr i32, ptr %to, i64 500
  store i32 5, ptr %far.at
  br label %end
other:
  store i32 4, ptr %rank.at
  br label %end
end:
  call void @simt.loops.barrier()
  br label %until
until:
  %l = phi i32 [ %rank, %end ], [ %l.next, %until ]
  %l.wide = zext i32 %l to i64
  %l.at = getelementptr i32, ptr %to, i64 %l.wide
  %l.value = load i32, ptr %l.at
  %l.next = add nuw nsw i32 %l, 64
  %l.again = icmp ult i32 %l.next, %l.value
  br i1 %l.again, label %until, label %l.end
l.end:
  store i32 6, ptr %rank.at
  ret void
}
!0 = !{i32 0, i32 1024}
