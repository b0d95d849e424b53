// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/arguments.h"
#include "app/console.h"
#include "engine/runlog/foreign_rows.h"

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace accrue {

// What an import has done so far. Problems are printed at once, the rest at the end: a sentence, or
// one JSON object. Borrows both.
class ImportReport {
public:
    ImportReport(const Arguments& arguments, Console& console)
        : m_arguments(arguments)
        , m_console(console)
    {
    }

    void add(const ImportedRun& run, const std::string& name);
    void addProblem(const Message& problem);
    bool isEmpty() const { return m_runs.empty(); }
    // `from`: what was imported.
    void print(const std::string& from) const;

private:
    const Arguments& m_arguments;
    Console& m_console;
    std::array<std::size_t, 3> m_counts {}; // by ImportResult
    nlohmann::ordered_json m_runs = nlohmann::ordered_json::array();
    nlohmann::ordered_json m_problems = nlohmann::ordered_json::array();
};

} // namespace accrue
