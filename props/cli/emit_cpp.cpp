// The C++ program of a case.
#include <algorithm>
#include <ostream>

#include "props/cli/emit.h"
#include "ref/call.h"
#include "ref/element.h"

namespace gradproof::cli {
namespace {

constexpr const char* kHelpers = R"(
#include <acl/acl.h>
#include <aclnn/acl_meta.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

constexpr double INF = INFINITY;

enum Type { FLOAT = 0, FLOAT16 = 1, INT8 = 2, INT32 = 3, UINT8 = 4, INT64 = 9, DOUBLE = 11,
            COMPLEX64 = 16, COMPLEX128 = 17, BF16 = 27 };

int parts(int type) { return type == COMPLEX64 || type == COMPLEX128 ? 2 : 1; }

// Bytes of a real number of that type.
size_t width(int type) {
  switch (type) {
    case FLOAT16: case BF16: return 2;
    case INT8: case UINT8: return 1;
    case INT64: case DOUBLE: case COMPLEX128: return 8;
    default: return 4;
  }
}

float from_half(uint16_t half) {
  const int exponent = half >> 10 & 31, mantissa = half & 1023;
  const float size = exponent == 0    ? std::ldexp(mantissa, -24)
                     : exponent == 31 ? (mantissa != 0 ? NAN : INFINITY)
                                      : std::ldexp(1024 + mantissa, exponent - 25);
  return half >> 15 != 0 ? -size : size;
}

// The value must be a FLOAT16 number.
uint16_t to_half(double value) {
  const uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  if (std::isnan(value)) return 0x7e00;
  for (unsigned half = 0; half <= 0x7c00; ++half) {
    if (from_half(static_cast<uint16_t>(half)) == std::fabs(value)) return static_cast<uint16_t>(sign | half);
  }
  std::abort();
}

template <class T>
void put(unsigned char* to, T value) { std::memcpy(to, &value, sizeof value); }
template <class T>
T get(const unsigned char* from) { T value; std::memcpy(&value, from, sizeof value); return value; }

[[maybe_unused]] void store(int type, unsigned char* to, double value) {
  switch (type) {
    case FLOAT: case COMPLEX64: return put(to, static_cast<float>(value));
    case DOUBLE: case COMPLEX128: return put(to, value);
    case FLOAT16: return put(to, to_half(value));
    case BF16: return put(to, static_cast<uint16_t>([&] { float f = static_cast<float>(value); return get<uint32_t>(reinterpret_cast<unsigned char*>(&f)); }() >> 16));
    case INT8: return put(to, static_cast<int8_t>(value));
    case UINT8: return put(to, static_cast<uint8_t>(value));
    case INT32: return put(to, static_cast<int32_t>(value));
    case INT64: return put(to, static_cast<int64_t>(value));
    default: std::abort();
  }
}

[[maybe_unused]] double load(int type, const unsigned char* from) {
  switch (type) {
    case FLOAT: case COMPLEX64: return get<float>(from);
    case DOUBLE: case COMPLEX128: return get<double>(from);
    case FLOAT16: return from_half(get<uint16_t>(from));
    case BF16: { const uint32_t bits = static_cast<uint32_t>(get<uint16_t>(from)) << 16; return get<float>(reinterpret_cast<const unsigned char*>(&bits)); }
    case INT8: return get<int8_t>(from);
    case UINT8: return get<uint8_t>(from);
    case INT32: return get<int32_t>(from);
    case INT64: return static_cast<double>(get<int64_t>(from));
    default: std::abort();
  }
}

struct Tensor {
  const char* name;
  int type, format;
  std::vector<int64_t> shape, strides;  // in elements
  int64_t offset;                       // in elements from the data pointer
  std::vector<int64_t> storage;
  int block;                            // index in host and device; -1: the data pointer is null
  int64_t at;                           // in bytes: where in the block the data pointer points
};

// Calls f(i, byte) for every real number of the view, in row-major order; byte is an offset from
// the data pointer.
template <class F>
void each(const Tensor& t, F f) {
  int64_t count = 1;
  for (int64_t extent : t.shape) count *= extent;
  for (int64_t i = 0; i < count; ++i) {
    int64_t element = t.offset, rest = i;
    for (size_t axis = t.shape.size(); axis-- > 0; rest /= t.shape[axis])
      element += rest % t.shape[axis] * t.strides[axis];
    for (int part = 0; part < parts(t.type); ++part) {
      f(static_cast<size_t>(i * parts(t.type) + part),
        (element * parts(t.type) + part) * static_cast<int64_t>(width(t.type)));
    }
  }
}

aclTensor* create(const Tensor& t, bool null_strides, void* data) {
  return aclCreateTensor(t.shape.data(), t.shape.size(), static_cast<aclDataType>(t.type),
                         null_strides ? nullptr : t.strides.data(), t.offset,
                         static_cast<aclFormat>(t.format), t.storage.data(), t.storage.size(), data);
}

[[maybe_unused]] aclIntArray* create(const std::vector<int64_t>& values) {
  return aclCreateIntArray(values.data(), values.size());
}

void demand(int status, const char* what) {
  if (status == 0) return;
  const char* message = aclGetRecentErrMsg();
  std::printf("%s returned %d: %s\n", what, status, message != nullptr ? message : "");
  std::exit(2);
}

// Prints a status and the expected one.
bool compare_status(const char* what, int got, int expected, const char* why) {
  const char* message = got != 0 ? aclGetRecentErrMsg() : nullptr;
  std::printf("%s: expected %d%s%s, got %d%s\n", what, expected, *why != 0 ? ", for " : "", why, got,
              got == expected ? "" : "  WRONG");
  if (message != nullptr && *message != 0) std::printf("  message: %s\n", message);
  return got == expected;
}

// Prints an output and its bounds.
[[maybe_unused]] bool compare_values(const Tensor& t, const unsigned char* data, const std::vector<double>& exact,
                    const std::vector<double>& low, const std::vector<double>& high,
                    const std::vector<double>& also) {
  size_t wrong = 0;
  std::printf("%s:\n", t.name);
  each(t, [&](size_t i, int64_t byte) {
    const double got = load(t.type, data + byte);
    const int besides = also.empty() ? 0 : static_cast<int>(also[i]);
    const bool right = (low[i] <= got && got <= high[i]) || (std::isnan(got) && (besides & 4) != 0) ||
                       (std::isinf(got) && (besides & (got < 0 ? 1 : 2)) != 0);
    if (!right) ++wrong;
    if (right && exact.size() > 256) return;
    std::string where;
    for (size_t axis = t.shape.size(), rest = i / static_cast<size_t>(parts(t.type)); axis-- > 0;
         rest /= static_cast<size_t>(t.shape[axis]))
      where = std::to_string(rest % static_cast<size_t>(t.shape[axis])) + (where.empty() ? "" : ",") + where;
    std::printf("  [%s] expected %.9g (%.9g to %.9g), got %.9g%s\n", where.c_str(), exact[i], low[i],
                high[i], got, right ? "" : "  WRONG");
  });
  std::printf("  %zu of %zu wrong\n", wrong, exact.size());
  return wrong == 0;
}

// Prints the first byte that has changed and is outside the results. names: of the tensors in each block.
[[maybe_unused]] bool compare_rest(const std::vector<const char*>& names,
                                   const std::vector<std::vector<unsigned char>>& before,
                                   const std::vector<std::vector<unsigned char>>& after,
                                   const std::vector<const Tensor*>& results) {
  for (size_t block = 0; block < after.size(); ++block) {
    std::vector<bool> result(after[block].size());
    for (const Tensor* t : results) {
      if (t->block != static_cast<int>(block)) continue;
      each(*t, [&](size_t, int64_t byte) {
        for (size_t i = 0; i < width(t->type); ++i) result[static_cast<size_t>(t->at + byte) + i] = true;
      });
    }
    for (size_t i = 0; i < result.size(); ++i) {
      if (result[i] || before[block][i] == after[block][i]) continue;
      std::printf("memory of %s: byte %zu, outside the result: expected %02X, got %02X  WRONG\n", names[block], i,
                  before[block][i], after[block][i]);
      return false;
    }
  }
  return true;
}

}  // namespace
)";

