// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/asked_recipe.h"
#include "engine/door/engine.h"

#include <string>

namespace accrue {

// Everything that can be said of a training before it begins: finds data, engine and device, and
// says what is known of its memory. False: it cannot be trained, and that is said. Throws
// WrongInput where there is no such data or device. Blocks.
bool canBeTrained(const AskedRecipe& asked, const Arguments& arguments, Console& console);

// Whether the device holds the network with what belongs to it. False: it does not, and that is
// said.
bool fitsTheDevice(const AskedRecipe& asked, const DataSetStatus& data, Engine& engine,
    const std::string& device, Console& console);

} // namespace accrue
