// SPDX-License-Identifier: Apache-2.0
// A recipe; what was understood of it is written and read back.
#include "engine/experiment/explanation.h"
#include "engine/experiment/recipe.h"
#include "tests/fuzz/fuzz_target.h"

using namespace accrue;

int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size)
{
    const Recipe recipe = parseRecipe(fuzz::textOf(bytes, size), "fuzz.toml");
    for (const Finding& finding : recipe.findings)
        fuzz::demand(finding.message.english().size() < 2000, "a message is short");
    const std::string written = writeRecipe(recipe.experiment);
    const Recipe again = parseRecipe(written, "other");
    fuzz::demand(again.readable, "a recipe that was written can be read");
    fuzz::demand(writeRecipe(again.experiment) == written, "what is written reads back the same");
    return 0;
}
