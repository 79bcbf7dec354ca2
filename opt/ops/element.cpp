// Element types and formats, a table each.
#include "opt/ops/element.h"

namespace gradproof::ops {
namespace {

struct Type {
  aclDataType dtype;
  const char* name;
  std::int64_t size;
  kernels::Element element;
};

/// Stands where the kernels have no such element.
constexpr kernels::Element kNone = kernels::Element::f32;

constexpr Type kTypes[] = {
    {ACL_FLOAT, "FLOAT", 4, kernels::Element::f32},
    {ACL_FLOAT16, "FLOAT16", 2, kernels::Element::f16},
    {ACL_BF16, "BF16", 2, kernels::Element::bf16},
    {ACL_DOUBLE, "DOUBLE", 8, kernels::Element::f64},
    {ACL_COMPLEX64, "COMPLEX64", 8, kernels::Element::c64},
    {ACL_COMPLEX128, "COMPLEX128", 16, kernels::Element::c128},
    {ACL_INT8, "INT8", 1, kNone},
    {ACL_INT16, "INT16", 2, kNone},
    {ACL_INT32, "INT32", 4, kNone},
    {ACL_INT64, "INT64", 8, kNone},
    {ACL_UINT8, "UINT8", 1, kNone},
    {ACL_UINT16, "UINT16", 2, kNone},
    {ACL_UINT32, "UINT32", 4, kNone},
    {ACL_UINT64, "UINT64", 8, kNone},
    {ACL_BOOL, "BOOL", 1, kNone},
    {ACL_COMPLEX32, "COMPLEX32", 4, kNone},
    // No operator takes these, so nobody asks for their size: they are here for their names.
    {ACL_DT_UNDEFINED, "DT_UNDEFINED", 0, kNone},
    {ACL_STRING, "STRING", 0, kNone},
    {ACL_INT4, "INT4", 0, kNone},
    {ACL_UINT1, "UINT1", 0, kNone},
    {ACL_HIFLOAT8, "HIFLOAT8", 0, kNone},
    {ACL_FLOAT8_E5M2, "FLOAT8_E5M2", 0, kNone},
    {ACL_FLOAT8_E4M3FN, "FLOAT8_E4M3FN", 0, kNone},
    {ACL_FLOAT8_E8M0, "FLOAT8_E8M0", 0, kNone},
    {ACL_FLOAT6_E3M2, "FLOAT6_E3M2", 0, kNone},
    {ACL_FLOAT6_E2M3, "FLOAT6_E2M3", 0, kNone},
    {ACL_FLOAT4_E2M1, "FLOAT4_E2M1", 0, kNone},
    {ACL_FLOAT4_E1M2, "FLOAT4_E1M2", 0, kNone},
};

struct Format {
  aclFormat format;
  const char* name;
};

constexpr Format kFormats[] = {
    {ACL_FORMAT_NCHW, "NCHW"},
    {ACL_FORMAT_NHWC, "NHWC"},
    {ACL_FORMAT_ND, "ND"},
    {ACL_FORMAT_HWCN, "HWCN"},
    {ACL_FORMAT_NDHWC, "NDHWC"},
    {ACL_FORMAT_NCDHW, "NCDHW"},
    {ACL_FORMAT_NC, "NC"},
    {ACL_FORMAT_NCL, "NCL"},
    {ACL_FORMAT_NC1HWC0, "NC1HWC0"},
    {ACL_FORMAT_NDC1HWC0, "NDC1HWC0"},
    {ACL_FORMAT_NC1HWC0_C04, "NC1HWC0_C04"},
    {ACL_FORMAT_FRACTAL_Z, "FRACTAL_Z"},
    {ACL_FORMAT_FRACTAL_NZ, "FRACTAL_NZ"},
    {ACL_FORMAT_FRACTAL_NZ_C0_16, "FRACTAL_NZ_C0_16"},
    {ACL_FORMAT_FRACTAL_NZ_C0_32, "FRACTAL_NZ_C0_32"},
    {ACL_FORMAT_FRACTAL_NZ_C0_2, "FRACTAL_NZ_C0_2"},
    {ACL_FORMAT_FRACTAL_NZ_C0_4, "FRACTAL_NZ_C0_4"},
    {ACL_FORMAT_FRACTAL_NZ_C0_8, "FRACTAL_NZ_C0_8"},
    {ACL_FRACTAL_Z_3D, "FRACTAL_Z_3D"},
    {ACL_FORMAT_UNDEFINED, "UNDEFINED"},
};

const Type* find_type(aclDataType dtype) {
  for (const Type& type : kTypes) {
    if (type.dtype == dtype) return &type;
  }
  return nullptr;
}

}  // namespace

std::string dtype_name(aclDataType dtype) {
  if (const Type* type = find_type(dtype)) return type->name;
  return "dtype(" + std::to_string(static_cast<int>(dtype)) + ")";
}

std::string format_name(aclFormat format) {
  for (const Format& known : kFormats) {
    if (known.format == format) return known.name;
  }
  return "format(" + std::to_string(static_cast<int>(format)) + ")";
}

std::int64_t element_size(aclDataType dtype) {
  const Type* const type = find_type(dtype);
  return type ? type->size : 0;
}

kernels::Element element(aclDataType dtype) { return find_type(dtype)->element; }

}  // namespace gradproof::ops
