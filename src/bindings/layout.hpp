// Columns of a table side by side, row by row, as the core reads them.
#pragma once

#include <algorithm>
#include <vector>

#include "arrays.hpp"

namespace rosenblatt {

using OneColumn = nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using AnySheet = nb::ndarray<nb::ndim<2>, nb::c_contig, nb::device::cpu>;

template <class Unit>
void lay(const std::vector<const void*>& columns, size_t rows, void* out) {
    const size_t width = columns.size();
    const size_t some =
        std::clamp<size_t>((1 << 14) / sizeof(Unit) / width, 8, 1024);  // rows that the nearest cache holds
    auto* const sheet = static_cast<Unit*>(out);
    for (size_t first = 0; first < rows; first += some)
        for (size_t j = 0; j < width; ++j) {
            const auto* column = static_cast<const Unit*>(columns[j]);
            for (size_t i = first; i < std::min(first + some, rows); ++i) sheet[i * width + j] = column[i];
        }
}

// Columns of one type side by side, row by row.
inline void lay_side_by_side(const std::vector<OneColumn>& columns, const AnySheet& out) {
    require(out.itemsize() == 1 || out.itemsize() == 2 || out.itemsize() == 4 || out.itemsize() == 8,
            "elements of 1, 2, 4 or 8 bytes are needed");
    require(out.shape(1) == columns.size(), "one column of the sheet is needed for each column");
    std::vector<const void*> from;
    for (const OneColumn& column : columns) {
        require(column.dtype() == out.dtype(), "columns and sheet must be of one type");
        require(column.shape(0) == out.shape(0), "columns and sheet must be of one length");
        from.push_back(column.data());
    }
    if (from.empty()) return;
    const size_t rows = out.shape(0);
    nb::gil_scoped_release released;
    switch (out.itemsize()) {
        case 1:
            return lay<uint8_t>(from, rows, out.data());
        case 2:
            return lay<uint16_t>(from, rows, out.data());
        case 4:
            return lay<uint32_t>(from, rows, out.data());
        default:
            return lay<uint64_t>(from, rows, out.data());
    }
}

}  // namespace rosenblatt
