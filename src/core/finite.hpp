// Looking for what is no number: once over all values, at the speed of memory.
#pragma once

#include "sum.hpp"
#include "view.hpp"

namespace rosenblatt::ROSENBLATT_LEVEL {

// The place of the first NaN or infinity among the stored values, or -1.
template <class T>
int64_t first_not_finite(const T* x, int64_t count) {
    constexpr int64_t block = 1024;
    for (int64_t from = 0; from < count; from += block) {
        const int64_t to = from + block < count ? from + block : count;
        T poison[lanes] = {};  // x - x is 0, or NaN where x is not finite
        for (int64_t j = from; j + lanes <= to; j += lanes)
            for (int64_t l = 0; l < lanes; ++l) poison[l] += x[j + l] - x[j + l];
        T sum = 0;
        for (int64_t l = 0; l < lanes; ++l) sum += poison[l];
        for (int64_t j = from + (to - from) / lanes * lanes; j < to; ++j) sum += x[j] - x[j];
        if (sum == 0) continue;
        for (int64_t j = from; j < to; ++j)
            if (!(x[j] - x[j] == 0)) return j;
    }
    return -1;
}

inline int64_t not_finite(const void* values, Element element, int64_t count) {
    if (element == Element::f32) return first_not_finite(static_cast<const float*>(values), count);
    if (element == Element::f64) return first_not_finite(static_cast<const double*>(values), count);
    return -1;
}

}  // namespace rosenblatt::ROSENBLATT_LEVEL
