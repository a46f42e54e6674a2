; RUN: simt-host-loops
; SPDX-License-Identifier: Apache-2.0
; Watched host code. A loop is there twice if all that it touches is reached by pointers that are there before it: the
; runtime is asked about each, and the copy announces nothing. A loop that follows pointers, one with a volatile access,
; one whose pointer either copy of an earlier loop has found, and a function that no sanitizer looks at stay as they are.
; CHECK-LABEL: define float @sum(
; CHECK: %[[A:[0-9]+]] = call zeroext i8 @simt_host_is_far(ptr %a)
; CHECK: %[[B:[0-9]+]] = call zeroext i8 @simt_host_is_far(ptr %b)
; CHECK: %[[BOTH:[0-9]+]] = and i8 %[[A]], %[[B]]
; CHECK: %[[FAR:[0-9]+]] = icmp ne i8 %[[BOTH]], 0
; CHECK: br i1 %[[FAR]], label %turn.quiet, label %turn
; CHECK: turn:
; CHECK: %v = load float, ptr %a.at, align 4{{$}}
; CHECK: end:
; CHECK: phi float [ %next, %turn ], [ %next{{.*}}, %turn.quiet ]
; CHECK: turn.quiet:
; CHECK: load float, {{.*}} !nosanitize
; CHECK: load float, {{.*}} !nosanitize
; CHECK-LABEL: define void @follow(
; CHECK-NOT: @simt_host_is_far
; CHECK-LABEL: define void @poll(
; CHECK-NOT: @simt_host_is_far
; CHECK-LABEL: define i32 @found_before(
; CHECK: call zeroext i8 @simt_host_is_far(ptr %rows)
; CHECK-NOT: @simt_host_is_far
; CHECK-LABEL: define void @not_watched(
; CHECK-NOT: call {{.*}}@simt_host_is_far
define float @sum(ptr %a, ptr %b, i64 %n) sanitize_thread !dbg !4 {
entry:
  br label %turn
turn:
  %i = phi i64 [ 0, %entry ], [ %i.next, %turn ]
  %s = phi float [ 0.0, %entry ], [ %next, %turn ]
  %a.at = getelementptr float, ptr %a, i64 %i
  %v = load float, ptr %a.at
  %b.at = getelementptr float, ptr %b, i64 %i
  %w = load float, ptr %b.at
  %product = fmul float %v, %w
  %next = fadd float %s, %product
  %i.next = add i64 %i, 1
  %again = icmp ult i64 %i.next, %n
  br i1 %again, label %turn, label %end
end:
  ret float %next
}
define void @follow(ptr %list) sanitize_thread !dbg !5 {
entry:
  br label %turn
turn:
  %at = phi ptr [ %list, %entry ], [ %next, %turn ]
  %next = load ptr, ptr %at
  %again = icmp ne ptr %next, null
  br i1 %again, label %turn, label %end
end:
  ret void
}
define void @poll(ptr %flag) sanitize_thread !dbg !6 {
entry:
  br label %turn
turn:
  %v = load volatile i32, ptr %flag
  %again = icmp eq i32 %v, 0
  br i1 %again, label %turn, label %end
end:
  ret void
}
define i32 @found_before(ptr %rows, i64 %n) sanitize_thread !dbg !8 {
entry:
  br label %look
look:
  %i = phi i64 [ 0, %entry ], [ %i.next, %look ]
  %row.at = getelementptr ptr, ptr %rows, i64 %i
  %row = load ptr, ptr %row.at
  %i.next = add i64 %i, 1
  %further = icmp ult i64 %i.next, %n
  br i1 %further, label %look, label %turn
turn:
  %j = phi i64 [ 0, %look ], [ %j.next, %turn ]
  %at = getelementptr i32, ptr %row, i64 %j
  %v = load i32, ptr %at
  %j.next = add i64 %j, 1
  %again = icmp ult i64 %j.next, %n
  br i1 %again, label %turn, label %end
end:
  ret i32 %v
}
define void @not_watched(ptr %a, i64 %n) !dbg !7 {
entry:
  br label %turn
turn:
  %i = phi i64 [ 0, %entry ], [ %i.next, %turn ]
  %a.at = getelementptr float, ptr %a, i64 %i
  store float 1.0, ptr %a.at
  %i.next = add i64 %i, 1
  %again = icmp ult i64 %i.next, %n
  br i1 %again, label %turn, label %end
end:
  ret void
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "program.cu", directory: "/")
!2 = !DISubroutineType(types: !{})
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "sum", file: !1, line: 1, type: !2, unit: !0, spFlags: DISPFlagDefinition)
!5 = distinct !DISubprogram(name: "follow", file: !1, line: 2, type: !2, unit: !0, spFlags: DISPFlagDefinition)
!6 = distinct !DISubprogram(name: "poll", file: !1, line: 3, type: !2, unit: !0, spFlags: DISPFlagDefinition)
!8 = distinct !DISubprogram(name: "found_before", file: !1, line: 5, type: !2, unit: !0, spFlags: DISPFlagDefinition)
!7 = distinct !DISubprogram(name: "not_watched", file: !1, line: 4, type: !2, unit: !0, spFlags: DISPFlagDefinition)
