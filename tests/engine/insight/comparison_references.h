// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/files.h"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <string>

#include <nlohmann/json.hpp>

namespace accrue {

// The cases of tests/data/comparison_references.json, which make_comparison_references.py computed
// with SciPy.
inline const nlohmann::json& comparisonReferences(const std::string& part)
{
    static const nlohmann::json all = [] {
        const std::filesystem::path source = std::getenv("ACCRUE_SOURCE");
        return nlohmann::json::parse(
            readTextFile(source / "tests/data/comparison_references.json").text);
    }();
    return all.at(part);
}

// Equal to 1e-9 of the value, and where that is small to 1e-9.
inline bool agrees(double value, double wanted)
{
    return std::abs(value - wanted) <= 1e-9 * std::max(1.0, std::abs(wanted));
}

} // namespace accrue
