// What the compiled loop is given and what it changes, as plain memory. No algorithms live here, only layouts:
// these types are shared by translation units that are compiled for different instruction sets.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rosenblatt {

enum class Storage : int { dense, sparse, gram };
enum class Element : int { f64, f32, u8, i8, i16, i32 };
enum class Shape : int { binary, one_vs_rest, direct };
enum class Picking : int { cyclic, shuffle, shuffle_once, random, first, worst };
enum class Running : int { live, clean, capped };
enum class Spans : int { unknown, sought, known };
enum class Pause : int { budget, converged, max_passes, max_updates, block_end, pass_end, full, quiet, order, owed };

// Examples owned by somebody else: a dense matrix with contiguous rows, a CSR matrix, or a Gram matrix.
struct View {
    Storage storage;
    Element element;
    bool wide_index;  // CSR indices are 64-bit
    const void* values;
    const void* columns;  // CSR only
    const void* starts;   // CSR only
    int64_t n, d;
    int64_t stride;  // dense: elements from one row to the next
    const int32_t* y;
    const double* weight;  // one per example, or null
};

// A place in the order has a row and, where one binary machine learns, its label: this bit is set if that is negative.
// A look at y would be one more line from anywhere in memory.
constexpr uint32_t negative_label = 0x80000000;

[[gnu::always_inline]] constexpr int32_t place_of(int64_t row, bool positive) {
    return static_cast<int32_t>(static_cast<uint32_t>(row) | (positive ? 0 : negative_label));
}

[[gnu::always_inline]] constexpr int64_t row_of(int32_t place) {
    return static_cast<uint32_t>(place) & ~negative_label;
}

[[gnu::always_inline]] constexpr bool positive_at(int32_t place) { return place >= 0; }

// Append-only columns; `full` is returned when the next step might not fit.
struct Columns {
    int64_t* step;
    int64_t* row;
    double* tau;
    double* m;
    int32_t* rival;
    int64_t size, capacity;
};

// The best vectors so far and, per machine, where every example stood at the last full count (memory.hpp).
constexpr int64_t pocket_buckets = 1024;

struct Pocket {
    double *best_w, *best_b;      // as State::w, b
    double *anchor_w, *anchor_b;  // the vectors of the last full count
    int64_t* best_errors;         // per machine; -1 before the first count
    int64_t* spent;               // per machine: examples looked at since the anchor
    double* scale;                // per machine: buckets cover -1..1 of scale * t
    int64_t* starts;              // machines x (buckets + 1): where each bucket of rows begins
    int64_t* rows;                // machines x n: the examples, bucket by bucket
    double* norm;                 // n: ||x||, with the constant feature if there is a bias; below 0: not known yet
    double* t;                    // scratch, n: m / ||x||, then its bucket
};

// How many examples there is room for in the short list: of more it would not be short.
constexpr int64_t most_listed(int64_t n) { return n / 4; }

// How far each example is from asking for an update (screen.hpp).
struct Screen {
    float *limit, *inverse_norm;  // one per example
    double *anchor, anchor_b;
    double *sum, sum_b;  // of the vectors passed through in this pass
    int64_t summed;      // how many those are
    double distance, rounding;
    float reach, farthest;  // the farthest since the anchor was set
    bool on, has_norms;
    int64_t age;             // passes since the anchor was set
    int64_t spent;           // looks since the anchor was set, and what setting it cost
    int64_t counted;         // what `looked` was when it was last added to that
    int64_t looked, passes;  // since it was last asked whether screening pays
    int64_t asleep, rest;    // passes to sleep; how long the next sleep is
    int64_t skipped;         // examples not looked at, in all
    // The short list: the only examples that can come within reach before it is `listed_reach`.
    int32_t *position, *place;  // where they stand in the pass, in order, and which they are
    float* near_limit;          // their limits
    int64_t listed;             // how many; -1: there is no list
    int64_t next;               // the first not yet passed, if the pass has come this far by the list
    float listed_reach;
};

// The vectors as small integers (glance.hpp).
struct Glance {
    int16_t *q, *high;  // vectors x padded: the low digit and, of tall vectors, the high one
    int64_t padded;
    double *scale, *base, *doubt;  // one per vector: the unit of q; the doubt without the bias's part; all of it
    double* left;                  // one per vector: how many rows q can follow before it is made anew; -1: none
    uint8_t *tall, *behind;        // one per vector: has it a high digit; has w not been written since q moved
    int32_t reach;                 // no |x| is above this
    int32_t digit_bits;            // of the low digit of a tall vector; 0: none can be tall
    uint16_t* spans;               // two per row: the blocks outside which it is all zeros (span.hpp)
    Spans spans_are;
    int64_t passes;  // begun over these rows
};

// What an average's sum is still to be given: rows, each with its step times the steps before it. Without room each is
// added at once.
struct Owed {
    int64_t* row;
    double* step;
    int64_t size, room;
};

