// SPDX-License-Identifier: Apache-2.0
#pragma once

class QWidget;

namespace accrue {

class CsvExport;

// Reports `csv` in the notice slot of `page`'s window: its progress with Cancel, then the result.
// Both are borrowed; `page` outlives `csv`.
void tellOfExports(CsvExport& csv, QWidget& page);

} // namespace accrue
