// Learning from sixteen rows abreast, judged in float32 where there is no doubt that float64 says the same.
//
// Problem:  of a score little is asked: on which side of the margin is it? Row after row each verdict waits for a
//           product with the vector that the verdict before has moved.
// Given:    one machine of the plain rule, and dense rows of at most 48 columns.
// Returns:  the vector after the stretch and the examples that moved it; a stretch ends before the first block in which
//           a score is too close to call, and that block is learnt row by row.
// One row in five wrong, 20 columns: 4.0 ns a row, against 6.6 one after the other; one in twenty: 2.6, against 5.3.
//
// The rows of a block are laid out by columns, a lane for each, and scored by the vector w before the block. Those on
// the wrong side are taken in order; each is x_i with a step c_i, and moves all scores behind it by c_i (x_i.x + 1).
// That they are wrong is a guess until the steps before them have been counted in: the processor goes on as if it were
// true, and only where a step turns a verdict over is that block taken up again from there.
//
// Let u = 2^-24, R be the largest ||(x, 1)||, r the rate, T the rows and t those of a block. As long as every verdict
// is right, ||(w, b)|| has grown to no more than W with W^2 = ||(w0, b0)||^2 + T (r^2 R^2 + 2 r |margin|) (Novikoff
// 1962). Vectors, rows, the rate and the margin are rounded once, and a product passes through `chunks` + 2 further
// roundings, b, from which the margin is taken first, through one more; a score through one for each step besides. So m
// is off by less than u ((chunks + 7 + t) (W R + |margin|) + t (chunks + 7) r R^2), and by what is below the smallest
// float32. The first wrong verdict, if there were one, would still have been made with the right vector: so its m is no
// farther from the true one than that, and on the other side of the margin, hence too close to the margin, and its
// block is not kept.
#pragma once

#include <algorithm>
#include <bit>

#include "beginnings.hpp"
#include "block.hpp"
#include "stretch.hpp"

