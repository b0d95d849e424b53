// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/door/data_sets.h"
#include "engine/experiment/experiment.h"

#include <QWidget>

#include <optional>

class QLabel;

namespace accrue {

class DataDownloadRow;

// What is known about the form's data set, or the button that downloads it: one at a time, in the
// same place. Problems of the set are reported among the checks.
class DataBlock : public QWidget {
    Q_OBJECT
public:
    explicit DataBlock(QWidget* parent = nullptr);

    void showData(const Experiment& experiment, const std::optional<DataSetStatus>& found);
    DataDownloadRow& downloadRow() const { return *m_download; }

private:
    QLabel* m_words;
    DataDownloadRow* m_download;
};

} // namespace accrue
