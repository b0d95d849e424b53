// SPDX-License-Identifier: Apache-2.0
// Values of --set, one a line.
#include "engine/experiment/recipe.h"
#include "tests/fuzz/fuzz_target.h"

#include <algorithm>

using namespace accrue;

int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size)
{
    Experiment experiment;
    std::string_view text = fuzz::textOf(bytes, size);
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        for (const Finding& finding : applySetting(experiment, text.substr(0, end)))
            fuzz::demand(finding.message.size() < 1000, "a message is short");
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    if (!hasErrors(parseRecipe(writeRecipe(experiment), "set").findings))
        fuzz::demand(!asCommandLine(experiment).empty(), "a command line names the run");
    return 0;
}
