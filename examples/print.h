// How the sample programs show what they computed.
#pragma once

#include <cstdio>
#include <vector>

/// Prints `name` and then the values, `columns` in a line.
template <class T>
void print(const char* name, const std::vector<T>& values, std::size_t columns) {
  std::printf("%s\n", name);
  for (std::size_t i = 0; i < values.size(); ++i)
    std::printf("%8g%s", static_cast<double>(values[i]), (i + 1) % columns == 0 ? "\n" : " ");
}
