// Loading of implementations: what is missing or no library at all is said by name.
#include <fstream>

#include "props/cases/input_error.h"
#include "props/subject/product.h"
#include "tests/suite/suite_fixture.h"

namespace gradproof::props {
namespace {

std::string error_of(const std::vector<std::string>& paths) {
  try {
    const Library library(paths);
  } catch (const InputError& e) {
    return e.what();
  }
  return "no error";
}

TEST(Library, AFileThatIsNotThereIsNamed) {
  EXPECT_PRED2(contains, error_of({"/nowhere/libx.so"}), "/nowhere/libx.so");
}

TEST(Library, AFileThatIsNoLibraryIsNamed) {
  const std::string path = testing::TempDir() + "no_library.so";
  std::ofstream(path) << "this is a text\n";
  EXPECT_PRED2(contains, error_of({path}), path + ": cannot be loaded");
}

TEST(Library, AMissingRuntimeFunctionIsNamed) {
  EXPECT_PRED2(contains, error_of({FAKE_WITHOUT_MALLOC, FAKE_OPERATOR}), "no function aclrtMalloc");
  EXPECT_PRED2(contains, error_of({FAKE_OPERATOR}), "no function aclInit");
}

TEST(Library, ARuntimeWithoutOperatorsHasNone) {
  EXPECT_TRUE(Library(std::vector<std::string>{FAKE_RUNTIME}).operators().empty());
}

TEST(Library, OperatorsOfADependencyAreNotItsOwn) {
  const Library linked(std::vector<std::string>{MISSPELT});
  EXPECT_TRUE(linked.operators().empty());
  EXPECT_EQ(linked.provision().of_dependencies.size(),
            static_cast<std::size_t>(ref::kOperatorCount));
  const Library both(std::vector<std::string>{MISSPELT, GRADPROOF_LIBRARY});
  EXPECT_EQ(both.operators().size(), static_cast<std::size_t>(ref::kOperatorCount));
  EXPECT_TRUE(both.provision().of_dependencies.empty());
  EXPECT_PRED2(contains, both.provision().operators.front().file, "libgradproof.so");
}

TEST(Library, AFilterHasWhatIsBehindIt) {
  const Library library(std::vector<std::string>{DROPIN_ASCENDCL, DROPIN_NNOPBASE, DROPIN_OPAPI});
  EXPECT_EQ(library.operators().size(), static_cast<std::size_t>(ref::kOperatorCount));
  EXPECT_TRUE(library.provision().of_dependencies.empty());
  EXPECT_PRED2(contains, library.provision().operators.front().file, "libgradproof.so");
  EXPECT_NE(library.own_symbol("gradproof_profile"), nullptr);
}

TEST(Library, NoPathIsRefused) { EXPECT_PRED2(contains, error_of({}), "no library given"); }

TEST(Library, SymbolsAreLookedUpInAllFilesInAnyOrder) {
  for (const std::vector<std::string>& paths :
       {std::vector<std::string>{FAKE_RUNTIME, FAKE_OPERATOR}, {FAKE_OPERATOR, FAKE_RUNTIME}}) {
    const Library library(paths);
    EXPECT_EQ(library.operators(), std::vector{ref::Operator::replication_pad2d_backward});
    EXPECT_EQ(library.entry(ref::Operator::replication_pad2d).run, nullptr);
    EXPECT_EQ(library.api().recent_error, nullptr);
  }
}

TEST(Library, ItMayBeSplitInThree) {
  const Library library(std::vector<std::string>{FAKE_ASCENDCL, FAKE_NNOPBASE, FAKE_OPERATOR});
  const Provision provision = library.provision();
  ASSERT_EQ(provision.other_runtime.size(), 1u);
  EXPECT_PRED2(contains, provision.other_runtime.begin()->first, "nnopbase");
  EXPECT_GT(provision.other_runtime.begin()->second, 0u);
  Session session(library);
  ASSERT_TRUE(session.select(ref::Product::Ascend910B));
  const Verdict verdict = judged(session, pad_case());
  EXPECT_TRUE(verdict.held) << verdict.finding;
  EXPECT_PRED2(contains, error_of({FAKE_ASCENDCL, FAKE_OPERATOR}), "no function aclCreateTensor");
}

TEST(Library, OursHasEverything) {
  const Library library(std::vector<std::string>{GRADPROOF_LIBRARY});
  EXPECT_EQ(library.operators().size(), static_cast<std::size_t>(ref::kOperatorCount));
  EXPECT_NE(library.api().destroy_executor, nullptr);
  EXPECT_NE(library.api().set_repeatable, nullptr);
}

TEST(Product, HardwareNamesAreUnderstood) {
  EXPECT_EQ(product_of_soc("Ascend910B"), ref::Product::Ascend910B);
  EXPECT_EQ(product_of_soc("Ascend910B4"), ref::Product::Ascend910B);
  EXPECT_EQ(product_of_soc("Ascend910_9362"), ref::Product::Ascend910_93);
  EXPECT_EQ(product_of_soc("Ascend310P3"), ref::Product::Ascend310P);
  EXPECT_EQ(product_of_soc("Ascend910A"), ref::Product::Ascend910);
  EXPECT_EQ(product_of_soc("Ascend310"), std::nullopt);
  EXPECT_EQ(product_of_soc(""), std::nullopt);
}

}  // namespace
}  // namespace gradproof::props
