// aclInit's file, the environment, and what happens without either.
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <string>

#include "props/services/answers.h"
#include "props/services/initialise_again.h"
#include "props/services/services.h"
#include "props/services/surroundings.h"
#include "props/subject/product.h"

namespace gradproof::props {
namespace {

constexpr std::uintmax_t kLargestFile = 10u << 20;
constexpr std::size_t kLongestMessage = 4095;

class Configuration {
 public:
  Configuration(Session& session, const ref::Call& call)
      : library(session.library()),
        session_(session),
        call_(call),
        file_(folder_.path() / "acl.json") {}

  std::string ask();

 private:
  void refused(const std::string& text, int status);
  void accepted(const char* path, const std::string& because, const char* product);
  void ask_files();
  void ask_environment();
  void ask_names();
  void ask_instruction_set();
  void ask_without_init();
  const char* write(const std::string& text) {
    std::ofstream(file_) << text;
    return file_.c_str();
  }

  const Library& library;
  Session& session_;
  const ref::Call& call_;
  const TemporaryFolder folder_;
  const std::filesystem::path file_;
  Answers is_;
  Variable soc_{"GRADPROOF_SOC"}, threads_{"GRADPROOF_NUM_THREADS"},
      instructions_{"GRADPROOF_INSTRUCTION_SET"};
  GRADPROOF_FIND_MEMBER(init_, aclInit);
  GRADPROOF_FIND_MEMBER(finalize_, aclFinalize);
  GRADPROOF_FIND_MEMBER(name_, aclrtGetSocName);
  GRADPROOF_FIND_MEMBER(message_, aclGetRecentErrMsg);
};

void Configuration::refused(const std::string& text, int status) {
  is_.status("aclInit with " + text, init_(write(text)), status);
}

/// aclInit takes it, and the library is that product.
void Configuration::accepted(const char* path, const std::string& because, const char* product) {
  is_.status("aclInit with " + because, init_(path), ACL_SUCCESS);
  const char* name = name_();
  is_.that("with " + because + " the product is " + product,
           name != nullptr && product_of_soc(name) == product_of_soc(product));
  is_.status("aclFinalize", finalize_(), ACL_SUCCESS);
}

void Configuration::ask_files() {
  is_.status("aclInit with a file that is not there", init_("/nowhere/acl.json"),
             ACL_ERROR_INVALID_FILE);
  is_.status("aclInit with a folder", init_(folder_.path().c_str()), ACL_ERROR_INVALID_FILE);
  (void)init_(std::string(kLongestMessage + 1, 'x').c_str());
  const char* message = message_();
  is_.that("a message of more than 4095 bytes is cut off there",
           message != nullptr && std::strlen(message) == kLongestMessage);
  for (const char* text : {"", "{", "[]", "7", "{\"threads\": 1} {"})
    refused(text, ACL_ERROR_PARSE_FILE);
  for (const char* value :
       {"\"Ascend999\"", "\"\"", "910", "null", "[\"Ascend910B\"]", "{\"a\": 1}"})
    refused("{\"soc\": " + std::string(value) + "}", ACL_ERROR_FILE_ATTR_INVALID);
  for (const char* value :
       {"0", "1025", "-1", "1.5", "\"2\"", "18446744073709551615", "true", "[1]"})
    refused("{\"threads\": " + std::string(value) + "}", ACL_ERROR_FILE_ATTR_INVALID);
  for (const char* value : {"\"mmx\"", "7"})
    refused("{\"instruction_set\": " + std::string(value) + "}", ACL_ERROR_FILE_ATTR_INVALID);
  write("");
  std::filesystem::resize_file(file_, kLargestFile + 1);
  is_.status("aclInit with a file of more than 10 MiB", init_(file_.c_str()),
             ACL_ERROR_INVALID_FILE_SIZE);
  const std::string set = "{\"instruction_set\": \"" + std::string(kAnySet) + "\"}";
  for (const char* text :
       {"{}", "{\"other\": [1, {}]}", "{\"threads\": 1}", "{\"threads\": 1024}", set.c_str()})
    accepted(write(text), text, "Ascend910B");
  for (const char* product :
       {"Ascend910", "Ascend310P", "Ascend910B", "Ascend910_93", "Ascend910B1"}) {
    const std::string text = "{\"soc\": \"" + std::string(product) + "\"}";
    accepted(write(text), text, product);
  }
  const char* const nested = R"({"a": [1, [2]], "b": {"soc": "Ascend7"}, "soc": "Ascend310P"})";
  accepted(write(nested), nested, "Ascend310P");
}

void Configuration::ask_environment() {
  for (const char* value : {"0", "1025", "x", "4x", "-3", "99999999999999"}) {
    threads_.set(value);
    is_.status("aclInit with GRADPROOF_NUM_THREADS=" + std::string(value), init_(nullptr),
               ACL_ERROR_INVALID_PARAM);
  }
  instructions_.set("mmx");
  is_.status("aclInit with two bad variables", init_(nullptr), ACL_ERROR_INVALID_PARAM);
  threads_.unset();
  is_.status("aclInit with GRADPROOF_INSTRUCTION_SET=mmx", init_(nullptr), ACL_ERROR_INVALID_PARAM);
  instructions_.set(kAnySet);
  accepted(nullptr, "GRADPROOF_INSTRUCTION_SET=" + std::string(kAnySet), "Ascend910B");
  instructions_.set("");
  threads_.set("x");
  soc_.set("Ascend7");
  is_.status("aclInit with two bad variables", init_(nullptr), ACL_ERROR_INVALID_PARAM);
  threads_.set("1024");
  is_.status("aclInit with GRADPROOF_SOC=Ascend7", init_(nullptr), ACL_ERROR_INVALID_PARAM);
  soc_.set("Ascend310P");
  accepted(nullptr, "GRADPROOF_SOC=Ascend310P", "Ascend310P");
  accepted(write("{\"soc\": \"Ascend910\"}"), "another product in the file", "Ascend910");
  soc_.set("");
  threads_.set("");
  accepted(nullptr, "empty variables", "Ascend910B");
}

/// The best instruction set that the processor has, by the system's word, can be chosen. Lesser
/// ones may not be compiled.
void Configuration::ask_instruction_set() {
#if defined(__x86_64__)
  std::ifstream file("/proc/cpuinfo");
  std::string line;
  while (std::getline(file, line) && !line.starts_with("flags")) continue;
  line += ' ';
  const auto has = [&](std::initializer_list<const char*> flags) {
    return std::all_of(flags.begin(), flags.end(), [&](const std::string& flag) {
      return line.find(' ' + flag + ' ') != std::string::npos;
    });
  };
  if (!has({"aes", "pclmulqdq", "avx2", "fma", "f16c", "bmi1", "bmi2", "abm"})) return;
  const std::string set =
      has({"avx512f", "avx512vl", "avx512dq", "avx512bw", "avx512cd"}) ? "avx512" : "avx2";
  accepted(write("{\"instruction_set\": \"" + set + "\"}"), set + ", which the processor has,",
           "Ascend910B");
#endif
}

/// The name of the chip that a product, or no choice, leads to leads to that chip itself.
void Configuration::ask_names() {
  for (const char* product : {"", "Ascend910", "Ascend310P", "Ascend910B", "Ascend910_93"}) {
    std::string chip = product;
    for (const bool again : {false, true}) {
      soc_.set(chip.c_str());
      is_.status("aclInit with GRADPROOF_SOC=" + chip, init_(nullptr), ACL_SUCCESS);
      const char* const name = name_();
      is_.that(
          "with GRADPROOF_SOC=" + chip + (again ? " the chip has that name" : " it has a name"),
          name != nullptr && (!again || chip == name));
      if (name != nullptr) chip = name;
      is_.status("aclFinalize", finalize_(), ACL_SUCCESS);
    }
  }
  soc_.unset();
}

/// The first use reads the environment; a wrong one is told by every phase 1.
void Configuration::ask_without_init() {
  soc_.set("Ascend7");
  is_.that("without aclInit, an unknown GRADPROOF_SOC is no product", name_() == nullptr);
  is_.status("phase 1 with an unknown GRADPROOF_SOC and no aclInit",
             session_.get_workspace_size(call_).status, ACLNN_ERR_RUNTIME_ERROR);
  soc_.unset();
  accepted(nullptr, "no variables", "Ascend910B");
  soc_.set("Ascend910_93");
  const char* name = name_();
  is_.that("without aclInit, GRADPROOF_SOC is the product",
           name != nullptr && product_of_soc(name) == ref::Product::Ascend910_93);
}

std::string Configuration::ask() {
  is_.status("aclInit again", init_(nullptr), ACL_ERROR_REPEAT_INITIALIZE);
  is_.status("aclFinalize", finalize_(), ACL_SUCCESS);
  is_.status("aclFinalize again", finalize_(), ACL_ERROR_REPEAT_FINALIZE);
  ask_files();
  ask_environment();
  ask_names();
  ask_instruction_set();
  ask_without_init();
  initialise_again(is_, session_);
  return is_.first();
}

}  // namespace

std::string ask_configuration(Session& session, const ref::Call& call) {
  // A call that the profile excludes ends the check here, before the library is finalised.
  (void)session.get_workspace_size(call);
  return Configuration(session, call).ask();
}

}  // namespace gradproof::props
