// Delimited text to columns on all threads: cuts the bytes at line ends, gives every thread its stretch, joins the
// parts.
#pragma once

#include <nanobind/stl/optional.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "delimited.hpp"
#include "dispatch.hpp"
#include "text.hpp"

namespace rosenblatt {

struct DelimitedText {
    Room<double> own;
    double* values = nullptr;  // rows x numbers: the caller's, or our own
    std::vector<Room<int32_t>> codes;
    std::vector<delimited::Words> words;
    size_t numbers = 0;
    int64_t rows = 0, gaps = 0;
    const char* fault = nullptr;

    // `sheet` has `sheet_rows`, one for every line; without one the lines are counted.
    void read(const char* begin, const char* end, char delimiter, const std::vector<int8_t>& fields, size_t threads,
              double* sheet, int64_t sheet_rows) {
        if (sheet) threads = 1;
        const std::vector<const char*> cuts = line_cuts(begin, end, threads);
        std::vector<int64_t> row_at{0};
        if (sheet) {
            row_at.push_back(sheet_rows);
        } else {
            std::vector<decimal::Count> counts(threads);
            on_threads(threads, [&](size_t k) { counts[k] = decimal::count(cuts[k], cuts[k + 1]); });
            for (const decimal::Count& c : counts) row_at.push_back(row_at.back() + c.lines);
        }
        size_t columns = 0;
        for (int8_t field : fields) {
            numbers += field == delimited::number;
            columns += field == delimited::word;
        }
        const auto room = static_cast<size_t>(row_at.back());
        if (!sheet) own = room_for<double>(room * numbers);
        values = sheet ? sheet : own.get();
        for (size_t j = 0; j < columns; ++j) codes.push_back(room_for<int32_t>(room));
        std::vector<delimited::Sink> sinks(threads);
        std::vector<delimited::Parsed> parts(threads);
        on_threads(threads, [&](size_t k) {
            delimited::Sink& sink = sinks[k];
            sink.values = values + static_cast<size_t>(row_at[k]) * numbers;
            for (const auto& column : codes) sink.codes.push_back(column.get() + row_at[k]);
            sink.words.resize(columns);
            sink.room = row_at[k + 1] - row_at[k];
            parts[k] = delimited::parse(cuts[k], cuts[k + 1], delimiter, fields, numbers, sink, compiled().read_fours);
        });
        words.resize(columns);
        for (size_t k = 0; k < threads && !fault; ++k) join(parts[k], sinks[k]);
    }

  private:
    // Lines of blanks leave gaps: move the part down to where it belongs, and give its words their common codes.
    void join(const delimited::Parsed& part, delimited::Sink& sink) {
        const auto count = static_cast<size_t>(part.rows);
        double* to = values + static_cast<size_t>(rows) * numbers;
        if (to != sink.values) std::memmove(to, sink.values, count * numbers * sizeof(double));
        for (size_t j = 0; j < words.size(); ++j) {
            std::vector<int32_t> common;
            for (std::string_view text : sink.words[j].list) common.push_back(words[j].code(text));
            for (size_t i = 0; i < count; ++i) {
                const int32_t code = sink.codes[j][i];
                const int32_t joined = code < 0 ? code : common[static_cast<size_t>(code)];
                if (joined == -2) fault = sink.words[j].list[static_cast<size_t>(code)].data();
                codes[j][rows + static_cast<int64_t>(i)] = joined;
            }
        }
        rows += part.rows;
        gaps += part.gaps;
        if (part.fault) fault = part.fault;
    }
};

using Sheet = nb::ndarray<double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// The rows of delimited text without quotes, fields given as -1 (not wanted), 0 (number), 1 (word); None where a reader
// with more patience is needed. The numbers are laid into `sheet` if there is room for all lines: "values" is None
// then.
inline nb::object parse_delimited(const Bytes& data, const std::string& delimiter, const std::vector<int>& fields,
                                  int threads, const std::optional<Sheet>& sheet) {
    require(delimiter.size() == 1 && !fields.empty(), "one delimiter of one byte, and at least one field");
    const std::vector<int8_t> kinds(fields.begin(), fields.end());
    const auto numbers = static_cast<size_t>(std::count(kinds.begin(), kinds.end(), delimited::number));
    require(!sheet || sheet->shape(1) == numbers, "the sheet needs one column for every number");
    const char* begin = reinterpret_cast<const char*>(data.data());
    DelimitedText text;
    {
        nb::gil_scoped_release released;
        text.read(begin, begin + data.size(), delimiter[0], kinds, threads_for(data.size(), threads, worth_parsing),
                  sheet ? sheet->data() : nullptr, sheet ? static_cast<int64_t>(sheet->shape(0)) : 0);
    }
    if (text.fault) return nb::none();
    const auto rows = static_cast<size_t>(text.rows);
    nb::dict d;
    d["rows"] = rows;
    d["gaps"] = text.gaps;
    d["values"] = nb::none();
    if (text.own) d["values"] = given_away(std::move(text.own), {rows, numbers});
    nb::list codes, words;
    for (size_t j = 0; j < text.words.size(); ++j) {
        codes.append(given_away(std::move(text.codes[j]), {rows}));
        nb::list column;
        for (std::string_view word : text.words[j].list) column.append(nb::bytes(word.data(), word.size()));
        words.append(column);
    }
    d["codes"] = codes;
    d["words"] = words;
    return d;
}

}  // namespace rosenblatt
