; RUN: simt-prepare
; SPDX-License-Identifier: Apache-2.0
; Casts to bytes and shorts clamp to 32 bits, and keep the low ones; wider casts stay as they are.
; CHECK: %[[byte:.*]] = call i32 @llvm.fptoui.sat.i32.f32(float %f)
; CHECK: trunc i32 %[[byte]] to i8
; CHECK: %[[short:.*]] = call i32 @llvm.fptosi.sat.i32.f64(double %d)
; CHECK: trunc i32 %[[short]] to i16
; CHECK: call i64 @llvm.fptosi.sat.i64.f32(float %f)
BODY
declare i8 @llvm.fptoui.sat.i8.f32(float)
declare i16 @llvm.fptosi.sat.i16.f64(double)
declare i64 @llvm.fptosi.sat.i64.f32(float)
KERNEL {
entry:
  %f = load float, ptr %args
  %d = load double, ptr %args
  %byte = call i8 @llvm.fptoui.sat.i8.f32(float %f)
  %short = call i16 @llvm.fptosi.sat.i16.f64(double %d)
  %long = call i64 @llvm.fptosi.sat.i64.f32(float %f)
  store i8 %byte, ptr %args
  store i16 %short, ptr %args
  store i64 %long, ptr %args
  ret void
}
