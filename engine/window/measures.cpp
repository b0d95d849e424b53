// SPDX-License-Identifier: Apache-2.0
#include "engine/window/measures.h"

#include <array>

namespace accrue {
namespace {

template <typename Made> std::unique_ptr<Measure> make(const Network& network)
{
    return std::make_unique<Made>(network);
}

struct Entry {
    const char* metric; // its row of the table of metrics is carried by name
    bool (*isRequested)(const Experiment&);
    std::unique_ptr<Measure> (*make)(const Network&);
};

constexpr std::array<Entry, 0> kMeasures {};

} // namespace

Measures::Measures(const Experiment& experiment, const Network& network)
{
    for (const Entry& entry : kMeasures)
        if (entry.isRequested(experiment))
            m_all.emplace_back(entry.metric, entry.make(network));
}

std::vector<std::string> Measures::names() const
{
    std::vector<std::string> names;
    names.reserve(m_all.size());
    for (const auto& [name, measure] : m_all)
        names.push_back(name);
    return names;
}

void Measures::beforeUpdate()
{
    for (const auto& [name, measure] : m_all)
        measure->beforeUpdate();
}

void Measures::afterUpdate(const WindowMetrics& metrics)
{
    for (std::size_t index = 0; index < m_all.size(); ++index)
        m_all[index].second->afterUpdate(metrics.measured(index));
}

} // namespace accrue
