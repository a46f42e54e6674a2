; RUN: simt-range
; A byte that a kernel stores is no bound of the loop around it. What the engine reads behind the pointer that f has
; shown it may be one, and what a pointer from nobody knows where leads to, too.
%"struct.simt::sim::thread_range" = type { ptr, ptr, ptr, ptr, ptr, ptr, ptr }
define void @threads(ptr %fiber, ptr %other, ptr %args, ptr %unknown, i64 %n, i1 %c) {
; CHECK-LABEL: define void @threads
entry:
  %range = alloca %"struct.simt::sim::thread_range", align 8
  %shown = getelementptr inbounds i8, ptr %fiber, i64 72
  store ptr %range, ptr %shown, align 8
; CHECK: store ptr %range, ptr %shown, align 8, !noalias [[ONLY:![0-9]+]]
  %x_end = load ptr, ptr %range, align 8
; CHECK: %x_end = load ptr, ptr %range, align 8, !alias.scope [[ONLY]]
  %to = load ptr, ptr %args, align 8
; CHECK: %to = load ptr, ptr %args, align 8, !noalias [[ONLY]]
  %at = getelementptr inbounds i8, ptr %to, i64 %n
  store i8 1, ptr %at, align 1
; CHECK: store i8 1, ptr %at, align 1, !noalias [[ONLY]]
  call void @llvm.memcpy.p0.p0.i64(ptr %at, ptr %args, i64 3, i1 false)
; CHECK: call void @llvm.memcpy{{.*}}, !noalias [[ONLY]]
  %again = getelementptr inbounds i8, ptr %other, i64 72
  %same = load ptr, ptr %again, align 8
; CHECK: %same = load ptr, ptr %again, align 8, !noalias [[ONLY]]
  %x = load i64, ptr %same, align 8
; CHECK: %x = load i64, ptr %same, align 8{{$}}
  %either = select i1 %c, ptr %same, ptr %unknown
  store i8 2, ptr %either, align 1
; CHECK: store i8 2, ptr %either, align 1{{$}}
  ret void
}
; Here nobody has a range.
define void @others(ptr %args) {
; CHECK-LABEL: define void @others
  store i8 1, ptr %args, align 1
; CHECK: store i8 1, ptr %args, align 1{{$}}
  ret void
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
