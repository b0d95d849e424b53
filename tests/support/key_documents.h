// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/files.h"
#include "engine/base/toml_reader.h"

#include <filesystem>
#include <string>
#include <vector>

#include <QByteArray>

namespace accrue {

// What docs/recipes.md adds about a key to its row in the table of keys.
struct KeyDocument {
    std::string details; // Markdown
    std::vector<std::string> examples; // in TOML
};

// docs/recipe_keys.toml, read once.
inline const TomlText& keyDocuments()
{
    static const TomlText documents = readToml(readTextFile(
        std::filesystem::path(qgetenv("ACCRUE_SOURCE").toStdString()) / "docs/recipe_keys.toml")
                                                   .text);
    return documents;
}

// Empty where the file has nothing about the key.
inline KeyDocument documentOf(const std::string& key)
{
    KeyDocument document;
    if (const TomlEntry* details = keyDocuments().find(key + ".details"))
        read(details->value, document.details);
    if (const TomlEntry* examples = keyDocuments().find(key + ".examples"))
        read(examples->value, document.examples);
    return document;
}

} // namespace accrue
