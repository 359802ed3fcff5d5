// The sum of an average, kept on a second thread while the first learns: no verdict depends on it. What is owed is
// added in the order in which it came, so that the sum is the same to the last bit. While others have the second one's
// core, such as threads of BLAS that spin for some time after a product, some batches may wait for it; what is left at
// the end the first thread adds.
// Twenty passes over text of 68 nonzeros, one row in fifteen wrong: 36.6 ns a row, and 34.6.
#pragma once

#include <array>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

#include "dispatch.hpp"

namespace rosenblatt {

class Payer {
  public:
    // Gives the state room to owe.
    Payer(const View& view, State& s) : view_(view), s_(s), u_(s.u), ub_(s.ub), bias_(s.bias) { give_room(); }

    // All is paid before anybody reads the sum: the batch in progress by the thread, the others here.
    ~Payer() {
        if (thread_.joinable()) {
            {
                const std::lock_guard lock(mutex_);
                leave_ = true;
            }
            told_.notify_one();
            thread_.join();
        }
        for (; paid_ < taken_; ++paid_) pay(batch(paid_).owed);
        pay(s_.owed);
        s_.owed = {};
    }

    // Has what is owed paid, and gives room for more.
    void take_over() {
        if (!thread_.joinable() && !started()) {
            pay(s_.owed);
            s_.owed.size = 0;
            return;
        }
        batch(taken_).owed = s_.owed;
        std::unique_lock lock(mutex_);
        ++taken_;
        told_.notify_one();
        told_.wait(lock, [this] { return taken_ - paid_ < most; });
        lock.unlock();
        give_room();
    }

  private:
    static constexpr size_t room = 4096, most = 8;

    // Part of this object, so that there is nothing to be had, and to fail, later.
    struct Batch {
        std::array<int64_t, room> row;
        std::array<double, room> step;
        Owed owed;
    };

    Batch& batch(size_t k) { return batches_[k % most]; }

    void give_room() {
        Batch& next = batch(taken_);
        s_.owed = {next.row.data(), next.step.data(), 0, room};
    }

    void pay(const Owed& owed) const { compiled().pay(view_, owed, u_, ub_, bias_); }

    // Not before there is much to pay. False: no thread can be had.
    bool started() {
        try {
            thread_ = std::thread([this] { work(); });
        } catch (...) {
            return false;
        }
        return true;
    }

    void work() {
        std::unique_lock lock(mutex_);
        for (;;) {
            told_.wait(lock, [this] { return paid_ < taken_ || leave_; });
            if (leave_) return;
            lock.unlock();
            pay(batch(paid_).owed);
            lock.lock();
            ++paid_;
            told_.notify_one();
        }
    }

    const View view_;
    State& s_;
    double *const u_, *const ub_;  // as the state has them: it is written to while the thread reads these
    const bool bias_;
    std::array<Batch, most> batches_;
    size_t taken_ = 0, paid_ = 0;
    bool leave_ = false;
    std::mutex mutex_;
    std::condition_variable told_;
    std::thread thread_;
};

// Or none: then the loop adds to the sum itself.
inline std::unique_ptr<Payer> average_on_a_thread(const View& view, State& s, Shape shape) {
    constexpr int64_t least_rows = 1 << 14;  // of fewer little is owed
    const bool worth_it = view.n >= least_rows && view.storage != Storage::gram && shape == Shape::binary;
    if (!s.u || s.threads == 1 || !worth_it) return nullptr;
    try {
        return std::make_unique<Payer>(view, s);
    } catch (...) {
        return nullptr;
    }
}

}  // namespace rosenblatt
