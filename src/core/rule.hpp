// From the functional margin to the step.
//
// Given:    m = y (w.x + b), the demanded margin, the rate r and the example's weight c.
// Returns:  tau = r c if the example asks for an update, else 0.
// Reference: Rosenblatt 1958; Novikoff 1962 (margin 0); Krauth and Mezard 1987 (margin > 0).
#pragma once

namespace rosenblatt::ROSENBLATT_LEVEL {

struct Rule {
    double margin, rate;
    bool ties_positive;

    // `<=` exactly: a point on the boundary is a mistake for both classes. Written as "not greater", so that the NaN
    // of an overflowed sum is never taken for right.
    double tau(double m, bool positive, double weight) const {
        const bool wrong = ties_positive ? (positive ? !(m >= 0) : !(m > 0)) : !(m > margin);
        return wrong ? rate * weight : 0.0;
    }
};

}  // namespace rosenblatt::ROSENBLATT_LEVEL
