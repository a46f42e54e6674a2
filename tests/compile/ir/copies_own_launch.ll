; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; In a module with much code each kernel has the shape in which it is launched itself, 96 threads here, though others are
; launched in one that is more usual. Between the two calls of a launch are its arguments.
; CHECK: @simt.loops.copies = private constant [1 x {{.*}}] [{{.*}} { i64 96, i64 1, i64 1, ptr @kernel.loops.96x1, i64 {{.*}} }]
; CHECK-NOT: @kernel.loops.256x1
BODY
declare void @simt.loops.barrier() convergent
declare void @_ZN9simt_cuda9configureE4dim3S0_m(i64, i32, i64, i32, i64)
declare i32 @argument(i32)
declare void @launch(ptr, i32)
define void @stub(i32 %n) {
  call void @launch(ptr @body, i32 %n)
  ret void
}
define void @host() personality ptr null {
  call void @_ZN9simt_cuda9configureE4dim3S0_m(i64 4294967297, i32 1, i64 4294967552, i32 1, i64 0)
  call void @other()
  call void @_ZN9simt_cuda9configureE4dim3S0_m(i64 4294967297, i32 1, i64 4294967392, i32 1, i64 0)
  %n = invoke i32 @argument(i32 1) to label %then unwind label %bad
then:
  call void @stub(i32 %n)
  ret void
bad:
  %lost = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %lost
}
declare void @other()
KERNEL {
entry:
  %to = load ptr, ptr %args
  %at = getelementptr i32, ptr %to, i64 %x
  store i32 1, ptr %at
  call void @simt.loops.barrier()
REPEAT 1100: store volatile i32 #, ptr %to
  ret void
}
