; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; Who launches by cudaLaunchKernel may have any shape, too.
; CHECK: @simt.loops.copies = private constant [5 x {{.*}}] [{{.*}} { i64 64, {{.*}} { i64 128, {{.*}} { i64 256, {{.*}} { i64 512, {{.*}} { i64 1024, i64 1, i64 1, ptr @kernel.loops.1024x1, i64 {{.*}} }]
BODY
declare void @simt.loops.barrier() convergent
declare void @_ZN9simt_cuda9configureE4dim3S0_m(i64, i32, i64, i32, i64)
declare void @cudaLaunchKernel()
define void @host() {
  call void @_ZN9simt_cuda9configureE4dim3S0_m(i64 4294967297, i32 1, i64 4294967424, i32 1, i64 0)
  call void @_ZN9simt_cuda9configureE4dim3S0_m(i64 4294967297, i32 1, i64 68719476752, i32 1, i64 0)
  call void @cudaLaunchKernel()
  ret void
}
KERNEL {
entry:
  %to = load ptr, ptr %args
  %at = getelementptr i32, ptr %to, i64 %x
  store i32 1, ptr %at
  call void @simt.loops.barrier()
  %back = sub i64 63, %x
  %other = getelementptr i32, ptr %to, i64 %back
  %v = load i32, ptr %other
  %next = getelementptr i32, ptr %at, i64 64
  store i32 %v, ptr %next
  ret void
}
