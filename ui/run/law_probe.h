// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/door/law_store.h"

#include <QObject>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace accrue {

// Looks for the law that was stored for an experiment, off the GUI thread, on which this object
// lives. An answer to a question that is no longer asked is dropped.
class LawProbe : public QObject {
    Q_OBJECT
public:
    explicit LawProbe(QObject* parent = nullptr);

    // As storedFit; answered by lawFound. Must not block.
    void look(const std::filesystem::path& laws, const Experiment& experiment,
        const std::string& device, const std::string& torchVersion);
    void forget(); // what was asked

Q_SIGNALS:
    void lawFound(const std::optional<accrue::MemoryFit>& fit);

private:
    std::uint64_t m_question = 0;
};

} // namespace accrue
