// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/door/data_sets.h"

#include <QObject>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace accrue {

// Looks for data sets off the GUI thread, on which this object lives. An answer to a question that
// is no longer asked is dropped.
class DataSetProbe : public QObject {
    Q_OBJECT
public:
    explicit DataSetProbe(QObject* parent = nullptr);

    // As findDataSet; answered by dataSetFound. Must not block.
    void look(const std::string& name, const std::filesystem::path& path,
        const std::vector<std::filesystem::path>& directories, const DataSettings& as = {});

Q_SIGNALS:
    void dataSetFound(const accrue::DataSetStatus& status);

private:
    std::uint64_t m_question = 0;
};

} // namespace accrue
