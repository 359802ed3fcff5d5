// Where the fields of a text end: the bytes that stand between them, found many at a time.
//
// Problem:  a reader that looks for the end of a field byte by byte spends more on the search than on the field.
// Given:    bytes, and `Mark`, which says of 16 of them which are separators.
// Returns:  their places in order, as many at once as asked for; the one before stays. Of a text that ends no line the
//           end is one too: it must not be read.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace rosenblatt {

template <class Mark>
class Separators {
  public:
    Separators(const char* begin, const char* end, Mark mark, size_t most)
        : at_(begin), end_(end), mark_(mark), found_(1 + most + together) {
        open_ = begin < end && end[-1] != '\n';
    }

    // The next `count` of them, at most as many as asked for at once; null if there are fewer.
    const char* const* next(size_t count) {
        if (stop_ - next_ < count) find();
        return stop_ - next_ < count ? nullptr : found_.data() + next_;
    }

    void pass(size_t count) { next_ += count; }

    // Passes those up to `p`.
    void follow(const char* p) {
        for (const char* const* place = next(1); place && *place <= p; place = next(1)) pass(1);
    }

  private:
    static constexpr size_t together = 2048;

    void find() {
        std::copy(found_.begin() + next_ - 1, found_.begin() + stop_, found_.begin());
        stop_ -= next_ - 1;
        next_ = 1;
        const char** out = found_.data() + stop_;
        const char* const* full = found_.data() + found_.size() - 64;
        while (at_ < end_ && out < full) {
            const auto left = static_cast<size_t>(end_ - at_);
            uint64_t mask;
            if (left >= 64) {
                mask = among(at_);
            } else {
                char tail[64] = {};
                std::memcpy(tail, at_, left);
                mask = among(tail) & ((uint64_t{1} << left) - 1);
            }
            for (; mask; mask &= mask - 1) *out++ = at_ + std::countr_zero(mask);
            at_ += std::min<size_t>(left, 64);
        }
        if (at_ == end_ && open_) {
            *out++ = end_;
            open_ = false;
        }
        stop_ = static_cast<size_t>(out - found_.data());
    }

    // One bit for each of 64 bytes.
    uint64_t among(const char* p) const {
        uint64_t mask = 0;
#ifdef __SSE2__
        for (int k = 0; k < 64; k += 16) {
            const __m128i sixteen = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p + k));
            mask |= static_cast<uint64_t>(_mm_movemask_epi8(mark_(sixteen))) << k;
        }
#else
        for (int k = 0; k < 64; ++k) mask |= static_cast<uint64_t>(mark_(p[k])) << k;
#endif
        return mask;
    }

    const char *at_, *end_;
    Mark mark_;
    bool open_;
    std::vector<const char*> found_;
    size_t next_ = 1, stop_ = 1;
};

}  // namespace rosenblatt
