// Learning over a stretch of examples with the vector in registers.
//
// Problem:  in the first passes one example in five may be wrong; leaving a search at each and storing and loading the
//           vector again costs more than the arithmetic.
// Given:    one machine of the plain rule, dense rows that fit into registers, and no reason to stop in between.
// Returns:  the vector after the stretch and the examples that moved it with their m; the loop writes them down. Every
//           number is that of row.hpp and rule.hpp: partial sums by column modulo 16, folded 16 -> 8 -> 4 -> 2 -> 1.
#pragma once

#include <algorithm>
#include <array>
#include <utility>

#include "scan.hpp"

namespace rosenblatt::ROSENBLATT_LEVEL {

constexpr int64_t stretch = 1024;
constexpr int most_parts = width == 8 ? 16 : 8;  // leaves as many registers for the row

struct Found {
    int64_t count = 0;
    int64_t position[stretch];
    int32_t place[stretch];
    double m[stretch];
};

// What a stretch is done with.
template <class T>
struct Ground {
    const DenseSource<T>& data;
    const int32_t* y;
    State& s;
    int64_t end;
    double bias_rate;
    Bits keep;  // ones where the last register of a row has columns

    Ground(const DenseSource<T>& data, const int32_t* y, State& s, int64_t end)
        : data(data), y(y), s(s), end(end), bias_rate(s.bias ? s.rate : 0.0) {
        const int64_t used = s.d - (s.d - 1) / width * width;
        for (int l = 0; l < width; ++l) keep[l] = l < used ? -1 : 0;
    }

    int32_t place_at(int64_t position) const {
        return ROSENBLATT_LEVEL::place_at(s.permutation, y, s.first_class, position);
    }
};

// In place of memcpy, which makes the compiler keep the source of it in memory.
typedef double Anywhere __attribute__((vector_size(width * 8), aligned(8), may_alias));

// A weight vector or a row, the last register filled up with zeros.
template <int parts>
struct InRegisters {
    Register part[parts];

    InRegisters() = default;

    explicit InRegisters(const double* w) {
        for (int p = 0; p < parts; ++p) part[p] = load(w + p * width);
    }

    template <class T>
    [[gnu::always_inline]] InRegisters(const Ground<T>& ground, int64_t i) {
        const Dense<T> row = ground.data.row(i);
        for (int p = 0; p + 1 < parts; ++p) part[p] = widen(row.x + p * width);
        part[parts - 1] = i < ground.data.readable ? widen(row.x + (parts - 1) * width) : careful_last(row);
        leave_out(ground.keep);
    }

    // A row behind which something may be read.
    template <class T>
    [[gnu::always_inline]] InRegisters(const T* x, Bits keep) {
        for (int p = 0; p < parts; ++p) part[p] = widen(x + p * width);
        leave_out(keep);
    }

    void store_to(double* w) const {
        for (int p = 0; p < parts; ++p) *reinterpret_cast<Anywhere*>(w + p * width) = part[p];
    }

    [[gnu::always_inline]] InRegisters times(Register factor) const {
        InRegisters out;
        for (int p = 0; p < parts; ++p) out.part[p] = factor * part[p];
        return out;
    }

    [[gnu::always_inline]] InRegisters plus(const InRegisters& other) const {
        InRegisters out;
        for (int p = 0; p < parts; ++p) out.part[p] = part[p] + other.part[p];
        return out;
    }

    double squared_norm() const {
        Register squares{};
        for (int p = 0; p < parts; ++p) squares += part[p] * part[p];
        double sum = 0;
        for (int l = 0; l < width; ++l) sum += squares[l];
        return sum;
    }

    [[gnu::always_inline]] Partial products_with(const InRegisters& other) const {
        Partial sum;
        for (int p = 0; p < parts && p < registers; ++p) sum.part[p] = part[p] * other.part[p];
        for (int p = registers; p < parts; ++p) sum.part[p % registers] += part[p] * other.part[p];
        return sum;
    }

  private:
    [[gnu::always_inline]] void leave_out(Bits keep) {
        part[parts - 1] = reinterpret_cast<Register>(reinterpret_cast<Bits>(part[parts - 1]) & keep);
    }

    template <class T>
    [[gnu::noinline]] static Register careful_last(const Dense<T>& row) {
        T rest[width] = {};
        std::memcpy(rest, row.x + (parts - 1) * width, (row.d - (parts - 1) * width) * sizeof(T));
        return widen(rest);
    }
};

inline Register everywhere(double value) { return value - Register{}; }

template <int parts, class T>
[[gnu::noinline]] void learn_in_registers(const Ground<T>& ground, Found& found) {
    State& s = ground.s;
    InRegisters<parts> w(s.w);
    double b = s.b[0];
    int64_t count = 0;
    for (int64_t position = s.position; position < ground.end; ++position) {
        fetch_ahead<false>(ground.data, ground.y, s.permutation, position, s.length);
        const int32_t place = ground.place_at(position);
        const InRegisters<parts> x(ground, row_of(place));
        const double label = sign_of(positive_at(place));
        const double m = label * (x.products_with(w).fold() + b);
        if (!(m > s.margin)) {
            w = w.plus(x.times(everywhere(label * s.rate)));
            b += label * ground.bias_rate;
            found.position[count] = position;
            found.place[count] = place;
            found.m[count++] = m;
        }
    }
    found.count = count;
    w.store_to(s.w);
    s.b[0] = b;
}

#if defined(__AVX512F__)
// The total of the 16 sums in every lane: both sides of each addition are the same two numbers.
[[gnu::always_inline]] inline Register total(const Partial& sum) {
    Register v = sum.part[0] + sum.part[1];
    v += _mm512_shuffle_f64x2(v, v, 0x4E);
    v += _mm512_shuffle_f64x2(v, v, 0xB1);
    return v + _mm512_permute_pd(v, 0x55);
}

// A row times its label, so that its product with w is m less the bias's part.
template <int parts>
struct Shown {
    Register label;
    InRegisters<parts> x;

