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

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include "decimal.hpp"
#include "field.hpp"
#include "separators.hpp"

namespace rosenblatt::delimited {

using namespace decimal;

enum Field : int8_t { unwanted = -1, number = 0, word = 1 };

// The words of one column in order of appearance. Open addressing: twice as many places as words.
class Words {
  public:
    static constexpr size_t most = 1 << 16;

    std::vector<std::string_view> list;

    Words() { letters_.fill(-1); }

    // The place of a word; -2 if there are too many.
    int32_t code(std::string_view text) {
        if (text.size() == 1) return place(letters_[static_cast<uint8_t>(text[0])], text);  // as most labels are
        if (!list.empty() && list[last_] == text) return static_cast<int32_t>(last_);
        if (2 * list.size() >= table_.size()) {
            if (list.size() >= most) return -2;
            grow();
        }
        last_ = static_cast<size_t>(place(table_[find(text)], text));
        return static_cast<int32_t>(last_);
    }

  private:
    int32_t place(int32_t& known, std::string_view text) {
        if (known < 0) {
            known = static_cast<int32_t>(list.size());
            list.push_back(text);
        }
        return known;
    }

    size_t find(std::string_view text) const {
        size_t at = std::hash<std::string_view>{}(text) & (table_.size() - 1);
        while (table_[at] >= 0 && list[static_cast<size_t>(table_[at])] != text) at = (at + 1) & (table_.size() - 1);
        return at;
    }

    void grow() {
        table_.assign(std::bit_ceil(std::max<size_t>(64, 4 * list.size())), -1);
        for (size_t k = 0; k < list.size(); ++k)
            if (list[k].size() > 1) table_[find(list[k])] = static_cast<int32_t>(k);
    }

    std::vector<int32_t> table_;
    std::array<int32_t, 256> letters_;  // of words of one byte
    size_t last_ = 0;
};

struct Sink {
    double* values;               // rows x numbers
    int64_t room = 0;             // rows
    std::vector<int32_t*> codes;  // of each column of words
    std::vector<Words> words;
};

struct Parsed {
    int64_t rows = 0, gaps = 0;  // gaps: empty fields among the numbers
    const char* fault = nullptr;
};

struct DelimiterOrFeed {
    char delimiter;

    bool operator()(char c) const { return c == delimiter || c == '\n'; }
#ifdef __SSE2__
    __m128i operator()(__m128i x) const {
        return _mm_or_si128(_mm_cmpeq_epi8(x, _mm_set1_epi8(delimiter)), _mm_cmpeq_epi8(x, _mm_set1_epi8('\n')));
    }
#endif
};

inline std::string_view trimmed(const char* first, const char* last) {
    while (first < last && is_blank(*first)) ++first;
    while (first < last && is_blank(last[-1])) --last;
    return {first, static_cast<size_t>(last - first)};
}

// A number with blanks around it, or an empty field.
[[gnu::noinline]] inline bool read_patiently(const char* first, const char* last, const char* end, double& out) {
    const std::string_view text = trimmed(first, last);
    if (text.empty()) {
        out = std::numeric_limits<double>::quiet_NaN();
        return true;
    }
    const Decimal found = scan(text.data(), end);
    return found.next == text.data() + text.size() && round_to(found, out);
}

using ReadFours = size_t(const char* const* ends, size_t count, double* out);

// Reads neighbouring fields that are numbers; false at one that is none. A function of its own, so that what the loop
// needs stays in registers.
[[gnu::noinline]] inline bool read_numbers(const char* first, const char* const* lasts, size_t count, bool inside,
                                           const char* end, double* out, int64_t& gaps, ReadFours* read_fours) {
    size_t k = inside ? read_fours(lasts, count, out) : 0;
    if (k > 0) first = lasts[k - 1] + 1;
    for (; k < count; ++k) {
        const char* last = lasts[k];
        while (first < last && *first == ' ') ++first;
        const bool quickly = inside && first < last && field::read(first, last, out[k]);
        if (!quickly) {
            if (!read_patiently(first, last, end, out[k])) return false;
            gaps += std::isnan(out[k]);
        }
        first = last + 1;
    }
    return true;
}

// Neighbouring fields that are numbers, or one other field.
struct Stretch {
    int8_t kind;
    size_t count;
};

inline std::vector<Stretch> stretches_of(const std::vector<int8_t>& fields) {
    std::vector<Stretch> found;
    for (int8_t kind : fields)
        if (kind == number && !found.empty() && found.back().kind == number)
            ++found.back().count;
        else
            found.push_back({kind, 1});
    return found;
}

// Parses lines of `fields`; `numbers` of them are numbers. `read_fours` reads what it can of neighbouring fields
// (fours.hpp).
inline Parsed parse(const char* begin, const char* end, char delimiter, const std::vector<int8_t>& fields,
                    size_t numbers, Sink& out, ReadFours* read_fours) {
    Parsed done;
    Separators separators(begin, end, DelimiterOrFeed{delimiter}, fields.size());
    const std::vector<Stretch> stretches = stretches_of(fields);
    for (const char* p = begin; p < end;) {
        const char* const* last = separators.next(1);
        if ((*last == end || **last == '\n') && trimmed(p, *last).empty()) {
            separators.pass(1);
            p = *last + 1;
            continue;
        }
        last = separators.next(fields.size());
        if (!last || done.rows == out.room) return done.fault = p, done;
        const char* line_end = last[fields.size() - 1];
        if (line_end < end && *line_end != '\n') return done.fault = p, done;
        for (size_t k = 0; k + 1 < fields.size(); ++k)
            if (*last[k] != delimiter) return done.fault = p, done;
        const bool inside = p - begin >= field::reach;
        double* value = out.values + static_cast<size_t>(done.rows) * numbers;
        size_t words = 0;
        for (const Stretch& stretch : stretches) {
            if (stretch.kind == number) {
                if (!read_numbers(p, last, stretch.count, inside, end, value, done.gaps, read_fours))
                    return done.fault = p, done;
                value += stretch.count;
            } else if (stretch.kind == word) {
                const std::string_view text = trimmed(p, *last);
                const int32_t code = text.empty() ? -1 : out.words[words].code(text);
                if (code == -2) return done.fault = p, done;
                out.codes[words++][done.rows] = code;
            }
            last += stretch.count;
            p = last[-1] + 1;
        }
        separators.pass(fields.size());
        ++done.rows;
    }
    return done;
}

}  // namespace rosenblatt::delimited
