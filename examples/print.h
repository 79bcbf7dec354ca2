// Prints the results of the sample programs.
#pragma once

#include <cstdio>
#include <vector>

/// Prints `name`, then the values with `columns` of them in each line.
template <class T>
void print(const char* name, const std::vector<T>& values, std::size_t columns) {
  std::printf("%s\n", name);
  for (std::size_t i = 0; i < values.size(); ++i)
    std::printf("%8g%s", static_cast<double>(values[i]), (i + 1) % columns == 0 ? "\n" : " ");
}