template <class T>
std::string list(const std::vector<T>& values) {
  std::string text = "{";
  for (const T& value : values) text += (text.size() > 1 ? ", " : "") + std::to_string(value);
  return text + "}";
}

void print_prototypes(std::ostream& out, const ref::Signature& s) {
  out << "\nextern \"C\" aclnnStatus " << s.api << "GetWorkspaceSize(\n    ";
  for (const ref::Parameter& p : s.parameters) {
    const bool written = p.access == ref::Access::written;
    out << (p.kind == ref::Kind::tensor      ? (written ? "aclTensor*" : "const aclTensor*")
            : p.kind == ref::Kind::int_array ? "const aclIntArray*"
            : p.kind == ref::Kind::flag      ? "bool"
                                             : "double")
        << ' ' << p.name << ", ";
  }
  out << "uint64_t* workspaceSize,\n    aclOpExecutor** executor);\n"
      << "extern \"C\" aclnnStatus " << s.api
      << "(void* workspace, uint64_t size, aclOpExecutor* executor, aclrtStream);\n";
}

}  // namespace

void print_cpp(std::ostream& out, const Emitted& e) {
  const ref::Call& call = e.test.call;
  const ref::Signature& s = ref::signature(call.op);
  out << "// Calls " << s.api << " once and compares the result with the exact one.\n"
      << "//   " << e.line << "\n//\n"
      << "// Build it with the library that defines the function, here libmine.so. set_env.sh of\n"
      << "// gradproof or CANN sets ASCEND_CUSTOM_PATH:\n"
      << "//   c++ -std=c++17 -I$ASCEND_CUSTOM_PATH/include case.cpp -o case ./libmine.so "
         "$ASCEND_CUSTOM_PATH/lib64/libascendcl.so\n"
      << "// With CANN: -L$ASCEND_CUSTOM_PATH/lib64 -lascendcl -lnnopbase -lopapi\n//\n"
      << "// Exit status: 0: as expected, 1: not as expected, 2: a runtime function failed.\n"
      << "// Written by gradproof " GRADPROOF_VERSION "." << kHelpers;
  print_prototypes(out, s);
  out << "\nint main() {\n  setenv(\"GRADPROOF_SOC\", \"" << ref::name(call.product)
      << "\", 1);  // CANN takes it from the device\n"
         "  aclInit(nullptr);\n  demand(aclrtSetDevice(0), \"aclrtSetDevice\");\n"
         "  aclrtStream stream = nullptr;\n"
         "  demand(aclrtCreateStream(&stream), \"aclrtCreateStream\");\n\n"
         "  // Memory, and the tensors in it.\n  std::vector<std::vector<unsigned char>> host;\n";
  for (const props::Allocation& a : e.layout.allocations) {
    out << "  host.emplace_back(" << (e.runs ? std::max<std::int64_t>(a.high - a.low, 1) : 64)
        << ", 0xff);\n";
  }
  for (std::size_t slot = 0; slot < call.tensors.size(); ++slot) {
    const ref::Tensor& t = call.tensors[slot];
    if (t.null) continue;
    const std::string name(props::tensor_name(call.op, static_cast<int>(slot)));
    const int block = e.layout.allocation[slot];
    const std::int64_t at =
        e.runs ? e.layout.at[slot] - e.layout.allocations[static_cast<std::size_t>(block)].low : 0;
    out << "  const Tensor " << name << " = {\"" << name << "\", " << t.dtype << ", " << t.format
        << ", " << list(t.shape) << ", "
        << list(t.null_strides ? ref::contiguous_strides(t.shape) : t.strides) << ", " << t.offset
        << ",\n      " << list(t.storage) << ", " << (t.null_data ? -1 : block) << ", " << at
        << "};  // " << ref::dtype_name(t.dtype) << ' ' << ref::format_name(t.format) << '\n';
    if (e.values[slot].empty()) continue;
    out << "  const std::vector<double> " << name << "_values =\n      "
        << numbers(e.values[slot], false, 6) << ";\n  each(" << name
        << ", [&](size_t i, int64_t byte) {\n    store(" << name << ".type, host[" << block
        << "].data() + " << name << ".at + byte, " << name << "_values[i]);\n  });\n";
  }
  out << "  std::vector<unsigned char*> device;\n  for (const auto& block : host) {\n"
         "    void* memory = nullptr;\n"
         "    demand(aclrtMalloc(&memory, block.size(), ACL_MEM_MALLOC_HUGE_FIRST), "
         "\"aclrtMalloc\");\n"
         "    demand(aclrtMemcpy(memory, block.size(), block.data(), block.size(),\n"
         "                       ACL_MEMCPY_HOST_TO_DEVICE), \"aclrtMemcpy\");\n"
         "    device.push_back(static_cast<unsigned char*>(memory));\n  }\n\n"
         "  uint64_t size = 0;\n  aclOpExecutor* executor = nullptr;\n  const int status = "
      << s.api << "GetWorkspaceSize(\n";
  for (const ref::Parameter& p : s.parameters) {
    const auto slot = static_cast<std::size_t>(p.slot);
    out << "      ";
    if (p.kind == ref::Kind::flag) {
      out << (call.flags[slot] != 0 ? "true" : "false") << ",  // " << p.name << '\n';
    } else if (p.kind == ref::Kind::real) {
      out << numbers({call.reals[slot]}, false, 0) << ",  // " << p.name << '\n';
    } else if (p.kind == ref::Kind::int_array) {
      if (call.arrays[slot].null)
        out << "nullptr";
      else
        out << "create(std::vector<int64_t>" << list(call.arrays[slot].values) << ")";
      out << ",  // " << p.name << '\n';
    } else if (call.tensors[slot].null) {
      out << "nullptr,  // " << p.name << '\n';
    } else {
      const ref::Tensor& t = call.tensors[slot];
      out << "create(" << p.name << ", " << (t.null_strides ? "true" : "false") << ", "
          << (t.null_data ? "nullptr"
                          : "device[" + std::to_string(e.layout.allocation[slot]) + "] + " +
                                std::string(p.name) + ".at")
          << "),\n";
    }
  }
  out << "      " << (call.null_workspace_size ? "nullptr" : "&size") << ", "
      << (call.null_executor ? "nullptr" : "&executor") << ");\n"
      << "  if (!compare_status(\"phase 1\", status, " << e.phase1 << ", "
      << (e.phase1 != 0 ? quoted_text(e.rule) : "\"\"") << ")) return 1;\n";
  if (!e.runs) {
    out << "  return 0;\n}\n";
    return;
  }
  out << "  void* workspace = nullptr;\n"
         "  if (size > 0)\n"
         "    demand(aclrtMalloc(&workspace, size, ACL_MEM_MALLOC_HUGE_FIRST), "
         "\"aclrtMalloc\");\n  if (!compare_status(\"phase 2\", "
      << s.api << "(workspace, size, executor, stream), 0, \"\")) return 1;\n"
      << "  if (!compare_status(\"aclrtSynchronizeStream\", aclrtSynchronizeStream(stream), "
      << e.sync << ", " << (e.sync != 0 ? quoted_text(e.rule) : "\"\"") << ")) return 1;\n";
  if (!e.outputs.empty()) {
    out << "\n  const std::vector<std::vector<unsigned char>> before = host;\n"
           "  for (size_t i = 0; i < host.size(); ++i) {\n"
           "    demand(aclrtMemcpy(host[i].data(), host[i].size(), device[i], host[i].size(),\n"
           "                       ACL_MEMCPY_DEVICE_TO_HOST), \"aclrtMemcpy\");\n  }\n";
  }
  out << "  bool right = true;\n";
  for (const EmittedOutput& o : e.outputs) {
    const std::string name(props::tensor_name(call.op, o.slot));
    const std::vector<double> also(o.also.begin(), o.also.end());
    const bool any = std::any_of(also.begin(), also.end(), [](double bits) { return bits != 0; });
    for (const auto& [what, values] :
         {std::pair{"exact", &o.exact}, std::pair{"low", &o.low}, std::pair{"high", &o.high}}) {
      out << "  const std::vector<double> " << name << '_' << what << " =\n      "
          << numbers(*values, false, 6) << ";\n";
    }
    out << "  const std::vector<double> " << name
        << "_also =  // also correct: 1: -Inf, 2: +Inf, 4: NaN\n      "
        << (any ? numbers(also, false, 6) : "{}") << ";\n"
        << "  right = compare_values(" << name << ", host["
        << e.layout.allocation[static_cast<std::size_t>(o.slot)] << "].data() + " << name << ".at, "
        << name << "_exact, " << name << "_low,\n                         " << name << "_high, "
        << name << "_also) && right;\n";
  }
  if (!e.outputs.empty()) {
    out << "  right = compare_rest({";
    for (std::size_t block = 0; block < e.layout.allocations.size(); ++block)
      out << (block > 0 ? ", " : "") << quoted_text(tensors_of_block(e, static_cast<int>(block)));
    out << "},\n                       before, host, {";
    for (const EmittedOutput& o : e.outputs) {
      out << (&o == &e.outputs.front() ? "&" : ", &") << props::tensor_name(call.op, o.slot);
    }
    out << "}) && right;\n";
  }
  out << "  return right ? 0 : 1;\n}\n";
}

}  // namespace gradproof::cli
