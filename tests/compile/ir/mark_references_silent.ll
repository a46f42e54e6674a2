; RUN: simt-mark
; SPDX-License-Identifier: Apache-2.0
; The reference by which CUDA source names a variable of the device never changes, so a read of it is not announced; what
; the variable holds is, and so is another variable.
@table = internal global ptr null, section "simt_refs"
@other = internal global ptr null

define i32 @body(i64 %i) sanitize_thread {
entry:
; CHECK: load ptr, ptr @table, align 8, !nosanitize
  %variable = load ptr, ptr @table, align 8
  %at = getelementptr inbounds i32, ptr %variable, i64 %i
; CHECK: load i32, ptr %at, align 4{{$}}
  %element = load i32, ptr %at, align 4
; CHECK: load ptr, ptr @other, align 8{{$}}
  %pointer = load ptr, ptr @other, align 8
; CHECK: load i32, ptr %pointer, align 4{{$}}
  %number = load i32, ptr %pointer, align 4
  %sum = add i32 %element, %number
  ret i32 %sum
}