// One weight vector per class (one in all for binary), padded with zeros to a multiple of 16 columns.
struct State {
    // the hypothesis
    double *w, *b;
    int64_t d, padded;
    int32_t vectors;
    // policies
    double margin, rate;
    bool bias, ties_positive;
    bool stretching;  // learn from many rows in one go, with the vector in registers where it fits (stretch.hpp)
    bool abreast;     // and sixteen short ones at once, in float32 first (abreast.hpp)
    // machines that stop on their own: one, or one per class in one-vs-rest
    int32_t machines;
    int32_t first_class, class_step;  // one-vs-rest: machine k has class first_class + k class_step
    Running* running;
    int64_t *updates, *mistakes, *updates_in_pass, *last_step, *last_pass;
    int64_t* row_updates;  // machines x n: how often each example caused an update
    // the order
    Picking picking;
    uint64_t generator;
    int32_t* permutation;  // the places of the pass, or null for the order as given
    int64_t position, length;
    bool orders_come, order_here;  // another thread makes the orders; that of the next pass has come
    bool in_pass;
    bool blocks;  // the view is one block of many: the driver ends the pass
    // looking ahead on several threads (ahead.hpp)
    int32_t threads, lookers;           // how many there may be, and how many are worth it now
    double least_share;                 // bytes of examples from which one more thread pays
    int64_t quiet_since, quiet_before;  // steps up to and with the last wrong example; right ones between the last two
    int64_t look_until;                 // where those who look ahead stop
    int64_t wrong_at;                   // what they found last; -1: nothing
    // what is known of the rows abreast (abreast.hpp)
    double largest_squared_norm;  // ||x||^2 of the rows measured: of all, once that is n
    int64_t measured;             // rows of this pass, without a gap from its first
    // counts
    int64_t steps, passes;
    int64_t max_passes, max_updates;
    int64_t *pass_updates, pass_size, pass_capacity;
    // memories
    double *u, *ub;  // lazily kept sum of the average, or null
    Owed owed;       // what another thread is to add to the sum of one machine
    Pocket* pocket;  // or null
    Screen* screen;  // or null
    Glance* glance;  // or null
    bool keep_journal;
    Columns journal;
    // scratch: one score per vector
    double* score;
};

// A kernel as a formula over inner products (kernel.hpp).
struct Formula {
    enum Kind : int { rbf, poly } kind;
    double gamma, coef0;
    int32_t degree;
    const double* by_distance;  // rbf of each whole squared distance there can be, or null
};

// Rows side by side, column by column: row j of column c is at c * size + j (tile.hpp).
struct Tile {
    const float* narrow;  // the cells, if float32 holds them exactly
    const double* wide;   // else
    bool whole;           // small whole numbers, here and in the rows that meet them
    int64_t size, used;   // the rows there is room for, a multiple of 64, and how many there are; the others are zero
    const double* squared_norms;
    const double* weights;  // vectors x size, or null
    int64_t vectors;
};

// The updates of a run, one after the other, and how many steps each vector was in force: the start's, then theirs.
struct Sequence {
    const int64_t* row;
    const double* step;
    const double* count;
    int64_t size;
    double one;                      // what stands beside a row: 1 with a bias, else 0
    const int32_t* gains = nullptr;  // direct: the classes that each update moved
    const int32_t* loses = nullptr;
};

// The hot functions, compiled once per instruction-set level.
struct Compiled {
    Pause (*learn)(const View&, State&, Shape, int64_t& budget);
    bool (*end_pass)(State&);
    int64_t (*first_wrong)(const View&, const State&, Shape, double* score, int64_t first, int64_t last);
    void (*scores)(const View&, const double* w, const double* b, int32_t vectors, int64_t padded, int64_t first,
                   int64_t last, double* out);
    void (*votes)(const double* S, int64_t n, const double* start, double start_bias, const Sequence&, double* out);
    void (*votes_direct)(const double* S, int64_t n, int32_t classes, const double* start, const double* start_bias,
                         const Sequence&, double* room, double* out);
    void (*permute)(uint64_t& generator, const int32_t* y, int32_t first_class, int32_t* place, int64_t n);
    void (*pay)(const View&, const Owed&, double* u, double* ub, bool bias);
    int64_t (*not_finite)(const void* values, Element, int64_t count);
    void (*rbf)(double* K, int64_t rows, int64_t columns, const double* a, const double* b, double gamma);
    void (*poly)(double* K, int64_t size, double gamma, double coef0, int32_t degree);
    void (*add_times)(const double* x, double s, double* out, int64_t n);
    void (*tile)(const View&, const Tile&, const Formula&, double* values, double* out, int64_t stride);
    size_t (*read_fours)(const char* const* ends, size_t count, double* out);
};

}  // namespace rosenblatt
