// SPDX-License-Identifier: Apache-2.0
// What a benchmark measured, beside what is wanted, as a small table.
#pragma once

#include <cstdio>
#include <optional>
#include <string>
#include <vector>

namespace accrue {

enum class Wanted {
    Floor,
    Ceiling,
};

struct Figure {
    std::string what;
    double measured = 0;
    const char* unit = "";
    std::optional<double> target; // empty: only reported
    Wanted wanted = Wanted::Ceiling;

    bool reached() const
    {
        if (!target)
            return true;
        return wanted == Wanted::Floor ? measured >= *target : measured <= *target;
    }
};

inline const char* verdictOf(const Figure& figure)
{
    if (!figure.target)
        return "";
    return figure.reached() ? "reached" : "MISSED";
}

// Prints the table to the standard output; a smoke run is not judged. False: a target was missed.
inline bool report(const std::vector<Figure>& figures, bool judged)
{
    bool all = true;
    std::printf("%-56s %14s   %s\n", "", "measured", "wanted");
    for (const Figure& figure : figures) {
        std::printf("%-56s %10.4g %-6s", figure.what.c_str(), figure.measured, figure.unit);
        if (figure.target)
            std::printf(" %s %.4g %s", figure.wanted == Wanted::Floor ? "at least" : "at most",
                *figure.target, figure.unit);
        std::printf("  %s\n", judged ? verdictOf(figure) : "");
        all = all && (!judged || figure.reached());
    }
    return all;
}

} // namespace accrue
