; RUN: simt-cut
; IN: SIMT_PART_OF_SOURCE=1 here
; SPDX-License-Identifier: Apache-2.0
; The second part has the kernel, what runs it on fibers, and what only that calls; no host code.
; CHECK-DAG: @body = constant {{.*}} { ptr @kernel.loops,
; CHECK-DAG: @counter.of.here = external hidden global i32
; CHECK-DAG: @words = private unnamed_addr constant
; CHECK-NOT: @host
; CHECK: define weak_odr void @fiber()
; CHECK: define internal void @helper()
; CHECK-NOT: @host
BODY
@counter = internal global i32 0
@words = private unnamed_addr constant [3 x i8] c"ab\00"
declare void @simt.loops.barrier() convergent
declare void @use(ptr)
define linkonce_odr void @fiber() {
  call void @helper()
  ret void
}
define internal void @helper() {
  call void @use(ptr @words)
  ret void
}
declare void @launch(ptr, ptr)
define void @host() {
  call void @use(ptr @counter)
  call void @use(ptr @words)
  call void @launch(ptr @fiber, ptr @body)
  call void @launch(ptr @fiber, ptr @body)
  ret void
}
KERNEL {
entry:
  %to = load ptr, ptr %args
  %at = getelementptr i32, ptr %to, i64 %x
  %old = load i32, ptr @counter
  store i32 %old, ptr %at
  call void @simt.loops.barrier()
  store i32 1, ptr @counter
  ret void
}
