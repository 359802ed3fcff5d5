// One example at a time: the lean way in for streams of arrays or of dictionaries of named features.
//
// Problem:  learn from one example as it comes, where features may be named and new ones may turn up.
// Given:    a vector of numbers, or a dictionary {name: number}; the class as a truth value.
// Returns:  whether it caused an update. Each step is a step of THE loop (learn.hpp) over a view of one row.
#pragma once

#include <cmath>

#include "learner.hpp"

namespace rosenblatt {

class Online {
  public:
    Online(double margin, double unit, bool bias, bool average) : unit_(unit), average_(average) {
        s_.vectors = s_.machines = 1;
        s_.first_class = 1;
        s_.margin = margin;
        s_.rate = 1;
        s_.bias = bias;
        s_.picking = Picking::cyclic;
        s_.blocks = true;
        s_.max_passes = s_.max_updates = INT64_MAX;
        view_.n = 1;
        view_.y = &code_;
        make_room(padded_to_lanes(1));  // an example without features has its place in the average too
    }

    // The class is positive iff y > 0: True, 1 and +1 are, False, 0 and -1 are not.
    bool step(nb::handle x, nb::handle y) {
        const int positive = y.ptr() == Py_True ? 1 : y.ptr() == Py_False ? 0 : is_positive(y);
        look_at(x, true);
        code_ = positive;
        one_.point(s_);
        s_.in_pass = true;
        s_.position = 0;
        s_.length = 1;
        int64_t budget = 1;
        const int64_t before = one_.updates;
        compiled().learn(view_, s_, Shape::binary, budget);
        return one_.updates > before;
    }

    double score(nb::handle x) {
        look_at(x, false);
        double b = one_.b, out;
        if (average_) to_mean(&b, &one_.ub, 1, s_.steps);
        b *= unit_;
        if (s_.d == 0) return b;
        const double* w = one_.w.data();
        if (average_ || unit_ != 1) {  // the model's own numbers, where the row has any
            if (view_.storage == Storage::dense)
                for (int64_t j = 0; j < s_.d; ++j) model_[j] = weight(j);
            else
                for (int64_t j : columns_) model_[j] = weight(j);
            w = model_.data();
        }
        compiled().scores(view_, w, &b, 1, s_.padded, 0, 1, &out);
        return out;
    }

    // Everything that decides what comes next, besides the settings.
    nb::tuple state() const {
        const auto column = [&](const Lines<double>& held) {
            return to_numpy(held.data(), {held.empty() ? 0 : static_cast<size_t>(s_.d)});
        };
        return nb::make_tuple(column(one_.w), one_.b, column(one_.u), one_.ub, s_.steps, one_.updates, one_.mistakes,
                              names());
    }

    void restore(const Vector& w, double b, const Vector& u, double ub, int64_t steps, int64_t updates,
                 int64_t mistakes, const nb::dict& names) {
        const int64_t d = static_cast<int64_t>(w.shape(0)), named = static_cast<int64_t>(names.size());
        require(s_.d == 0 && s_.steps == 0, "only a learner that has seen nothing can take over a state");
        require(static_cast<int64_t>(u.shape(0)) == (average_ ? d : 0) && (named == 0 || named == d) && steps >= 0,
                "this is no state of such a learner");
        std::vector<bool> taken(static_cast<size_t>(named));
        for (const auto& [name, column] : names) {
            const int64_t at = nb::cast<int64_t>(column);
            require(at >= 0 && at < named && !taken[static_cast<size_t>(at)], "this is no state of such a learner");
            taken[static_cast<size_t>(at)] = true;
        }
        grow(d);
        std::copy(w.data(), w.data() + d, one_.w.begin());
        if (average_) std::copy(u.data(), u.data() + d, one_.u.begin());
        one_.b = b;
        one_.ub = ub;
        one_.updates = updates;
        one_.mistakes = mistakes;
        s_.steps = steps;
        names_ = nb::steal<nb::dict>(PyDict_Copy(names.ptr()));
        numbers_ = named == 0 && d > 0;
    }

    nb::tuple last() const { return out_of_units(one_.w, one_.b); }

    // w - u / N and b - ub / N after N steps.
    nb::tuple average() const {
        require(average_, "this learner keeps no average");
        Lines<double> w = one_.w;
        double b = one_.b;
        to_mean(w.data(), one_.u.data(), s_.d, s_.steps);
        to_mean(&b, &one_.ub, 1, s_.steps);
        return out_of_units(std::move(w), b);
    }

    nb::dict names() const { return nb::steal<nb::dict>(PyDict_Copy(names_.ptr())); }
    int64_t steps() const { return s_.steps; }
    int64_t updates() const { return one_.updates; }
    int64_t mistakes() const { return one_.mistakes; }

  private:
    static int is_positive(nb::handle y) {
        const double number = PyFloat_AsDouble(y.ptr());
        if (PyErr_Occurred() || std::isnan(number)) {
            PyErr_Clear();
            throw std::invalid_argument("the class is " + std::string(nb::repr(y).c_str()) +
                                        "; give True or False, or a number whose sign says which");
        }
        return number > 0;
    }

    // The core's steps are 1: the rate only rescales what it makes of them.
    nb::tuple out_of_units(Lines<double> w, double b) const {
        for (double& value : w) value *= unit_;
        return nb::make_tuple(to_numpy(w.data(), {static_cast<size_t>(s_.d)}), b * unit_);
    }

