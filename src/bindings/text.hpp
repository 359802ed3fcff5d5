// Text to rows on all threads: cuts the bytes at line ends, gives every thread its stretch, joins the parts.
#pragma once

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "svmlight.hpp"
#include "threads.hpp"

namespace rosenblatt {

using Bytes = nb::ndarray<const uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// One stretch of whole lines for every thread: its begin, and at last the end.
inline std::vector<const char*> line_cuts(const char* begin, const char* end, size_t threads) {
    std::vector<const char*> cuts{begin};
    for (size_t k = 1; k < threads; ++k) {
        const char* at = decimal::line_end(std::max(cuts.back(), begin + (end - begin) / threads * k), end);
        cuts.push_back(at == end ? end : at + 1);
    }
    cuts.push_back(end);
    return cuts;
}

struct Free {
    void operator()(void* p) const noexcept { std::free(p); }
};

template <class T>
using Room = std::unique_ptr<T[], Free>;

// Uninitialised room. Large ones ask for huge pages, as NumPy does: mapping small ones costs as much as parsing.
template <class T>
Room<T> room_for(size_t count) {
    constexpr size_t huge = size_t{1} << 21;
    const size_t bytes = std::max<size_t>(count, 1) * sizeof(T);
    const size_t align = bytes >= 2 * huge ? huge : 64;
    void* p = std::aligned_alloc(align, (bytes + align - 1) / align * align);
    if (!p) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
    if (align == huge) madvise(p, bytes, MADV_HUGEPAGE);
#endif
    return Room<T>(static_cast<T*>(p));
}

template <class T>
nb::ndarray<nb::numpy, T> given_away(Room<T> data, std::initializer_list<size_t> shape) {
    T* p = data.release();
    nb::capsule owner(p, [](void* q) noexcept { std::free(q); });
    return nb::ndarray<nb::numpy, T>(p, shape, owner);
}

// Where the rows of a block go if the caller has room for them: one label for every line, one value and column for
// every colon.
using LabelSheet = nb::ndarray<double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using ValueSheet = nb::ndarray<nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using ColumnSheet = nb::ndarray<int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using SparseSheet = std::tuple<LabelSheet, ValueSheet, ColumnSheet>;

template <class T, class I>
struct SvmlightText {
    Room<double> own_labels;
    Room<T> own_values;
    Room<I> own_columns, starts;
    double* labels = nullptr;  // these three are the caller's, or our own
    T* values = nullptr;
    I* columns = nullptr;
    svmlight::Parsed total;

    void read_into(double* label_sheet, T* value_sheet, I* column_sheet, decimal::Count room, const char* begin,
                   const char* end, int64_t first) {
        labels = label_sheet;
        values = value_sheet;
        columns = column_sheet;
        parse({begin, end}, {room}, first);
    }

    void read(const char* begin, const char* end, int64_t first, size_t threads) {
        const std::vector<const char*> cuts = line_cuts(begin, end, threads);
        std::vector<decimal::Count> counts(threads);
        on_threads(threads, [&](size_t k) { counts[k] = decimal::count(cuts[k], cuts[k + 1]); });
        decimal::Count all;
        for (const decimal::Count& c : counts) all = {all.lines + c.lines, all.colons + c.colons};
        own_labels = room_for<double>(all.lines);
        own_values = room_for<T>(all.colons);
        own_columns = room_for<I>(all.colons);
        labels = own_labels.get();
        values = own_values.get();
        columns = own_columns.get();
        parse(cuts, counts, first);
    }

  private:
    // Parses every stretch on its own thread, each into the room it needs, one after the other.
    void parse(const std::vector<const char*>& cuts, const std::vector<decimal::Count>& rooms, int64_t first) {
        std::vector<decimal::Count> at{{}};
        for (const decimal::Count& c : rooms) at.push_back({at.back().lines + c.lines, at.back().colons + c.colons});
        const int64_t lines = at.back().lines;
        std::unique_ptr<int64_t[]> ends(new int64_t[lines + 1]);
        std::vector<svmlight::Parsed> parts(rooms.size());
        on_threads(rooms.size(), [&](size_t k) {
            parts[k] = svmlight::parse<T, I>(cuts[k], cuts[k + 1], first,
                                             {labels + at[k].lines, ends.get() + at[k].lines, values + at[k].colons,
                                              columns + at[k].colons, rooms[k]});
        });
        starts = room_for<I>(lines + 1);
        starts[0] = 0;
        for (size_t k = 0; k < rooms.size(); ++k) join(parts[k], at[k].lines, at[k].colons, ends.get());
    }

