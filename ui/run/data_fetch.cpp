// SPDX-License-Identifier: Apache-2.0
#include "ui/run/data_fetch.h"

#include "engine/experiment/places.h"

namespace accrue {

DataFetch::DataFetch(QObject* parent)
    : QObject(parent)
{
}

DataFetch::~DataFetch() = default;

void DataFetch::start(const std::string& name)
{
    if (m_running)
        return;
    m_running = true;
    m_thread = std::jthread([this, name](const std::stop_token& stop) {
        const auto tell = [this](auto what) {
            QMetaObject::invokeMethod(this, std::move(what), Qt::QueuedConnection);
        };
        const DownloadWatcher watcher {
            [&](const DownloadProgress& progress) {
                tell([this, progress] { Q_EMIT progressed(progress); });
            },
            [&](const std::string& sentence) {
                tell([this, sentence] { Q_EMIT said(QString::fromStdString(sentence)); });
            },
        };
        const DownloadResult result =
            downloadDataSet({ name, downloadDirectory(), {} }, watcher, stop);
        tell([this, result] { end(result); });
    });
}

void DataFetch::cancel()
{
    m_thread.request_stop();
}

void DataFetch::end(const DownloadResult& result)
{
    m_running = false;
    Q_EMIT ended(result);
}

} // namespace accrue
