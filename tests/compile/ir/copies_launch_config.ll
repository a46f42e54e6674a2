; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; Launches of the native interface have their block in a launch_config: one that is a constant, which is copied, and one
; whose numbers the caller writes, 96 and 160 threads. A third one has a number that nobody knows, so there are usual
; shapes, too; it is not 64, which would be among its own.
; CHECK: @simt.loops.copies = private constant [5 x {{.*}}] [{{.*}} { i64 96, {{.*}} { i64 128, {{.*}} { i64 160, {{.*}} { i64 256, {{.*}} { i64 512, i64 1, i64 1, ptr @kernel.loops.512x1, i64 {{.*}} }]
BODY
@config = private constant [8 x i64] [i64 5, i64 1, i64 1, i64 96, i64 1, i64 1, i64 0, i64 0]
declare void @simt.loops.barrier() convergent
declare void @_ZN4simt12check_launchERKNS_13launch_configESt17basic_string_viewIcSt11char_traitsIcEE(ptr, i64, ptr)
declare void @start(ptr, ptr)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define internal void @launch(ptr %c) noinline {
  call void @_ZN4simt12check_launchERKNS_13launch_configESt17basic_string_viewIcSt11char_traitsIcEE(ptr %c, i64 0, ptr null)
  call void @start(ptr @body, ptr %c)
  ret void
}
define void @copied() {
  %c = alloca [8 x i64]
  call void @llvm.memcpy.p0.p0.i64(ptr %c, ptr @config, i64 64, i1 false)
  call void @launch(ptr %c)
  ret void
}
define void @written(i64 %n) {
  %c = alloca [8 x i64]
  call void @llvm.memcpy.p0.p0.i64(ptr %c, ptr @config, i64 64, i1 false)
  %x = getelementptr i8, ptr %c, i64 24
  store i64 160, ptr %x
  store i64 %n, ptr %c
  call void @launch(ptr %c)
  ret void
}
define void @unknown(i64 %n) {
  %c = alloca [8 x i64]
  call void @llvm.memcpy.p0.p0.i64(ptr %c, ptr @config, i64 64, i1 false)
  %x = getelementptr i8, ptr %c, i64 24
  store i64 64, ptr %x
  store i64 %n, ptr %x
  call void @launch(ptr %c)
  ret void
}
KERNEL {
entry:
  %to = load ptr, ptr %args
  %at = getelementptr i32, ptr %to, i64 %x
  store i32 1, ptr %at
  call void @simt.loops.barrier()
REPEAT 300: store volatile i32 #, ptr %to
  ret void
}
