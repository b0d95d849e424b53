// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/engine/session/reference_training.h"

#include <vector>

// What tst_references and tst_first_gradients train; a new combination is one row.
namespace accrue::test {

// LeNet-5, SGD with momentum 0.9 at the rate 0.005, mean, flush, unless a row sets something else;
// each in float64 and in float32, or in the one precision that it names, which is then in its
// settings.
std::vector<Training> combinationsInEachPrecision();

// The same recipe as published code would have trained it.
std::vector<Training> publishedDefects();

// An update whose parts change places. Everything is on, and each of it changes something.
std::vector<Training> otherOrders();

// A row a training, by its place in the list; to be called in a function of test data.
void addRows(const std::vector<Training>& trainings);

} // namespace accrue::test
