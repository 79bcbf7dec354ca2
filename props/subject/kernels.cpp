// Asks a library about its kernels.
#include "props/subject/kernels.h"

namespace gradproof::props {
namespace {

std::string text(const char* told) { return told != nullptr ? told : ""; }

}  // namespace

Kernels::Kernels(const Library& library) {
  const auto look_up = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(library.symbol(name));
  };
  look_up(name_, "gradproof_kernel");
  look_up(chosen_, "gradproof_executor_kernel");
  look_up(use_, "gradproof_use_kernel");
  look_up(plan_as_large_, "gradproof_plan_as_large");
  look_up(option_, "gradproof_option");
  look_up(set_option_, "gradproof_set_option");
  look_up(get_statistics_, "gradproof_get_statistics");
}

std::vector<std::string> Kernels::of(ref::Operator op) const {
  std::vector<std::string> names;
  if (name_ == nullptr || chosen_ == nullptr) return names;
  const std::string api(ref::signature(op).api);
  while (const char* name = name_(api.c_str(), names.size())) names.emplace_back(name);
  return names;
}

std::string Kernels::chosen(const aclOpExecutor* executor) const {
  return chosen_ != nullptr ? text(chosen_(executor)) : "";
}

bool Kernels::use(const std::string& name) const {
  return use_ != nullptr && use_(name.empty() ? nullptr : name.c_str()) == ACL_SUCCESS;
}

bool Kernels::plan(SmallCalls how) const {
  if (plan_as_large_ != nullptr) plan_as_large_(static_cast<int>(how));
  return plan_as_large_ != nullptr;
}

bool Kernels::choose(const char* option, const std::string& value) const {
  return set_option_ != nullptr &&
         set_option_(option, value.empty() ? nullptr : value.c_str()) == ACL_SUCCESS;
}

std::uint64_t Kernels::declined() const {
  gradproofStatistics now{};
  if (get_statistics_ != nullptr) (void)get_statistics_(&now, sizeof now);
  return now.declined;
}

std::string Kernels::instruction_set() const {
  return option_ != nullptr ? text(option_("instruction_set")) : "";
}

}  // namespace gradproof::props