namespace rosenblatt::ROSENBLATT_LEVEL {

#if defined(__AVX512DQ__) && defined(__AVX512VL__)

constexpr int most_chunks = 12;  // of four columns: with more, one row after the other is as fast

// How far an m may be off within `rows` of a vector; infinite where float32 might overflow.
inline double doubt_of(const State& s, int chunks, double squared_w, int64_t rows) {
    constexpr double u = 0x1p-24, smallest = 0x1p-126;  // somebody may have the processor take smaller ones for zero
    const double columns = 4 * chunks + 4, roundings = chunks + 7, t = lanes, margin = std::fabs(s.margin);
    const double squared = 1.0001 * s.largest_squared_norm + columns * smallest + (s.bias ? 1.0 : 0.0);
    const double grown = static_cast<double>(rows) * s.rate * (s.rate * squared + 2 * margin);
    const double R = std::sqrt(squared), W = std::sqrt(1.0001 * squared_w + grown);
    const double steps = t * s.rate * squared;
    if (!(W < 1e37 && W * R < 1e37 && squared < 1e37 && steps < 1e37)) return HUGE_VAL;
    const double rounded = 1.01 * u * ((roundings + t) * (W * R + margin) + roundings * steps);
    const double vanished = smallest * columns * (t + 2) * (1 + s.rate) * (1 + R) * (1 + W);
    return rounded + vanished;
}

// The ground ends before the first block in which a score is too close to call.
template <int chunks, class T>
[[gnu::noinline]] void learn_abreast(Ground<T>& ground, const int32_t* place, bool with_m, Found& found) {
    constexpr int parts = (chunks + 1) / 2;
    State& s = ground.s;
    const DenseSource<T> data = ground.data;  // copies: what is found might be written over the originals
    const int64_t first = s.position, blocks = (ground.end - first) / lanes;
    const double rate = s.rate, bias_rate = ground.bias_rate;
    const Bits keep = ground.keep;
    Beginnings<4 * chunks, T> beginnings(data, place, blocks * lanes, s.length - first, !s.permutation,
                                         s.measured < data.n && s.picking != Picking::random);
    const float rate32 = static_cast<float>(rate), ones = s.bias ? 1.0F : 0.0F;
    const __m512 margin = _mm512_set1_ps(static_cast<float>(s.margin));
    const Ends ends(data.d);
    InRegisters<parts> w(s.w);
    double b = s.b[0];
    __m256 w32[parts];
    const auto round_vector = [&]() __attribute__((always_inline)) {
        for (int p = 0; p < parts; ++p) w32[p] = _mm512_cvtpd_ps(w.part[p]);
    };
    Block<chunks> block[2];
    float room[4 * chunks];
    const double squared_w = w.squared_norm() + b * b;
    __m512 doubt;
    const auto find_doubt = [&] {
        const double most = 1.0001 * (doubt_of(s, chunks, squared_w, blocks * lanes) + std::fabs(s.margin - margin[0]));
        doubt = _mm512_set1_ps(most < 1e37 ? static_cast<float>(most) : HUGE_VALF);
    };
    find_doubt();
    const bool measuring = s.measured < data.n;
    const auto lay_out = [&](int64_t k) __attribute__((always_inline)) {
        block[k % 2].lay_out(data.d, beginnings.of_block(k));
        if (measuring) [[unlikely]]
            if (const double norm = _mm512_reduce_max_ps(block[k % 2].squared_norms()); norm > s.largest_squared_norm) {
                s.largest_squared_norm = norm;
                find_doubt();
            }
    };
    int64_t count = 0;
    round_vector();
    lay_out(0);
    ground.end = first + blocks * lanes;
    for (int64_t k = 0; k < blocks; ++k) {
        const Block<chunks>& rows = block[k % 2];
        const int32_t* const at = place + k * lanes;
        const __m512 sign = _mm512_castsi512_ps(
            _mm512_and_si512(_mm512_loadu_si512(at), _mm512_set1_epi32(static_cast<int>(negative_label))));
        // A score less its label times the margin: what it is to be above or below is 0.
        __m512 score = rows.products_with(w32, _mm512_set1_ps(static_cast<float>(b)) - _mm512_xor_ps(margin, sign));
        if (k + 1 < blocks) lay_out(k + 1);
        const auto wrong = [&]() __attribute__((always_inline)) {
            return _mm512_cmp_ps_mask(_mm512_xor_ps(score, sign), _mm512_setzero_ps(), _CMP_NGT_UQ);
        };
        const BlockInRegisters<chunks> held(rows);
        uint32_t left = wrong(), guessed = left;
        const InRegisters<parts> w_before = w;
        const double b_before = b;
        const int64_t count_before = count;
        while (guessed != 0) {
            const int i = std::countr_zero(guessed);
            const T* const x_i = beginnings.of_block(k)[i];
            const __m512 moved = held.products_with(in_float32(x_i, room), ends, _mm512_set1_ps(ones));
            // Is it the first wrong one of those left, now that all steps before it have been counted in?
            if (((left ^ guessed) & (guessed ^ (guessed - 1))) != 0) [[unlikely]] {
                guessed = left;
                continue;
            }
            const uint32_t behind = 0xFFFEU << i;
            const uint32_t sign_bit = static_cast<uint32_t>(at[i]) & negative_label;
            const auto signed_by_label = [&](double value) {
                return std::bit_cast<double>(std::bit_cast<uint64_t>(value) ^ uint64_t{sign_bit} << 32);
            };
            const __m512 step =
                _mm512_castsi512_ps(_mm512_set1_epi32(static_cast<int>(std::bit_cast<uint32_t>(rate32) ^ sign_bit)));
            score = _mm512_mask3_fmadd_ps(step, moved, score, static_cast<__mmask16>(behind));
            const InRegisters<parts> x(x_i, keep);
            if (with_m) found.m[count] = signed_by_label(x.products_with(w).fold() + b);
            found.position[count] = first + k * lanes + i;
            found.place[count++] = at[i];
            w = w.plus(x.times(everywhere(signed_by_label(rate))));
            b += signed_by_label(bias_rate);
            left = wrong() & behind;
            guessed &= guessed - 1;
            if (guessed == 0) {  // a branch: a choice would have the processor wait for what is left
                if (left == 0) [[likely]]
                    break;
                asm volatile("");
                guessed = left;
            }
        }
        if (_mm512_cmp_ps_mask(_mm512_abs_ps(score), doubt, _CMP_NGT_UQ) != 0) [[unlikely]] {
            w = w_before;
            b = b_before;
            count = count_before;
            ground.end = first + k * lanes;
            break;
        }
        if (count > count_before) round_vector();
        beginnings.go_on_from(k);
    }
    w.store_to(s.w);
    s.b[0] = b;
    found.count = count;
    if (!with_m) std::fill(found.m, found.m + count, 0.0);  // the margin is 0: each is a mistake, and no more is asked
}
#endif

// Learns from rows abreast where that can be. Where doubt follows upon doubt not for a while.
class Abreast {
  public:
    // False: nothing was learnt; up to ground.end, which may have come nearer, it should be done row by row.
    template <class T>
    bool learn(Ground<T>& ground, [[maybe_unused]] Found& found) {
        const State& s = ground.s;
        if (!possible(ground) || ground.end - s.position < lanes) return false;
#if defined(__AVX512DQ__) && defined(__AVX512VL__)
        const int64_t end = ground.end, first = s.position;
        if (careful_ == 0) {
            const int32_t* const place = places(ground);
            const int64_t readable = first + readable_blocks(ground, place) * lanes;
            ground.end = readable;
            if (readable > first) {
                using Function = void (*)(Ground<T>&, const int32_t*, bool, Found&);
                [&]<int... c>(std::integer_sequence<int, c...>) {
                    static constexpr std::array<Function, most_chunks> functions{learn_abreast<c + 1, T>...};
                    functions[(s.d - 1) / 4](ground, place, s.keep_journal || s.margin > 0, found);
                }(std::make_integer_sequence<int, most_chunks>());
            }
            const bool learnt = ground.end != first, doubt = ground.end != readable;
            if (doubt || !learnt) careful_ = lanes;
            if (learnt) {
                caution_ = 0;
                count_measured(ground);
                return true;
            }
            if (doubt) {
                careful_ += caution_ * stretch;
                caution_ = std::min<int64_t>(2 * caution_ + 1, 63);
            }
        }
        ground.end = std::min(end, first + careful_);
        careful_ -= ground.end - first;
#endif
        return false;
    }

