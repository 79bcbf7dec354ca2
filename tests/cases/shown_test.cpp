// Case lines that say what they showed.
#include "props/cases/text/shown.h"

#include <gtest/gtest.h>

#include "props/cases/input_error.h"

namespace gradproof::props {
namespace {

const std::string kLine =
    "replication_pad2d_backward gradOutput=FLOAT[1,1,2,3]:ND self=FLOAT[1,1,2,2]:ND "
    "padding=1,0,0,0 gradInput=FLOAT[1,1,2,2]:ND";

std::string error_of(const std::string& line) {
  try {
    Shown shown;
    parse_case(line, shown);
    return "";
  } catch (const InputError& e) {
    return e.what();
  }
}

TEST(Shown, ReadsBackWhatItWrites) {
  const Case c = parse_case(kLine);
  for (const Shown& shown : {Shown{}, Shown{"equivalence", 0, ""}, Shown{"threads", 3, "cann"},
                             Shown{"threads", 0, "my folder/x.json"}}) {
    Shown got;
    EXPECT_EQ(parse_case(to_text(c, shown), got), c);
    EXPECT_EQ(got, shown);
  }
}

TEST(Shown, AccuracyIsAProfileOfBefore) {
  Shown shown;
  parse_case(kLine + " accuracy=device", shown);
  EXPECT_EQ(shown.profile, "float-coordinates");
  EXPECT_NE(error_of(kLine + " accuracy=device profile=x").find("given twice"), std::string::npos);
}

TEST(Shown, LinesOfBeforeSayNothing) {
  Shown shown;
  parse_case(kLine, shown);
  EXPECT_EQ(shown, Shown{});
}

TEST(Shown, ErrorsNameThePlaceInTheWholeLine) {
  EXPECT_NE(error_of(kLine + " threads=0").find("column " + std::to_string(kLine.size() + 2)),
            std::string::npos);
  EXPECT_NE(error_of(kLine + " accuracy=best").find("contract or device"), std::string::npos);
  EXPECT_NE(error_of(kLine + " profile=").find("a name is missing"), std::string::npos);
  EXPECT_NE(error_of(kLine + " property=").find("a name is missing"), std::string::npos);
  EXPECT_NE(error_of("replication_pad2d_backward property=x wrong=1").find("column 39"),
            std::string::npos)
      << error_of("replication_pad2d_backward property=x wrong=1");
}

}  // namespace
}  // namespace gradproof::props
