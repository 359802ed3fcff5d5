// A learner's life as plain arrays and back: everything that decides the rest of a run, for pickling and checkpoints.
//
// Given:    the columns (held.hpp) and the counters of a learner.
// Returns:  a dictionary of arrays; what comes back is checked whole before anything of the learner is changed.
//           Not kept: what can be found again (the screen, the glance, the pocket's anchor) and the examples.
#pragma once

#include <map>
#include <string>

#include "arrays.hpp"
#include "held.hpp"

namespace rosenblatt {

enum class Length { own, journal, any };  // as long as the learner's own; as the journal; checked apart

template <class T>
struct Column {
    const char* name;
    Lines<T> Held::* values;
    Length length;
};

inline constexpr Column<double> double_columns[] = {
    {"w", &Held::w, Length::own},           {"b", &Held::b, Length::own},
    {"u", &Held::u, Length::own},           {"ub", &Held::ub, Length::own},
    {"best_w", &Held::best_w, Length::own}, {"best_b", &Held::best_b, Length::own},
    {"tau", &Held::tau, Length::journal},   {"m", &Held::m, Length::journal}};

inline constexpr Column<int64_t> integer_columns[] = {{"updates", &Held::updates, Length::own},
                                                      {"mistakes", &Held::mistakes, Length::own},
                                                      {"updates_in_pass", &Held::updates_in_pass, Length::own},
                                                      {"last_step", &Held::last_step, Length::own},
                                                      {"last_pass", &Held::last_pass, Length::own},
                                                      {"best_errors", &Held::best_errors, Length::own},
                                                      {"pass_updates", &Held::pass_updates, Length::any},
                                                      {"row_updates", &Held::row_updates, Length::any},
                                                      {"step", &Held::step, Length::journal},
                                                      {"row", &Held::row, Length::journal}};

inline constexpr Column<int32_t> index_columns[] = {{"rival", &Held::rival, Length::journal},
                                                    {"permutation", &Held::permutation, Length::any}};

inline nb::dict snapshot(const Held& held, const State& s) {
    nb::dict d;
    const auto write = [&](const auto& columns) {
        for (const auto& column : columns) {
            const auto& values = held.*column.values;
            const size_t size = column.length == Length::journal ? static_cast<size_t>(s.journal.size) : values.size();
            d[column.name] = to_numpy(values.data(), {size});
        }
    };
    write(double_columns);
    write(integer_columns);
    write(index_columns);
    Lines<int32_t> rows = held.permutation;  // without the labels, which are the examples' own
    for (int32_t& place : rows) place = static_cast<int32_t>(row_of(place));
    d["permutation"] = to_numpy(rows.data(), {rows.size()});
    d["pass_updates"] = to_numpy(held.pass_updates.data(), {static_cast<size_t>(s.pass_size)});
    std::vector<int64_t> running;
    for (Running r : held.running) running.push_back(static_cast<int64_t>(r));
    d["running"] = to_numpy(running.data(), {running.size()});
    const std::vector<int64_t> scalars{
        s.steps,       s.passes,     s.position,    s.length, s.in_pass, s.blocks, static_cast<int64_t>(s.generator),
        s.first_class, s.class_step, s.keep_journal};
    d["scalars"] = to_numpy(scalars.data(), {scalars.size()});
    return d;
}

template <class T>
Lines<T> column_of(const nb::dict& d, const char* name) {
    const auto array = nb::cast<nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>>(d[name]);
    return Lines<T>(array.data(), array.data() + array.size());
}

inline void restore(const nb::dict& d, Held& held, State& s) {
    const Lines<int64_t> scalars = column_of<int64_t>(d, "scalars");
    require(scalars.size() == 10, "not a learner's state");
    require(scalars[7] == s.first_class && scalars[8] == s.class_step, "the state belongs to another learner");
    Held found = held;
    const size_t updates = column_of<int32_t>(d, "rival").size();
    const auto read = [&]<class T>(const Column<T>& column) {
        Lines<T>& values = found.*column.values;
        const size_t own = values.size();
        values = column_of<T>(d, column.name);
        require(column.length != Length::own || values.size() == own, "the state belongs to another learner");
        require(column.length != Length::journal || values.size() == updates, "the state's journal is damaged");
    };
    for (const auto& column : double_columns) read(column);
    for (const auto& column : integer_columns) read(column);
    for (const auto& column : index_columns) read(column);
    const Lines<int64_t> running = column_of<int64_t>(d, "running");
    require(running.size() == found.running.size(), "the state belongs to another learner");
    for (int64_t r : running) require(r >= 0 && r <= 2, "the state's machines are damaged");
    const int64_t rows = static_cast<int64_t>(found.row_updates.size()) / s.machines;
    require(scalars[2] >= 0 && scalars[2] <= scalars[3] && scalars[3] <= rows, "the state's position is damaged");
    for (size_t k = 0; k < updates; ++k)
        require(found.row[k] >= 0 && (scalars[5] || found.row[k] < rows) &&
                    found.step[k] >= (k ? found.step[k - 1] : 0) && found.rival[k] >= -1,
                "the state's journal is damaged");
    for (int32_t place : found.permutation) require(place >= 0 && place < rows, "the state's permutation is damaged");

    for (size_t k = 0; k < running.size(); ++k) found.running[k] = static_cast<Running>(running[k]);
    found.spent.assign(found.spent.size(), INT64_MAX / 2);  // the pocket's anchor is not kept: count afresh
    held = std::move(found);
    s.steps = scalars[0];
    s.passes = scalars[1];
    s.position = scalars[2];
    s.length = scalars[3];
    s.in_pass = scalars[4] != 0;
    s.blocks = scalars[5] != 0;
    s.generator = static_cast<uint64_t>(scalars[6]);
    s.pass_size = static_cast<int64_t>(held.pass_updates.size());
    s.keep_journal = s.keep_journal && scalars[9] != 0;
    s.journal.size = static_cast<int64_t>(updates);
    held.grow_passes(s);
}

}  // namespace rosenblatt