    // Of a stretch that was learnt row by row: in the first pass the largest norm is sought.
    template <class T>
    void measure(const Ground<T>& ground) const {
        State& s = ground.s;
        if (!possible(ground) || s.measured == ground.data.n) return;
        for (int64_t position = s.position; position < ground.end; ++position)
            s.largest_squared_norm =
                std::max(s.largest_squared_norm, ground.data.row(row_at(s.permutation, position)).squared_norm());
        count_measured(ground);
    }

  private:
    int64_t careful_ = 0, caution_ = 0;  // rows to be learnt one by one; stretches of them after the next doubt
    int32_t written_[stretch];           // the places of rows that are shown in order

    template <class T>
    static bool possible([[maybe_unused]] const Ground<T>& ground) {
#if defined(__AVX512DQ__) && defined(__AVX512VL__)
        const State& s = ground.s;
        return s.abreast && (s.bias || s.b[0] == 0) && s.d <= 4 * most_chunks && ground.data.readable > 0 &&
               s.rate > 1e-30 && s.rate < 1e30 && s.margin < 1e30;
#else
        return false;
#endif
    }

    template <class T>
    static void count_measured(const Ground<T>& ground) {
        State& s = ground.s;
        if (s.measured < ground.data.n && s.picking != Picking::random) s.measured += ground.end - s.position;
    }

    template <class T>
    const int32_t* places(const Ground<T>& ground) {
        const State& s = ground.s;
        if (s.permutation) return s.permutation + s.position;
        for (int64_t k = 0; k < ground.end - s.position; ++k) written_[k] = ground.place_at(s.position + k);
        return written_;
    }

    // How many blocks come before the first with a row behind which nothing may be read.
    template <class T>
    static int64_t readable_blocks(const Ground<T>& ground, const int32_t* place) {
        const int64_t blocks = (ground.end - ground.s.position) / lanes;
        const auto last_row = [&](int64_t first, int64_t last) {
            int32_t most = 0;
            for (int64_t k = first; k < last; ++k) most = std::max(most, static_cast<int32_t>(row_of(place[k])));
            return most;
        };
        if (last_row(0, blocks * lanes) < ground.data.readable) return blocks;
        int64_t k = 0;
        while (last_row(k * lanes, (k + 1) * lanes) < ground.data.readable) ++k;
        return k;
    }
};

}  // namespace rosenblatt::ROSENBLATT_LEVEL
