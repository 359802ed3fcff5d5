// The updates of a stretch found in float32, where there is no doubt that float64 finds the same.
//
// Problem:  of a score little is asked: on which side of the margin is it? In float64 each verdict waits for a product
//           with the vector that the verdict before has moved.
// Given:    one machine of the plain rule, and dense rows of at most 48 columns.
// Returns:  the examples that move the vector, which is left alone; false: one of them was too close to call.
//
// With w as it was before the last two examples x1 and x2, which took steps c1 and c2 (or none: 0),
//           m = y (w.x + c2 x2.x + c1 x1.x + b),
// so that nothing waits for their verdicts but the last two additions. Let u = 2^-24, t be the updates of the stretch,
// X_j the largest |x_j| in it (1 for b) and W_j = |w_j| + t rate X_j, which no |w_j| of the stretch is above. A
// coordinate of w is off by at most u W_j for each update and twice more, for being rounded at first and for the rate
// and the rows of float64 that are rounded too; a product passes through `parts` + 5 further roundings, and its row
// through one: m is off by less than u (t + parts + 8) sum_j W_j X_j, and by what is below the smallest float32. Were
// one verdict wrong all the same, the first of them would be off by more than that.
#pragma once

#include <algorithm>

#include "stretch.hpp"

namespace rosenblatt::ROSENBLATT_LEVEL {

#if defined(__AVX512DQ__) && defined(__AVX512VL__)

constexpr int64_t most_rough_updates = 16;  // the doubt grows with them
constexpr int most_rough_parts = 6;

inline __m256 narrow(const float* x) { return _mm256_loadu_ps(x); }
inline __m256 narrow(const double* x) { return _mm512_cvtpd_ps(_mm512_loadu_pd(x)); }
inline __m256 narrow(const float* x, __mmask8 some) { return _mm256_maskz_loadu_ps(some, x); }
inline __m256 narrow(const double* x, __mmask8 some) { return _mm512_cvtpd_ps(_mm512_maskz_loadu_pd(some, x)); }

template <int parts>
struct Rough {
    __m256 part[parts] = {};

    Rough() = default;

    template <class T>
    [[gnu::always_inline]] Rough(const T* x, __mmask8 last) {
        for (int p = 0; p + 1 < parts; ++p) part[p] = narrow(x + p * 8);
        part[parts - 1] = narrow(x + (parts - 1) * 8, last);
    }

    [[gnu::always_inline]] __m256 add_products_with(const Rough& other, __m256 sum) const {
        for (int p = 0; p < parts; ++p) sum = _mm256_fmadd_ps(part[p], other.part[p], sum);
        return sum;
    }

    [[gnu::always_inline]] void add(__m256 step, const Rough& x) {
        for (int p = 0; p < parts; ++p) part[p] = _mm256_fmadd_ps(step, x.part[p], part[p]);
    }

