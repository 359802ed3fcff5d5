// Chooses the instruction-set level when the module loads. All levels make the same journals (row.hpp);
// ROSENBLATT_LEVEL=baseline|v3|v4 forces one, for the tests that compare them.
#pragma once

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include "view.hpp"

namespace rosenblatt {

namespace baseline {
extern const Compiled compiled;
}
#ifdef ROSENBLATT_X86_LEVELS
namespace v3 {
extern const Compiled compiled;
}
namespace v4 {
extern const Compiled compiled;
}
#endif

struct Level {
    std::string name;
    const Compiled* compiled;
};

// Those this processor can run, the fastest last.
inline std::vector<Level> levels() {
    std::vector<Level> found{{"baseline", &baseline::compiled}};
#ifdef ROSENBLATT_X86_LEVELS
    __builtin_cpu_init();
    const bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
                    __builtin_cpu_supports("bmi2");
    if (v3) found.push_back({"v3", &v3::compiled});
    if (v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        found.push_back({"v4", &v4::compiled});
#endif
    return found;
}

inline const Level& level() {
    static const Level chosen = [] {
        const std::vector<Level> available = levels();
        const char* wanted = std::getenv("ROSENBLATT_LEVEL");
        if (!wanted || !*wanted) return available.back();
        for (const Level& candidate : available)
            if (candidate.name == wanted) return candidate;
        std::string names;
        for (const Level& candidate : available) names += (names.empty() ? "" : ", ") + candidate.name;
        throw std::runtime_error("ROSENBLATT_LEVEL=" + std::string(wanted) + ", but this processor offers " + names);
    }();
    return chosen;
}

inline const Compiled& compiled() { return *level().compiled; }

}  // namespace rosenblatt
