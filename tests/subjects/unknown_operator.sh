#!/usr/bin/env bash
# unknown_operator.sh COMPILER INCLUDES: a misspelt operator is named by the compiler, with the names that there are.
# INCLUDES are separated by semicolons.
IFS=';' read -ra includes <<<"$2"
errors=$("$1" -std=c++17 -fsyntax-only "${includes[@]/#/-I}" -x c++ - 2>&1 <<'END'
#include <gradproof/subject.hpp>
void gradient(const gradproof::subject::MaxPool2dWithMaskBackward<float>&) {}
GRADPROOF_KERNEL(max_pool2d_backward, gradient)
END
) && { echo 'it compiles'; exit 1; }
grep 'unknown operator; operators: max_pool3d_with_argmax_backward max_pool2d_with_mask_backward' <<<"$errors" ||
  { echo "$errors"; exit 1; }
