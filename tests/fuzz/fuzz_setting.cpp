// SPDX-License-Identifier: Apache-2.0
// Values of --set, one a line; what they set is written as a recipe and read back.
#include "engine/base/shown_text.h"
#include "engine/experiment/keys.h"
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
            fuzz::demand(finding.message.english().size() < 1000, "a message is short");
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    const std::string written = writeRecipe(experiment);
    const Recipe back = parseRecipe(written, "set");
    fuzz::demand(back.readable || !isUtf8(written), "a recipe that was written can be read");
    fuzz::demand(!back.readable || writeRecipe(back.experiment) == written,
        "what is set reads back the same");
    return 0;
}
