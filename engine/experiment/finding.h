// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/message.h"
#include "engine/experiment/key_names.h"

#include <optional>
#include <string>
#include <vector>

namespace accrue {

// A change that resolves a finding, if there is one obvious change; fixes.h applies it.
struct Fix {
    Message label; // of a button: "Set steps to 4"
    std::vector<std::string> assignments; // "batch.steps=4", as applySetting reads them
    friend bool operator==(const Fix&, const Fix&) = default;
};

// Something that is wrong, or worth knowing, about a recipe. `message` is a whole sentence that
// names the key, what was found and what is allowed: the command line prints it beside the line of
// the recipe, the window beside the field.
struct Finding {
    enum class Severity {
        Error, // prevents the run
        Warning, // can be trained, but is probably not what was meant
        Note, // worth knowing; nothing needs to change
    };
    Severity severity = Severity::Error;
    std::string key; // dotted key, key::batchMicro; empty when it concerns the whole recipe
    int line = 0; // 1-based line in the recipe; 0 when it has none (set by --set or in the form)
    Message message;
    std::optional<Fix> fix = {};
    friend bool operator==(const Finding&, const Finding&) = default;
};

using Findings = std::vector<Finding>;

Finding errorAbout(std::string key, Message message, std::optional<Fix> fix = {});
Finding warningAbout(std::string key, Message message, std::optional<Fix> fix = {});
Finding noteAbout(std::string key, Message message);

bool hasErrors(const Findings& findings);
// Whether one of them has the same message about the same key, whatever its line and fix.
bool contains(const Findings& findings, const Finding& wanted);
void append(Findings& findings, const Findings& more);

// ---- parts of messages about settings, so that each is worded, and translated, once ----

Message oneOf(std::vector<std::string> words); // "digits, mnist or idx"

// "run.device is gpu; allowed: auto, cpu, cuda or cuda:NUMBER." `name` is the key, or the option
// that sets it.
Message notAllowed(
    const std::string& name, const MessageArgument::Value& value, const Message& allowed);
// Why a key has no effect (KeyCondition::whyNot): it needs `key` at `value`, as TOML writes it.
Message usedOnlyWith(const std::string& key, const Message& value);

} // namespace accrue
