# Realistic bugs of kernels: in examples/kernels/STEM.cpp the exact text OLD, which must occur in it once, becomes NEW.
# gradproof_bug(STEM NAME OLD NEW), which whoever includes this defines, makes something of each.

# gradproof_write_bug(STEM NAME OLD NEW): writes the kernel with the bug to the file that bug_source then names.
function(gradproof_write_bug stem name old new)
  set(kernel ${PROJECT_SOURCE_DIR}/examples/kernels/${stem}.cpp)
  file(READ ${kernel} text)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${kernel})
  string(FIND "${text}" "${old}" first)
  string(FIND "${text}" "${old}" last REVERSE)
  if(first EQUAL -1 OR NOT first EQUAL last)
    message(FATAL_ERROR "${stem}, ${name}: '${old}' is not once in the kernel")
  endif()
  string(REPLACE "${old}" "${new}" text "${text}")
  set(bug_source ${PROJECT_BINARY_DIR}/tests/subjects/${stem}.${name}.cpp)
  file(CONFIGURE OUTPUT ${bug_source} CONTENT "@text@" @ONLY)
  set(bug_source ${bug_source} PARENT_SCOPE)
endfunction()

function(gradproof_ignores_strides stem tensor)
  gradproof_bug(${stem} strides_ignored "& c) {"
    "& given) { auto c = given; c.${tensor}.strides = gradproof::subject::contiguous(c.${tensor}.shape);")
endfunction()
# Each sum is rounded to the result's type after every addition.
function(gradproof_sums_narrow stem sum term)
  gradproof_bug(${stem} narrow_sums "${sum} += ${term};" 
    "{ auto& sum = ${sum}; sum += ${term}; sum = static_cast<T>(sum); }")
endfunction()

set(stem max_pool3d_with_argmax_backward)
gradproof_ignores_strides(${stem} grad_output)
gradproof_sums_narrow(${stem} "sums(n, k, at / (H * W), at / W % H, at % W)" "c.grad_output(n, k, d, h, w)")
gradproof_bug(${stem} ceil_mode_clip "= c.indices(n, k, d, h, w);" "= c.indices(n, k, d, h, w);
    // A window that is cut off at the bottom is taken for one that is not there.
    if (h * c.stride[1] + c.kernel_size[1] > H + 2 * c.padding[1]) continue;")

set(stem adaptive_max_pool3d_backward)
gradproof_ignores_strides(${stem} indices)
gradproof_sums_narrow(${stem} "sums(n, k, at / (H * W), at / W % H, at % W)" "c.grad_output(n, k, d, h, w)")
gradproof_bug(${stem} last_row_lost "= c.indices(n, k, d, h, w);" "= c.indices(n, k, d, h, w);
    if (at >= D * H * W - 1) continue;  // a guard that is off by one")

set(stem max_pool2d_with_mask_backward)
gradproof_ignores_strides(${stem} grad_output)
gradproof_sums_narrow(${stem} "sums(n, k, h, w)" "c.grad_output(n, k, i, j)")
gradproof_bug(${stem} ceil_mode_clip "if (h >= 0" "if (c.ceil_mode && (i + 1) * c.stride[0] > H) continue;
      if (h >= 0")

set(stem upsample_bilinear2d_backward)
gradproof_ignores_strides(${stem} grad_out)
gradproof_sums_narrow(${stem} "sums(n, k, int64_t(y) + h, int64_t(x) + w)" "weight * c.grad_out(n, k, i, j)")
gradproof_bug(${stem} adds_zero_times_infinity "weight != 0)"
  "int64_t(y) + h < c.out.shape[2] && int64_t(x) + w < c.out.shape[3])")
gradproof_bug(${stem} half_pixel_forgotten "r * (i + 0.5) - 0.5)" "r * (i + 0.5))")
gradproof_bug(${stem} scale_of_aligned_corners
  "c.align_corners ? (to - 1) / std::max(from - 1, 1.0) : scale > 0 ? 1 / scale :"
  "scale > 0 ? 1 / scale : c.align_corners ? (to - 1) / std::max(from - 1, 1.0) :")
gradproof_bug(${stem} negative_scale "scale > 0" "scale != 0")

set(stem replication_pad2d_backward)
gradproof_ignores_strides(${stem} grad_output)
gradproof_sums_narrow(${stem} "sums(n, k, std::clamp(i - c.top, zero, H - 1), std::clamp(j - c.left, zero, W - 1))"
  "c.grad_output(n, k, i, j)")
gradproof_bug(${stem} last_border_row_lost "positions())" "positions())
    if (c.bottom < 2 || i + 1 < c.grad_output.shape[2])  // a loop that ends one row early")