    // Empty lines, comments and qid leave gaps: move the part down to where it belongs.
    void join(const svmlight::Parsed& part, int64_t row_at, int64_t entry_at, const int64_t* ends) {
        if (total.fault != svmlight::Fault::none) return;
        const int64_t row = total.rows, entry = total.entries;
        if (row != row_at) std::memmove(&labels[row], &labels[row_at], part.rows * sizeof(double));
        if (entry != entry_at) {
            std::memmove(&values[entry], &values[entry_at], part.entries * sizeof(T));
            std::memmove(&columns[entry], &columns[entry_at], part.entries * sizeof(I));
        }
        for (int64_t i = 0; i < part.rows; ++i) starts[row + i + 1] = static_cast<I>(entry + ends[row_at + i]);
        total.rows += part.rows;
        total.entries += part.entries;
        total.qids += part.qids;
        total.lowest = std::min(total.lowest, part.lowest);
        total.highest = std::max(total.highest, part.highest);
        total.fault = part.fault;
        total.at = part.at;
    }
};

template <class T, class I>
nb::dict parse_svmlight_as(const Bytes& data, int64_t first, size_t threads, const std::optional<SparseSheet>& sheet) {
    const char* begin = reinterpret_cast<const char*>(data.data());
    SvmlightText<T, I> text;
    bool laid = false;
    {
        nb::gil_scoped_release released;
        if constexpr (std::is_same_v<I, int32_t>) {
            if (sheet) {
                const auto& [labels, values, columns] = *sheet;
                const decimal::Count room{static_cast<int64_t>(labels.size()), static_cast<int64_t>(columns.size())};
                text.read_into(labels.data(), static_cast<T*>(values.data()), columns.data(), room, begin,
                               begin + data.size(), first);
                laid = true;
            }
        }
        if (!laid) text.read(begin, begin + data.size(), first, threads);
    }
    const svmlight::Parsed& total = text.total;
    if (total.fault == svmlight::Fault::wide) return parse_svmlight_as<T, int64_t>(data, first, threads, {});
    nb::dict d;
    const size_t rows = static_cast<size_t>(total.rows), entries = static_cast<size_t>(total.entries);
    d["rows"] = rows;
    d["entries"] = entries;
    d["labels"] = d["values"] = d["columns"] = nb::none();
    if (!laid) {
        d["labels"] = given_away(std::move(text.own_labels), {rows});
        d["values"] = given_away(std::move(text.own_values), {entries});
        d["columns"] = given_away(std::move(text.own_columns), {entries});
    }
    d["starts"] = given_away(std::move(text.starts), {rows + 1});
    d["qids"] = total.qids;
    d["lowest"] = entries ? nb::cast(total.lowest) : nb::none();
    d["highest"] = total.highest;
    d["fault"] = svmlight::name(total.fault);
    d["at"] = total.at ? static_cast<int64_t>(total.at - begin) : -1;
    return d;
}

// The rows of svmlight text; "fault" is empty or says what is wrong at byte "at". They are laid into `sheet` where one
// is given and every index fits its columns: "labels", "values" and "columns" are None then.
inline nb::dict parse_svmlight(const Bytes& data, int64_t first, bool float32, int threads,
                               const std::optional<SparseSheet>& sheet) {
    require(first == 0 || first == 1, "the first index is 0 or 1");
    if (sheet) {
        const auto& [labels, values, columns] = *sheet;
        require(
            values.dtype() == (float32 ? nb::dtype<float>() : nb::dtype<double>()) && values.size() == columns.size(),
            "the sheet needs values of the type asked for, and a column for each");
    }
    const size_t count = threads_for(data.size(), threads, worth_parsing);
    const bool wide = data.size() >= size_t{1} << 31;  // more entries than an int32 might count
    if (float32)
        return wide ? parse_svmlight_as<float, int64_t>(data, first, count, sheet)
                    : parse_svmlight_as<float, int32_t>(data, first, count, sheet);
    return wide ? parse_svmlight_as<double, int64_t>(data, first, count, sheet)
                : parse_svmlight_as<double, int32_t>(data, first, count, sheet);
}

// How many lines and colons there are in some bytes; a last line without an end counts too.
inline std::pair<int64_t, int64_t> count_lines_and_colons(const Bytes& data) {
    const char* begin = reinterpret_cast<const char*>(data.data());
    nb::gil_scoped_release released;
    const decimal::Count found = decimal::count(begin, begin + data.size());
    return {found.lines, found.colons};
}

}  // namespace rosenblatt
