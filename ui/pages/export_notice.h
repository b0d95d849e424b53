// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/pages/inline_message.h"

namespace accrue {

class CsvExport;

// Tells of one CsvExport: its progress with Cancel, then what became of it. A line of its own, so
// that nothing else that is said takes Cancel away.
class ExportNotice : public InlineMessage {
    Q_OBJECT
public:
    // `csv` is borrowed and outlives this.
    explicit ExportNotice(CsvExport& csv, QWidget* parent = nullptr);
};

} // namespace accrue
