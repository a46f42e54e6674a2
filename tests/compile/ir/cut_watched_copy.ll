; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; Watched: the runtime is asked about a structure that is copied whole, and about a branch that the address's multiple of
; 16 decides; the watched loops announce the copy by a call that notes where it is. A copy at an address that data
; decide is announced in the other loops, too.
; CHECK: @body = constant {{.*}} { ptr @kernel.loops, ptr null
; CHECK-LABEL: define internal void @kernel.loops(
; CHECK: call {{.*}}i8 @simt_loop_region(
; CHECK: call void @simt_loop_copy(ptr {{[^,]*}}, ptr {{[^,]*}}, i64 12, ptr {{.*}}@simt.loops.sites
; CHECK: call void @simt_loop_barrier(
; CHECK: call {{.*}}i8 @simt_loop_region(
; CHECK: call void @simt_loop_barrier(
; CHECK: define {{.*}}.unwatched{{.*}}
; CHECK-NOT: @simt_loop_copy
; CHECK: define {{.*}}.unwatched{{.*}}
; CHECK: call void @simt_loop_copy(ptr {{[^,]*}}, ptr {{[^,]*}}, i64 12, ptr null)
BODY
declare void @simt.loops.barrier() convergent
declare i32 @simt.loops.rank() memory(none)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @simt_misplaced_copy(ptr, i64, i1) cold noinline nounwind
KERNEL sanitize_thread {
entry:
  %to = load ptr, ptr %args
  %from.at = getelementptr i8, ptr %args, i64 8
  %from = load ptr, ptr %from.at
  %rank = call i32 @simt.loops.rank(), !range !0
  %i = zext i32 %rank to i64
  %to.i = getelementptr [16 x i8], ptr %to, i64 %i
  %from.i = getelementptr [16 x i8], ptr %from, i64 %i
  %number = ptrtoint ptr %to.i to i64
  %odd = and i64 %number, 15
  %wrong = icmp ne i64 %odd, 0
  br i1 %wrong, label %misplaced, label %copied
misplaced:
  call void @simt_misplaced_copy(ptr %to.i, i64 16, i1 true)
  br label %copied
copied:
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %to.i, ptr align 4 %from.i, i64 12, i1 false)
  call void @simt.loops.barrier()
  %j = load i32, ptr %from.i
  %j.wide = zext i32 %j to i64
  %to.j = getelementptr [16 x i8], ptr %to, i64 %j.wide
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %to.j, ptr align 4 %from.i, i64 12, i1 false)
  call void @simt.loops.barrier()
  ret void
}
!0 = !{i32 0, i32 1024}
