// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/experiment.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace accrue {

// What is known without torch about each data set, optimizer and schedule of rates; networks have a
// similar table in models.h. Each row describes one of them: keys, their choices and rules,
// validation, advice and the window read it. Tables are in the order of their enumeration.

// `keys` of a row are the keys of the section, without its name ("momentum"), that this row reads
// and some other row does not. A key that is in some rows, but not in the chosen one, has no
// effect; a key that is in no row is read whichever is chosen.
//
// The rows are in keys_of_data.cpp and keys_of_optimizer.cpp, with their keys, so that one file
// describes a new one to everything that does not need torch.

struct DataSetInfo {
    DataName name;
    const char* word; // as recipes spell it
    const char* title; // as people do
    std::vector<std::string_view> keys {};
    std::size_t channels = 1; // of every picture; 0: determined from the files
    const char* folder = nullptr; // what data.path must be, after "needs"; null: it may be empty
    bool isBuiltIn = false; // reads no file
    bool isPublished = true; // constants to normalise by are published
    bool isSplit = false; // data.test may hold out samples; others have a test set
};
const std::vector<DataSetInfo>& dataSetTable();
const DataSetInfo& dataSetInfo(DataName name);

struct OptimizerInfo {
    OptimizerName name;
    const char* word;
    const char* title;
    std::vector<std::string_view> keys;
    int (*states)(const OptimizerSettings&); // tensors of a parameter's shape that it stores for it
    // It divides the gradient by the gradient's own size: a gradient that is N times as long makes
    // the same update (except for eps), and the usual learning rate follows the root of the batch.
    bool normalizesGradient = false;
    bool decouplesDecay = false; // the weight decay is not a term of the gradient
};
const std::vector<OptimizerInfo>& optimizerTable();
const OptimizerInfo& optimizerInfo(OptimizerName name);

struct ScheduleInfo {
    ScheduleName name;
    const char* word;
    const char* title;
    std::vector<std::string_view> keys;
    bool followsLength; // its rates so far depend on the length of the whole run
};
const std::vector<ScheduleInfo>& scheduleTable();
const ScheduleInfo& scheduleInfo(ScheduleName name);

} // namespace accrue
