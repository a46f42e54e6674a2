// SPDX-License-Identifier: Apache-2.0
// Which code is the user's: what stands in headers of the API, the engine and the compiler is not.
#pragma once

#include <llvm/IR/DebugInfoMetadata.h>

#include <string>

namespace simt::compile {

bool is_of_library(llvm::StringRef path);
// Likewise, but for the standard library and the system.
bool is_of_api(llvm::StringRef path);
// As the compiler was given it, below the directory that it ran in.
std::string path_of(const llvm::DILocation& at);
std::string path_of(const llvm::DISubprogram& function);
// A line of the user's, or something that was inlined into one.
bool is_of_user(const llvm::DILocation* at);
// Of such a place, the frame that is the user's, innermost first.
const llvm::DILocation* innermost_of_user(const llvm::DILocation* at);

}  // namespace simt::compile
