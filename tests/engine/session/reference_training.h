// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/experiment.h"
#include "engine/model/named_tensors.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace accrue::test {

// At how many of a training's updates clipping changes the gradient.
enum class Clips { Never, AtSome, Always };

// What the engine and tests/support/reference.py both train, from the same initial parameters and
// the same order of the same pictures.
struct Training {
    std::string name;
    std::uint32_t samples = 0; // of the training set
    std::string
        settings; // as --set takes them, between semicolons: "batch.micro=24; batch.steps=5"
    std::string defect {}; // of DEFECTS in reference.py, which only that side has; empty: none
    std::uint32_t side = 28; // pixels of a picture
    Clips clips = Clips::Never;
};

// What one side made of it.
struct Trained {
    std::string failure; // a sentence; empty: it came to its end
    NamedTensors parameters;
    NamedTensors buffers;
    NamedTensors averages; // of the parameters, with optimizer.ema
    // One an update.
    std::vector<double> samples;
    std::vector<double> losses;
    std::vector<double> gradientNorms;
    std::vector<double> rates;
    std::vector<double> clipped; // reference only: 1 where the gradient was, otherwise 0
    std::vector<double> evaluations; // the loss on the test pictures, one an evaluation
};

// Relative L2: over all parameters together, of the buffer that is furthest off, over all averages
// together, over all updates, over all evaluations.
struct Difference {
    double parameters = 0;
    double buffers = 0;
    double averages = 0;
    double losses = 0;
    double gradientNorms = 0;
    double rates = 0;
    double evaluations = 0;

    double greatest() const;
    std::string text() const;
};

// 20 updates at the rate 0.005 on the CPU in one thread, unless the settings change that; pictures
// are written below `dataFolder` if they do not exist yet, as are the weights of another seed, if
// the settings name a file for model.init_from. Throws std::invalid_argument if a setting is wrong.
Experiment experimentOf(const Training& training, const std::filesystem::path& dataFolder);

// Files that reference.py reads: recipe.toml and start.safetensors. Returns the start.
Trained writeStart(const std::filesystem::path& folder, const Experiment& experiment);

// `start` distinguishes parameters from buffers. The checkpoint is removed, because it may be
// large.
Trained trainBySession(
    const std::filesystem::path& folder, const Experiment& experiment, const Trained& start);
// What reference.py wrote as FOLDER/NAME.…
Trained readResult(
    const std::filesystem::path& folder, const std::string& name, const Trained& start);

Clips clipsOf(const Trained& reference);

// Names and shapes must agree, otherwise all is infinite.
Difference between(const Trained& trained, const Trained& reference);

} // namespace accrue::test
