; RUN: simt-range
; A place in a thread's own array that is computed is asked about, once: the store is made within alone, a read outside
; gives zero. A place that is known, and memory that is no variable of the thread's, are not asked about.
define float @kernel(ptr %other, i64 %i, i64 %j) sanitize_thread "simt.device" !dbg !4 {
; CHECK-LABEL: define float @kernel
  %a = alloca [10 x float], align 16
; CHECK: [[WITHIN:%.*]] = icmp ult i64 %i, 10
; CHECK-NEXT: br i1 [[WITHIN]], label %[[MADE:.*]], label %[[LEFT:[^,]*]]
; CHECK: [[MADE]]:
; CHECK-NEXT: store float 1.0{{.*}}, ptr %at
; CHECK: [[LEFT]]:
; CHECK-NEXT: call void @simt_outside_own_array(ptr @simt.own.array, i64 {{.*}}, i64 4, i1 true)
  %at = getelementptr inbounds float, ptr %a, i64 %i
  store float 1.0, ptr %at, align 4, !dbg !6
  %first = getelementptr inbounds float, ptr %a, i64 3
; CHECK-NOT: icmp
; CHECK: store float 2.0
  store float 2.0, ptr %first, align 4, !dbg !6
  %there = getelementptr inbounds float, ptr %other, i64 %i
; CHECK-NOT: icmp
; CHECK: store float 3.0
  store float 3.0, ptr %there, align 4, !dbg !6
; CHECK: icmp ule i64 {{.*}}, 36
; CHECK: call void @simt_outside_own_array(ptr @simt.own.array, i64 {{.*}}, i64 4, i1 false)
; CHECK: phi float [ %v, %{{.*}} ], [ 0.000000e+00, %{{.*}} ]
  %from = getelementptr inbounds float, ptr %at, i64 %j
  %v = load float, ptr %from, align 4, !dbg !6
  ret float %v
}
; What is not watched stays as it is.
; CHECK-LABEL: define void @unwatched
; CHECK-NOT: icmp
define void @unwatched(i64 %i) "simt.device" !dbg !7 {
  %a = alloca [10 x float], align 16
  %at = getelementptr inbounds float, ptr %a, i64 %i
  store float 1.0, ptr %at, align 4, !dbg !8
  ret void
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "app.cu", directory: "/home")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !{})
!4 = distinct !DISubprogram(name: "kernel", file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!6 = !DILocation(line: 2, scope: !4)
!7 = distinct !DISubprogram(name: "unwatched", file: !1, line: 9, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!8 = !DILocation(line: 10, scope: !7)
