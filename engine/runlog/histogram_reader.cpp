// SPDX-License-Identifier: Apache-2.0
#include "engine/runlog/histogram_reader.h"

#include "engine/logfile/histogram_rows.h"
#include "engine/logfile/log_file.h"
#include "engine/logfile/log_snapshot.h"
#include "engine/logfile/sql_guard.h"

namespace accrue {

HistogramReader::HistogramReader(const std::filesystem::path& file)
    : m_file(placeOf(file))
    , m_snapshot(std::make_unique<LogSnapshot>(m_file))
{
}

HistogramReader::~HistogramReader() = default;

HistogramNames HistogramReader::names(RunId run)
{
    return inSentences(m_file, [&] { return readHistogramNames(m_snapshot->database(), run); });
}

std::vector<HistogramAtStep> HistogramReader::histograms(RunId run, const std::string& parameter,
    HistogramOf of, std::size_t most, const std::vector<RowRange>* whole)
{
    return inSentences(m_file,
        [&] { return readHistograms(m_snapshot->database(), run, parameter, of, most, whole); });
}

} // namespace accrue
