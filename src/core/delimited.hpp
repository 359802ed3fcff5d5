// Delimited text without quotes: bytes -> a matrix of numbers, and codes for columns of words. No files.
//
// Problem:  read the lines of a CSV file at the speed of the memory they come from.
// Given:    bytes that begin at the start of a line, what each field is (number, word, or not wanted), and room for as
//           many rows as there are lines.
// Returns:  numbers row by row, an empty field as NaN; words as places in the list of those that came, an empty one as
//           -1; lines of blanks alone are left out. Or the first place that needs a reader with more patience: a field
//           that is no number, a line with more or fewer fields, very many different words.
// Reference: RFC 4180, section 2, without its quotes. Numbers are read in decimal.hpp.
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include "decimal.hpp"

namespace rosenblatt::delimited {

using namespace decimal;

enum Field : int8_t { unwanted = -1, number = 0, word = 1 };

// The words of one column in order of appearance. Open addressing: twice as many places as words.
class Words {
  public:
    static constexpr size_t most = 1 << 16;

    std::vector<std::string_view> list;

    // The place of a word; -2 if there are too many.
    int32_t code(std::string_view text) {
        if (!list.empty() && list[last_] == text) return static_cast<int32_t>(last_);
        if (2 * list.size() >= table_.size()) {
            if (list.size() >= most) return -2;
            grow();
        }
        size_t at = find(text);
        if (table_[at] < 0) {
            table_[at] = static_cast<int32_t>(list.size());
            list.push_back(text);
        }
        last_ = static_cast<size_t>(table_[at]);
        return table_[at];
    }

  private:
    size_t find(std::string_view text) const {
        size_t at = std::hash<std::string_view>{}(text) & (table_.size() - 1);
        while (table_[at] >= 0 && list[static_cast<size_t>(table_[at])] != text) at = (at + 1) & (table_.size() - 1);
        return at;
    }

    void grow() {
        table_.assign(std::max<size_t>(64, 4 * list.size()), -1);
        size_t size = 64;
        while (size < table_.size()) size *= 2;
        table_.assign(size, -1);
        for (size_t k = 0; k < list.size(); ++k) table_[find(list[k])] = static_cast<int32_t>(k);
    }

    std::vector<int32_t> table_;
    size_t last_ = 0;
};

struct Sink {
    double* values;               // rows x numbers
    std::vector<int32_t*> codes;  // of each column of words
    std::vector<Words> words;
};

struct Parsed {
    int64_t rows = 0;
    const char* fault = nullptr;
};

// Parses lines of `fields`; `numbers` of them are numbers.
inline Parsed parse(const char* p, const char* end, char delimiter, const std::vector<int8_t>& fields, size_t numbers,
                    Sink& out) {
    Parsed done;
    const auto skip_blanks = [&] {
        while (p < end && is_blank(*p) && *p != delimiter) ++p;
    };
    const auto at_stop = [&] { return p == end || *p == delimiter || *p == '\n'; };
    while (p < end) {
        const char* line = p;
        skip_blanks();
        if (p == end) break;
        if (*p == '\n') {
            ++p;
            continue;
        }
        double* value = out.values + static_cast<size_t>(done.rows) * numbers;
        size_t words = 0;
        for (size_t k = 0; k < fields.size(); ++k) {
            skip_blanks();
            if (fields[k] == number) {
                if (at_stop()) {
                    *value++ = std::numeric_limits<double>::quiet_NaN();
                } else {
                    const Decimal found = scan(p, end);
                    if (!found.next || !round_to(found, *value++)) return done.fault = p, done;
                    p = found.next;
                    skip_blanks();
                }
            } else {
                const char* start = p;
                while (!at_stop()) ++p;
                if (fields[k] == word) {
                    const char* stop = p;
                    while (stop > start && is_blank(stop[-1])) --stop;
                    int32_t code = -1;
                    if (stop > start) code = out.words[words].code({start, static_cast<size_t>(stop - start)});
                    if (code == -2) return done.fault = p, done;
                    out.codes[words++][done.rows] = code;
                }
            }
            if (k + 1 < fields.size() && (p == end || *p++ != delimiter)) return done.fault = line, done;
        }
        if (p < end && *p++ != '\n') return done.fault = line, done;
        ++done.rows;
    }
    return done;
}

}  // namespace rosenblatt::delimited
