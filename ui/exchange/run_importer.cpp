// SPDX-License-Identifier: Apache-2.0
#include "ui/exchange/run_importer.h"

#include "engine/runlog/log_merge.h"
#include "ui/run/log_words.h"

#include <utility>

namespace accrue {

RunImporter::RunImporter(LogHost& log, QObject* parent)
    : QObject(parent)
    , m_log(log)
{
}

void RunImporter::start(const std::shared_ptr<const ImportPlan>& plan, const ImportWishes& wishes)
{
    if (isRunning())
        return;
    m_isCancelled = false;
    m_task.start(
        [this, plan, wishes](const Task::Job& job) -> Task::News {
            const auto tell = [this, &job, told = 0.0](double share) mutable {
                if (share - told >= 0.01) {
                    told = share;
                    job.post([this, share] { Q_EMIT progressed(share); });
                }
            };
            return [this,
                       outcome =
                           importPlanned(*m_log.writer(), *plan, wishes, tell, job.stopToken())] {
                Q_EMIT finished(outcome, m_isCancelled);
                Q_EMIT ended();
            };
        },
        [this](const Message& problem) {
            Q_EMIT failed(
                inWindow(QString::fromStdString(problem.text())), problem.code() == kDamagedImport);
            Q_EMIT ended();
        });
    Q_EMIT started(QString::fromStdString(plan->path.string()));
}

void RunImporter::cancel()
{
    m_isCancelled = true;
    m_task.cancel();
}

} // namespace accrue
