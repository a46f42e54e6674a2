; RUN: simt-mark
; SPDX-License-Identifier: Apache-2.0
; Each turn of a loop that only waits for a clock is told to the runtime, first of all. Not where it looks at memory,
; counts its turns in memory, or calls what may do so.
; CHECK: @simt.delay = internal global [2 x i64] zeroinitializer
; CHECK-NOT: @simt.delay.
declare i64 @_Z7clock64v()
declare i64 @_ZN9simt_cuda15global_timer_nsEv()
declare void @other()
@_ZN9simt_cuda7runningE = external thread_local global ptr
declare ptr @llvm.threadlocal.address.p0(ptr)
; CHECK-LABEL: define void @waits(
define void @waits(i64 %cycles) {
entry:
  %begin = call i64 @_Z7clock64v()
  %own = call ptr @llvm.threadlocal.address.p0(ptr @_ZN9simt_cuda7runningE)
  br label %turn
; CHECK: turn:
; CHECK-NEXT: %[[BEFORE:.*]] = phi i64 [ %[[SINCE:.*]], %turn ], [ 0, %entry ]
; CHECK-NEXT: %[[SINCE]] = call i64 @_ZN9simt_cuda10delay_turnEPNS_11delay_placeEl(ptr @simt.delay, i64 %[[BEFORE]])
turn:
  %queue = load ptr, ptr %own
  %budget = getelementptr i8, ptr %queue, i64 16
  %left = load i32, ptr %budget
  %less = sub i32 %left, 128
  store i32 %less, ptr %budget
  %now = call i64 @_Z7clock64v()
  %passed = sub i64 %now, %begin
  %on = icmp slt i64 %passed, %cycles
  br i1 %on, label %turn, label %end
end:
  ret void
}
; CHECK-LABEL: define void @looks_at_a_flag(
; CHECK-NOT: call i64 @_ZN9simt_cuda10delay_turn
define void @looks_at_a_flag(i64 %until, ptr %flag) {
entry:
  br label %turn
turn:
  %set = load volatile i32, ptr %flag
  %now = call i64 @_ZN9simt_cuda15global_timer_nsEv()
  %late = icmp sgt i64 %now, %until
  %there = icmp ne i32 %set, 0
  %leave = or i1 %late, %there
  br i1 %leave, label %end, label %turn
end:
  ret void
}
; CHECK-LABEL: define void @stores(
; CHECK-NOT: call i64 @_ZN9simt_cuda10delay_turn
define void @stores(i64 %until, ptr %to) {
entry:
  br label %turn
turn:
  %now = call i64 @_Z7clock64v()
  store i64 %now, ptr %to
  %on = icmp slt i64 %now, %until
  br i1 %on, label %turn, label %end
end:
  ret void
}
; CHECK-LABEL: define void @calls(
; CHECK-NOT: call i64 @_ZN9simt_cuda10delay_turn
define void @calls(i64 %until) {
entry:
  br label %turn
turn:
  call void @other()
  %now = call i64 @_Z7clock64v()
  %on = icmp slt i64 %now, %until
  br i1 %on, label %turn, label %end
end:
  ret void
}
