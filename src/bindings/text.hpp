// Text to rows on all threads: cuts the bytes at line ends, gives every thread its stretch, joins the parts.
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>
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

// A thread is worth starting for half a megabyte.
inline size_t threads_for(size_t bytes, int threads) {
    return std::min<size_t>(std::max(threads, 1), std::max<size_t>(1, bytes >> 19));
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

template <class T, class I>
struct SvmlightText {
    Room<double> labels;
    Room<I> starts;
    Room<T> values;
    Room<I> columns;
    svmlight::Parsed total;
    int64_t lines = 0;

    void read(const char* begin, const char* end, int64_t first, size_t threads) {
        const std::vector<const char*> cuts = line_cuts(begin, end, threads);
        std::vector<svmlight::Count> counts(threads);
        on_threads(threads, [&](size_t k) { counts[k] = svmlight::count(cuts[k], cuts[k + 1]); });
        std::vector<int64_t> row_at{0}, entry_at{0};
        for (const svmlight::Count& c : counts) {
            row_at.push_back(row_at.back() + c.lines);
            entry_at.push_back(entry_at.back() + c.colons);
        }
        lines = row_at.back();
        labels = room_for<double>(lines);
        values = room_for<T>(entry_at.back());
        columns = room_for<I>(entry_at.back());
        std::unique_ptr<int64_t[]> ends(new int64_t[lines + 1]);
        std::vector<svmlight::Parsed> parts(threads);
        on_threads(threads, [&](size_t k) {
            parts[k] = svmlight::parse<T, I>(cuts[k], cuts[k + 1], first,
                                             {labels.get() + row_at[k], ends.get() + row_at[k],
                                              values.get() + entry_at[k], columns.get() + entry_at[k]});
        });
        starts = room_for<I>(lines + 1);
        starts[0] = 0;
        for (size_t k = 0; k < threads; ++k) join(parts[k], row_at[k], entry_at[k], ends.get());
    }

  private:
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
nb::dict parse_svmlight_as(const Bytes& data, int64_t first, size_t threads) {
    const char* begin = reinterpret_cast<const char*>(data.data());
    SvmlightText<T, I> text;
    {
        nb::gil_scoped_release released;
        text.read(begin, begin + data.size(), first, threads);
    }
    const svmlight::Parsed& total = text.total;
    if (total.fault == svmlight::Fault::wide) return parse_svmlight_as<T, int64_t>(data, first, threads);
    nb::dict d;
    const size_t rows = static_cast<size_t>(total.rows), entries = static_cast<size_t>(total.entries);
    d["labels"] = given_away(std::move(text.labels), {rows});
    d["values"] = given_away(std::move(text.values), {entries});
    d["columns"] = given_away(std::move(text.columns), {entries});
    d["starts"] = given_away(std::move(text.starts), {rows + 1});
    d["lines"] = text.lines;
    d["qids"] = total.qids;
    d["lowest"] = entries ? nb::cast(total.lowest) : nb::none();
    d["highest"] = total.highest;
    d["fault"] = svmlight::name(total.fault);
    d["at"] = total.at ? static_cast<int64_t>(total.at - begin) : -1;
    return d;
}

// The rows of svmlight text; "fault" is empty or says what is wrong at byte "at".
inline nb::dict parse_svmlight(const Bytes& data, int64_t first, bool float32, int threads) {
    require(first == 0 || first == 1, "the first index is 0 or 1");
    const size_t count = threads_for(data.size(), threads);
    const bool wide = data.size() >= size_t{1} << 31;  // more entries than an int32 might count
    if (float32)
        return wide ? parse_svmlight_as<float, int64_t>(data, first, count)
                    : parse_svmlight_as<float, int32_t>(data, first, count);
    return wide ? parse_svmlight_as<double, int64_t>(data, first, count)
                : parse_svmlight_as<double, int32_t>(data, first, count);
}

}  // namespace rosenblatt