    template <class T>
    [[gnu::always_inline]] Shown(const Ground<T>& ground, int64_t position) {
        const int32_t place = ground.place_at(position);
        label = everywhere(sign_of(positive_at(place)));
        x = InRegisters<parts>(ground, row_of(place)).times(label);
    }

    [[gnu::always_inline]] Register m(const InRegisters<parts>& w, Register b) const {
        return total(x.products_with(w)) + label * b;
    }
};

// Where many are wrong, a wrong guess of a branch costs more than an update: here there is none. Short rows are scored
// by both vectors that they may meet, with and without the update before, so that a score does not wait for that
// verdict; of long ones the arithmetic takes longer than the wait.
template <int parts, class T>
[[gnu::noinline]] void learn_without_branch(const Ground<T>& ground, Found& found) {
    State& s = ground.s;
    const Register margin = everywhere(s.margin), rate = everywhere(s.rate);
    InRegisters<parts> w(s.w);
    Register b = everywhere(s.b[0]);
    int64_t count = 0;
    const auto write_down = [&](int64_t position, Register m) __attribute__((always_inline)) {
        const __mmask8 wrong = _mm512_cmp_pd_mask(m, margin, _CMP_NGT_UQ);
        found.position[count] = position;
        found.place[count] = ground.place_at(position);
        found.m[count] = m[0];
        count += wrong & 1;
        return wrong;
    };
    if constexpr (parts <= 4) {
        Shown<parts> row(ground, s.position);
        Register m = row.m(w, b);
        for (int64_t position = s.position; position < ground.end; ++position) {
            fetch_ahead<false>(ground.data, ground.y, s.permutation, position, s.length);
            const InRegisters<parts> moved = w.plus(row.x.times(rate));
            const Register moved_b = b + row.label * ground.bias_rate;
            row = Shown<parts>(ground, position + 1 < ground.end ? position + 1 : position);
            const Register if_right = row.m(w, b), if_wrong = row.m(moved, moved_b);
            const __mmask8 wrong = write_down(position, m);
            for (int p = 0; p < parts; ++p) w.part[p] = _mm512_mask_mov_pd(w.part[p], wrong, moved.part[p]);
            b = _mm512_mask_mov_pd(b, wrong, moved_b);
            m = _mm512_mask_mov_pd(if_right, wrong, if_wrong);
        }
    } else {
        for (int64_t position = s.position; position < ground.end; ++position) {
            fetch_ahead<false>(ground.data, ground.y, s.permutation, position, s.length);
            const Shown<parts> row(ground, position);
            const __mmask8 wrong = write_down(position, row.m(w, b));
            for (int p = 0; p < parts; ++p)
                w.part[p] = _mm512_mask_add_pd(w.part[p], wrong, w.part[p], rate * row.x.part[p]);
            b = _mm512_mask_add_pd(b, wrong, b, row.label * ground.bias_rate);
        }
    }
    found.count = count;
    w.store_to(s.w);
    s.b[0] = b[0];
}
#endif

// Learns up to `ground.end`, at most a stretch away. `busy`: the stretch before had many updates.
template <class T>
void learn_stretch(const Ground<T>& ground, [[maybe_unused]] bool busy, Found& found) {
    using Function = void (*)(const Ground<T>&, Found&);
    const auto pick = [&]<int... p>(std::integer_sequence<int, p...>) {
        static constexpr std::array<Function, most_parts> branching{learn_in_registers<p + 1, T>...};
#if defined(__AVX512F__)
        static constexpr std::array<Function, most_parts> without{learn_without_branch<p + 1, T>...};
        if (busy) return without[(ground.s.d - 1) / width];
#endif
        return branching[(ground.s.d - 1) / width];
    };
    pick(std::make_integer_sequence<int, most_parts>())(ground, found);
}

template <class Source, class Shape>
constexpr bool stretchable =
    Shape::one_vector && (std::is_same_v<Source, DenseSource<float>> || std::is_same_v<Source, DenseSource<double>>);

inline bool fits_registers(const State& s) { return s.d > 0 && s.d <= most_parts * width; }

// The same search as next_wrong, on a State of its own: what it learns behind the first wrong example goes nowhere.
template <class T>
int64_t next_wrong_in_registers(const DenseSource<T>& data, const int32_t* y, State& s, int64_t end) {
    alignas(64) double w[most_parts * width];
    double b = s.b[0];
    std::copy(s.w, s.w + s.padded, w);
    s.w = w;
    s.b = &b;
    Found found;
    while (s.position < end) {
        const Ground<T> ground(data, y, s, std::min(end, s.position + stretch));
        learn_stretch(ground, false, found);
        if (found.count > 0) return found.position[0];
        s.position = ground.end;
    }
    return end;
}

}  // namespace rosenblatt::ROSENBLATT_LEVEL