    // The larger absolute value in every place.
    [[gnu::always_inline]] void stretch_to(const Rough& x) {
        for (int p = 0; p < parts; ++p) part[p] = _mm256_range_ps(part[p], x.part[p], 0b1011);
    }
};

// The sums of a, of b and of c.
[[gnu::always_inline]] inline __m128 three_sums(__m256 a, __m256 b, __m256 c) {
    const __m256 ab = _mm256_unpacklo_ps(a, b) + _mm256_unpackhi_ps(a, b), cc = c + _mm256_permute_ps(c, 0x4E);
    const __m256 abc = _mm256_shuffle_ps(ab, cc, 0x44) + _mm256_shuffle_ps(ab, cc, 0x1E);
    return _mm256_castps256_ps128(abc) + _mm256_extractf128_ps(abc, 1);
}

// How far an m of the stretch can be off; infinite where float32 might have overflowed.
template <int parts>
double rough_doubt(const State& s, const Rough<parts>& w, const Rough<parts>& largest, double updates) {
    const double ones = s.bias ? 1.0 : 0.0, w_bias = std::fabs(s.b[0]) + updates * s.rate * ones;
    Register x_sum{}, w_sum{}, wx_sum{}, xx_sum{};
    for (int p = 0; p < parts; ++p) {
        const Register x = _mm512_cvtps_pd(largest.part[p]);
        const Register most = _mm512_abs_pd(_mm512_cvtps_pd(w.part[p])) + updates * s.rate * x;
        x_sum += x;
        w_sum += most;
        wx_sum += most * x;
        xx_sum += x * x;
    }
    const double x_total = _mm512_reduce_add_pd(x_sum) + ones, w_total = _mm512_reduce_add_pd(w_sum) + w_bias;
    const double wx = _mm512_reduce_add_pd(wx_sum) + w_bias, xx = _mm512_reduce_add_pd(xx_sum) + ones;
    if (!(w_total < 1e37 && wx < 1e37 && xx < 1e37)) return HUGE_VAL;
    constexpr double u = 0x1p-24, smallest = 0x1p-126;  // somebody may have the processor take smaller ones for zero
    const double rounded = 1.01 * u * (updates + parts + 8) * wx;
    const double vanished =
        smallest * (updates + 2.0 * static_cast<double>(s.d) + 32) * (1 + s.rate) * (1 + x_total + w_total);
    return rounded + vanished;
}

// Ends the stretch, sure or not, after the last update that there may be in it.
template <int parts, class T>
[[gnu::noinline]] bool find_in_float32(Ground<T>& ground, Found& found) {
    const State& s = ground.s;
    const DenseSource<T> data = ground.data;  // copies: what is found might be written over the originals
    const int32_t *const y = ground.y, *const permutation = s.permutation;
    const int32_t positive = s.first_class;
    const int64_t end = ground.end, fetched = s.length - data.ahead;
    const float rate = static_cast<float>(s.rate), margin = static_cast<float>(s.margin);
    const float steps[] = {-rate, rate};
    const __mmask8 last = static_cast<__mmask8>((1U << (s.d - (parts - 1) * 8)) - 1);
    const Rough<parts> start(s.w, last);
    const __m256 one = _mm256_setr_ps(s.bias ? 1 : 0, 0, 0, 0, 0, 0, 0, 0);  // the constant feature
    const __m128 sign = _mm_set1_ps(-0.0F);
    Rough<parts> w = start, largest, x1, x2;
    __m256 b = _mm256_setr_ps(static_cast<float>(s.b[0]), 0, 0, 0, 0, 0, 0, 0);
    __m128 c1 = _mm_setzero_ps(), c2 = _mm_setzero_ps(), nearest = _mm_set_ss(HUGE_VALF);
    int64_t count = 0, position = s.position;
    for (; position < end && count < most_rough_updates; ++position) {
        if (position < fetched) fetch_row(data, y, row_at(permutation, position + data.ahead));
        const int64_t i = row_at(permutation, position);
        const Rough<parts> x(data.values + i * data.stride, last);
        const __m128 step = _mm_load_ss(&steps[y[i] == positive]);
        largest.stretch_to(x);
        const __m128 sums =
            three_sums(x.add_products_with(x1, one), x.add_products_with(x2, one), x.add_products_with(w, b));
        const __m256 older = _mm256_broadcastss_ps(c2);
        w.add(older, x2);
        b = _mm256_fmadd_ps(older, one, b);
        __m128 score = _mm_fmadd_ss(c2, _mm_movehdup_ps(sums), _mm_movehl_ps(sums, sums));
        score = _mm_fmadd_ss(c1, sums, score);
        const __m128 m = _mm_xor_ps(score, _mm_and_ps(step, sign));
        nearest = _mm_range_ss(nearest, _mm_sub_ss(m, _mm_set_ss(margin)), 0b1010);  // the smaller absolute value
        const __m128 wrong = _mm_cmp_ss(m, _mm_set_ss(margin), _CMP_NGT_UQ);
        found.position[count] = position;
        count -= _mm_cvtsi128_si32(_mm_castps_si128(wrong));
        x2 = x1;
        x1 = x;
        c2 = c1;
        c1 = _mm_and_ps(wrong, step);
    }
    found.count = count;
    ground.end = position;
    const Rough<parts> most = largest;  // which stays in registers, having no address
    const double doubt = rough_doubt(s, start, most, static_cast<double>(count));
    return nearest[0] - std::fabs(s.margin - margin) > doubt;
}

// Moves the vector by the examples found, and finds their m where `with_m`; where not, it is at most the margin of 0.
template <int parts, class T>
[[gnu::noinline]] void move_by_found(const Ground<T>& ground, bool with_m, Found& found) {
    State& s = ground.s;
    InRegisters<parts> w(s.w);
    double b = s.b[0];
    for (int64_t k = 0; k < found.count; ++k) {
        const int64_t i = ground.row_of(found.position[k]);
        const InRegisters<parts> x(ground, i);
        const double label = ground.label(i);
        found.m[k] = with_m ? label * (x.products_with(w).fold() + b) : 0.0;
        w = w.plus(x.times(everywhere(label * s.rate)));
        b += label * ground.bias_rate;
    }
    w.store_to(s.w);
    s.b[0] = b;
}

// Learns the stretch, or less of it; false: of that part some example was too close to call, and nothing was learnt.
template <class T>
bool learn_roughly(Ground<T>& ground, bool with_m, Found& found) {
    using Find = bool (*)(Ground<T>&, Found&);
    using Move = void (*)(const Ground<T>&, bool, Found&);
    const int64_t parts = (ground.s.d - 1) / width;
    return [&]<int... p>(std::integer_sequence<int, p...>) {
        static constexpr std::array<Find, most_rough_parts> find{find_in_float32<p + 1, T>...};
        static constexpr std::array<Move, most_rough_parts> move{move_by_found<p + 1, T>...};
        if (!find[parts](ground, found)) return false;
        move[parts](ground, with_m, found);
        return true;
    }(std::make_integer_sequence<int, most_rough_parts>());
}
#endif

// Learns in float32 where it pays: below one update in 16 branches are as good. After two doubts in a row not for a
// while.
struct Hurrying {
    int64_t careful = 0, caution = 0;  // stretches to leave out; as many after the next doubt

    // `share`: of the stretch before that were updates. False: nothing was learnt.
    template <class T>
    bool learn([[maybe_unused]] Ground<T>& ground, [[maybe_unused]] double share, [[maybe_unused]] Found& found) {
#if defined(__AVX512DQ__) && defined(__AVX512VL__)
        const State& s = ground.s;
        if (!s.hurrying || share < 1.0 / 16 || s.d > most_rough_parts * width) return false;
        if (!(s.rate > 1e-30 && s.rate < 1e30 && s.margin < 1e30)) return false;
        if (careful > 0) {
            --careful;
            return false;
        }
        if (learn_roughly(ground, s.keep_journal || s.margin > 0, found)) {
            caution = 0;
            return true;
        }
        careful = caution;
        caution = std::min<int64_t>(2 * caution + 1, 63);
#endif
        return false;
    }
};

}  // namespace rosenblatt::ROSENBLATT_LEVEL
