; RUN: simt-prepare
; SPDX-License-Identifier: Apache-2.0
; Code that is counted: a structure that is copied to or from a variable is copied by the members that clang names, and
; by what lies behind the last of them. A pointer stays one. From memory to memory it stays a copy.
; CHECK-LABEL: define void @members
; CHECK: [[FIRST:%.*]] = load i8, ptr
; CHECK: [[SECOND:%.*]] = load ptr, ptr
; CHECK: [[THIRD:%.*]] = load i32, ptr
; CHECK: [[REST:%.*]] = load i32, ptr
; CHECK: store i8 [[FIRST]]
; CHECK: store ptr [[SECOND]]
; CHECK: store i32 [[THIRD]]
; CHECK: store i32 [[REST]]
; CHECK-NOT: memcpy
; CHECK: ret void
; CHECK-LABEL: define void @elsewhere
; CHECK: call void @llvm.memcpy
; CHECK: ret void
@simt_profile_wanted = constant i8 1
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @use(ptr)
define void @members(ptr %from) sanitize_thread {
  %own = alloca { i8, ptr, i32 }, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %own, ptr align 8 %from, i64 24, i1 false), !tbaa.struct !0
  call void @use(ptr %own)
  ret void
}
define void @elsewhere(ptr %from, ptr %to) sanitize_thread {
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %to, ptr align 8 %from, i64 24, i1 false), !tbaa.struct !0
  ret void
}
!0 = !{i64 0, i64 1, !1, i64 8, i64 8, !1, i64 16, i64 4, !1}
!1 = !{!2, !2, i64 0}
!2 = !{!"omnipotent char", !3}
!3 = !{!"C++"}