    // Makes the view of one row; with `learn` new names get a column, otherwise they are left out.
    void look_at(nb::handle x, bool learn) {
        require(!looking_, "a number that is being read asks for a step of the same learner");  // from its __float__
        const Raised looking(looking_);
        if (PyDict_Check(x.ptr()))
            look_at_names(x.ptr(), learn);
        else
            look_at_numbers(x, learn);
    }

    void look_at_names(PyObject* x, bool learn) {
        require(!numbers_, "this learner has seen plain vectors; go on with those");
        columns_.clear();
        values_.clear();
        std::vector<nb::object> fresh;  // not taken up before all numbers were read
        PyObject *key, *value;
        Py_ssize_t at = 0;
        while (PyDict_Next(x, &at, &key, &value)) {
            const nb::object held_key = nb::borrow(key), held_value = nb::borrow(value);  // __float__ may drop them
            const double number = PyFloat_AsDouble(value);
            if (number == -1.0 && PyErr_Occurred()) throw nb::python_error();
            if (!std::isfinite(number))
                throw std::invalid_argument("feature " + std::string(nb::repr(key).c_str()) + " is not finite");
            PyObject* column = PyDict_GetItemWithError(names_.ptr(), key);
            if (!column) {
                if (PyErr_Occurred()) throw nb::python_error();
                if (!learn) continue;
                columns_.push_back(s_.d + static_cast<int64_t>(fresh.size()));
                fresh.push_back(held_key);
            } else {
                columns_.push_back(PyLong_AsLongLong(column));
            }
            values_.push_back(number);
        }
        for (const nb::object& name : fresh) {
            names_[name] = s_.d;
            grow(s_.d + 1);
        }
        starts_[1] = static_cast<int64_t>(values_.size());
        view_.storage = Storage::sparse;
        view_.element = Element::f64;
        view_.wide_index = true;
        view_.values = values_.data();
        view_.columns = columns_.data();
        view_.starts = starts_;
        view_.d = s_.d;
    }

    // An array of float64 as it is, of other numbers converted.
    static bool read_array(nb::handle x, Vector& array) {
        if (nb::try_cast<Vector>(x, array, false)) return true;
        if (!nb::hasattr(x, "dtype")) return false;
        if (nb::cast<std::string>(nb::str(x.attr("dtype").attr("kind"))) == "c")
            throw std::invalid_argument("the vector holds complex numbers; give real ones");
        return nb::try_cast<Vector>(x, array);
    }

    void look_at_numbers(nb::handle x, bool learn) {
        Vector array;
        const double* row = nullptr;
        int64_t d = 0;
        if (read_array(x, array)) {
            row = array.data();
            d = static_cast<int64_t>(array.shape(0));
        } else {  // a list or a tuple
            if (!PySequence_Check(x.ptr()) || PyUnicode_Check(x.ptr()))
                throw std::invalid_argument("the example is " + std::string(nb::repr(x).c_str()) +
                                            "; give a vector of numbers, or a dictionary {name: number}");
            numbers_read_.clear();
            for (nb::handle number : nb::cast<nb::sequence>(x)) {
                numbers_read_.push_back(PyFloat_AsDouble(number.ptr()));
                if (PyErr_Occurred()) throw nb::python_error();
            }
            row = numbers_read_.data();
            d = static_cast<int64_t>(numbers_read_.size());
        }
        require(names_.size() == 0, "this learner has seen named features; go on with those");
        if (s_.d != 0 && d != s_.d)
            throw std::invalid_argument("the vector has " + std::to_string(d) + " numbers; those before had " +
                                        std::to_string(s_.d));
        for (int64_t j = 0; j < d; ++j)
            if (!std::isfinite(row[j]))
                throw std::invalid_argument("number " + std::to_string(j) + " of the vector is NaN or infinite");
        if (learn) {
            numbers_ = true;
            grow(d);
        }
        values_.assign(static_cast<size_t>(padded_to_lanes(d)), 0.0);
        std::copy(row, row + d, values_.begin());
        view_.storage = Storage::dense;
        view_.element = Element::f64;
        view_.values = values_.data();
        view_.d = view_.stride = d;
    }

    // Weight j of the model.
    double weight(int64_t j) const {
        double w = one_.w[static_cast<size_t>(j)];
        if (average_) to_mean(&w, &one_.u[static_cast<size_t>(j)], 1, s_.steps);
        return w * unit_;
    }

    void grow(int64_t d) {
        if (d <= s_.d) return;
        if (padded_to_lanes(d) > s_.padded) make_room(std::max(padded_to_lanes(d), 2 * s_.padded));
        s_.d = d;  // last: memory may not have sufficed
    }

    void make_room(int64_t padded) {
        one_.w.resize(padded);
        if (average_) one_.u.resize(padded);
        if (average_ || unit_ != 1) model_.resize(padded);
        s_.padded = padded;
    }

    double unit_;
    bool average_, numbers_ = false, looking_ = false;
    State s_{};
    View view_{};
    nb::dict names_;
    OneMachine one_;
    Lines<double> model_;  // weights to score with, where they are not those that are held
    int32_t code_ = 0;
    int64_t starts_[2] = {0, 0};
    std::vector<double> values_, numbers_read_;
    std::vector<int64_t> columns_;
};

}  // namespace rosenblatt
