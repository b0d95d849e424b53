// SPDX-License-Identifier: Apache-2.0
#include "ui/run/data_fetch.h"

#include "engine/base/places.h"

namespace accrue {

void DataFetch::start(const std::string& name)
{
    if (isRunning())
        return;
    const auto fetch = [this, name](const Task::Job& job) -> Task::News {
        const DownloadWatcher watcher {
            [&](const DownloadProgress& progress) {
                job.post([this, progress] { Q_EMIT progressed(progress); });
            },
            [&](const Message& message) {
                job.post(
                    [this, message] { Q_EMIT reported(QString::fromStdString(message.text())); });
            },
        };
        const DownloadResult result =
            downloadDataSet({ name, downloadDirectory(), {} }, watcher, job.stopToken());
        return [this, result] { Q_EMIT ended(result); };
    };
    m_task.start(fetch, [this](const Message& problem) {
        Q_EMIT ended({ DownloadResult::Outcome::Failed, {}, problem });
    });
}

} // namespace accrue
