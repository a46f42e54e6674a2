; RUN: simt-cut
; SPDX-License-Identifier: Apache-2.0
; What runs on fibers announces its accesses where the loops' are: a read that is moved or dropped later is announced all
; the same. x += 1 at one line is announced at once, and what is the thread's own is not, nor is a reference to a variable.
@table = internal global ptr null, section "simt_refs"

define void @on_fibers(ptr %p, i64 %i, i1 %uses) sanitize_thread {
entry:
  %own = alloca i32
; CHECK: %own = alloca i32
; CHECK-NEXT: load ptr, ptr @table, align 8, !nosanitize
  %variable = load ptr, ptr @table, align 8
; CHECK-NEXT: call void @__tsan_read4(ptr %variable)
  %element = load i32, ptr %variable, align 4
  %at = getelementptr inbounds i32, ptr %p, i64 %i
; CHECK: call void @__tsan_read4(ptr %at)
; CHECK-NEXT: load i32, ptr %at, align 4, !nosanitize
  %number = load i32, ptr %at, align 4
; CHECK-NEXT: store i32 %number, ptr %own, align 4{{$}}
  store i32 %number, ptr %own, align 4
; CHECK-NEXT: load i32, ptr %p, align 4, !nosanitize
  %count = load i32, ptr %p, align 4
  %more = add i32 %count, 1
; CHECK: call void @__tsan_read_write4(ptr %p)
; CHECK-NEXT: store i32 %more, ptr %p, align 4, !nosanitize
  store i32 %more, ptr %p, align 4
  br i1 %uses, label %then, label %end
then:
  %other = getelementptr inbounds i8, ptr %p, i64 64
; CHECK: call void @__tsan_write4(ptr %other)
  store i32 %number, ptr %other, align 4
  br label %end
end:
  ret void
}
