// SPDX-License-Identifier: Apache-2.0
#include "ui/run/csv_export.h"

#include "engine/runlog/run_log_reader.h"

#include <utility>

namespace accrue {

CsvExport::CsvExport(QObject* parent)
    : QObject(parent)
{
}

CsvExport::~CsvExport()
{
    m_cancel = true;
    if (m_thread.joinable())
        m_thread.join();
}

void CsvExport::cancel()
{
    m_cancel = true;
}

void CsvExport::start(const std::filesystem::path& log, std::vector<RunId> runs,
    const std::filesystem::path& target, Form form)
{
    run(target, [log, target, form, chosen = std::move(runs)](const CsvProgress& progress) {
        RunLogReader reader(log);
        return form == Form::Series ? exportSeriesCsv(reader, chosen, target, progress)
                                    : exportRunsCsv(reader, chosen, target, progress);
    });
}

void CsvExport::startTable(
    const std::filesystem::path& log, Table table, const std::filesystem::path& target)
{
    run(target, [log, target, make = std::move(table)](const CsvProgress& progress) {
        requireOtherFile(target, log);
        RunLogReader reader(log);
        const auto rows = make(reader);
        if (!progress(1))
            return false;
        writeCsv(target, rows);
        return true;
    });
}

void CsvExport::run(const std::filesystem::path& target, Work work)
{
    if (m_running)
        return;
    if (m_thread.joinable())
        m_thread.join();
    m_running = true;
    m_cancel = false;
    const QString name = QString::fromStdString(target.string());
    Q_EMIT started(name);
    m_thread = std::thread([this, name, doIt = std::move(work)] {
        double told = 0;
        const CsvProgress progress = [&](double share) {
            if (share - told >= 0.01) { // a hundred messages at most
                told = share;
                QMetaObject::invokeMethod(
                    this, [this, share] { Q_EMIT progressed(share); }, Qt::QueuedConnection);
            }
            return !m_cancel.load();
        };
        try {
            if (doIt(progress))
                end([this, name] { Q_EMIT finished(name); });
            else
                end([this] { Q_EMIT cancelled(); });
        } catch (const std::exception& error) {
            const QString problem = QString::fromStdString(error.what());
            end([this, problem] { Q_EMIT failed(problem); });
        }
    });
}

void CsvExport::end(const std::function<void()>& tell)
{
    QMetaObject::invokeMethod(
        this,
        [this, tell] {
            m_running = false;
            tell();
            Q_EMIT ended();
        },
        Qt::QueuedConnection);
}

} // namespace accrue
