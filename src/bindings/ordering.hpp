// The order of the next pass, made on a second thread while this pass runs: it depends on the generator alone.
// 100 000 rows of 20 columns, one in twenty wrong: 3.3 ns a row, and 3.0.
#pragma once

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

#include "dispatch.hpp"
#include "held.hpp"

namespace rosenblatt {

class NextOrder {
  public:
    // `y`: labels that travel with the rows, or null.
    NextOrder(const int32_t* y, int32_t first_class, size_t n)
        : y_(y), first_class_(first_class), places_(n), thread_([this] { work(); }) {}

    ~NextOrder() {
        tell([this] { leave_ = true; });
        thread_.join();
    }

    // Brings the order of the pass that begins, and has the next one made. Where it is not there in the time that it
    // takes to make one, because others have the second thread's core, it is made here.
    void bring(uint64_t& generator, Lines<int32_t>& permutation) {
        std::unique_lock lock(mutex_);
        const auto a_shuffle = std::chrono::nanoseconds(places_.size());
        if (making_ && begun_at_ == generator) told_.wait_for(lock, a_shuffle, [this] { return made_; });
        if (made_ && begun_at_ == generator) {
            std::swap(permutation, places_);
            generator = ended_at_;
        } else {
            wanted_ = false;  // if the thread has not begun, it need not
            lock.unlock();
            shuffle_all(generator, permutation);
            lock.lock();
        }
        made_ = false;
        wanted_at_ = generator;
        wanted_ = true;
        lock.unlock();
        told_.notify_one();
    }

  private:
    void shuffle_all(uint64_t& generator, Lines<int32_t>& permutation) const {
        compiled().permute(generator, y_, first_class_, permutation.data(), static_cast<int64_t>(permutation.size()));
    }

    template <class Change>
    void tell(const Change& change) {
        {
            const std::lock_guard lock(mutex_);
            change();
        }
        told_.notify_one();
    }

    void work() {
        for (;;) {
            uint64_t generator;
            {
                std::unique_lock lock(mutex_);
                told_.wait(lock, [this] { return wanted_ || leave_; });
                if (leave_) return;
                wanted_ = made_ = false;
                making_ = true;
                generator = begun_at_ = wanted_at_;
            }
            shuffle_all(generator, places_);
            tell([&] {
                ended_at_ = generator;
                making_ = false;
                made_ = true;
            });
        }
    }

    const int32_t* y_;
    int32_t first_class_;
    Lines<int32_t> places_;
    // Where the generator stands before the order that is wanted, and before and after the one that is made.
    uint64_t wanted_at_ = 0, begun_at_ = 0, ended_at_ = 0;
    bool wanted_ = false, making_ = false, made_ = false, leave_ = false;
    std::mutex mutex_;
    std::condition_variable told_;
    std::thread thread_;  // the last: it uses all the others
};

// Or none, where that does not pay or no thread can be had: then the loop makes its orders itself.
inline std::unique_ptr<NextOrder> orders_on_a_thread(const View& view, const State& s, Shape shape) {
    // Fewer rows are shuffled before a thread is awake, and in fewer passes it is not paid for.
    constexpr int64_t least_rows = 1 << 16, least_passes = 4;
    const bool many = view.n >= least_rows && s.max_passes - s.passes >= least_passes;
    if (s.threads == 1 || s.picking != Picking::shuffle || s.blocks || !many) return nullptr;
    try {
        return std::make_unique<NextOrder>(shape == Shape::binary ? view.y : nullptr, s.first_class,
                                           static_cast<size_t>(view.n));
    } catch (...) {
        return nullptr;
    }
}

}  // namespace rosenblatt
