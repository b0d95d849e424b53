// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace accrue {

// The command line as words and values; nothing is looked up or opened yet.
struct Arguments {
    std::string command; // "train", "list", …; "version" for --version
    std::vector<std::string> operands; // RECIPE, RUN, get NAME …
    std::vector<std::string> settings; // --set, in order
    std::vector<std::string> runs; // --runs
    std::vector<std::string> vary; // sweep --vary, in order
    std::optional<std::string> seeds; // sweep --seeds, as written
    std::optional<std::string> random; // sweep --random, as written
    std::optional<std::string> order; // sweep --order
    std::optional<std::string> halving; // sweep --halving, as written
    bool keepEffective = false; // sweep --keep-effective
    std::vector<std::string> tagChanges; // tag: "+TAG", "-TAG"
    std::optional<std::string> runLog; // --db
    std::optional<std::string> data; // --data
    std::optional<std::string> mirror; // --mirror
    std::optional<std::string> device; // --device
    std::optional<std::string> budget; // --budget
    std::optional<std::string> trace; // --trace
    std::optional<std::string> name; // --name
    std::optional<std::string> from; // --from
    std::optional<std::string> step; // --step, as written
    std::optional<std::string> updates; // --updates, as written
    std::vector<std::string> rankCounts; // scale --ranks
    std::vector<std::string> stepCounts; // scale --steps
    std::vector<std::string> predicted; // scale --predict
    std::optional<std::string> criticalBatch; // scale --critical-batch, as written
    std::optional<std::string> points; // scale --points
    std::optional<std::string> rounds; // scale --rounds, as written
    std::optional<std::string> perMachine; // scale --per-machine, as written
    std::optional<std::string> link; // scale --link
    std::vector<std::string> assumed; // scale --assume
    std::optional<std::string> chart; // scale --chart
    std::optional<std::string> jobs; // work --jobs, as written
    std::optional<std::string> logCopy; // work --log-copy
    std::optional<std::string> part; // work --part, as written
    std::optional<std::string> filter; // --filter
    std::vector<std::string> by; // summary, report --by
    std::optional<std::string> metric; // summary, report --metric
    std::optional<std::string> baseline; // summary, report --baseline
    std::string output; // report -o
    std::optional<std::string> sort; // --sort
    std::vector<std::string> columns; // list --columns
    std::string csv; // --csv
    std::string tensorBoard; // --tensorboard
    std::vector<std::string> columnMap; // import --map
    bool json = false;
    bool wide = false;
    bool all = false; // list --all: archived runs, too
    bool yes = false;
    bool watch = false; // work --watch
    bool defects = false; // explain --defects
    bool damaged = false; // export, memory, import --damaged
    bool withCheckpoints = false; // import --checkpoints
    bool dryRun = false; // import, sweep --dry-run
    bool checkLog = false; // doctor --check-log
    bool checkCheckpoints = false; // doctor --check-checkpoints
};

} // namespace accrue
