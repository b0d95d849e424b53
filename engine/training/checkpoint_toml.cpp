// SPDX-License-Identifier: Apache-2.0
#include "engine/training/checkpoint_toml.h"

#include <utility>

#include "engine/door/engine_error.h"
#include "engine/experiment/files.h"

namespace accrue {

CheckpointToml::CheckpointToml(std::filesystem::path file)
    : m_file(std::move(file))
{
    const TextFile text = readTextFile(m_file);
    if (!text.problem.empty())
        throw EngineError(text.problem);
    m_toml = readToml(text.text);
    if (!m_toml.problem.empty())
        throw EngineError("\"" + m_file.string() + "\" " + m_toml.problem + ".");
}

bool CheckpointToml::has(const char* key) const
{
    return m_toml.find(key) != nullptr;
}

std::int64_t CheckpointToml::count(const char* key) const
{
    return required<std::int64_t>(key);
}

double CheckpointToml::number(const char* key) const
{
    return required<double>(key);
}

std::string CheckpointToml::text(const char* key) const
{
    return required<std::string>(key);
}

template <typename Value> Value CheckpointToml::required(const char* key) const
{
    Value value {};
    const TomlEntry* const entry = m_toml.find(key);
    if (entry == nullptr || !read(entry->value, value))
        throw EngineError("\"" + m_file.string() + "\" has no " + key + ", or not of its type.");
    return value;
}

} // namespace accrue
