; RUN: simt-prepare
; SPDX-License-Identifier: Apache-2.0
; A variable that has no value yet begins as zero, in each turn of a loop that it lives in.
; CHECK-LABEL: define internal void @kernel(
; CHECK: %done = alloca i8
; CHECK: store i8 0, ptr %done
; CHECK: call void @llvm.lifetime.start.p0(i64 4, ptr %{{.*}}sum)
; CHECK-NEXT: store float 0.000000e+00, ptr %sum
; CHECK-NOT: store i32 0, ptr %many
; CHECK: ret void
BODY
declare void @_ZN4simt3sim13block_barrierERNS0_13block_contextEil(ptr, i32, i64)
declare void @llvm.lifetime.start.p0(i64, ptr)
declare void @llvm.lifetime.end.p0(i64, ptr)
KERNEL {
entry:
  %done = alloca i8
  %sum = alloca float
  %many = alloca [8 x i32]
  br label %turn
turn:
  call void @llvm.lifetime.start.p0(i64 4, ptr %sum)
  call void @_ZN4simt3sim13block_barrierERNS0_13block_contextEil(ptr %b, i32 0, i64 0)
  %v = load i8, ptr %done
  %one = load i32, ptr %many
  store i8 1, ptr %done
  call void @llvm.lifetime.end.p0(i64 4, ptr %sum)
  %again = icmp eq i32 %one, 0
  br i1 %again, label %turn, label %end
end:
  ret void
}
