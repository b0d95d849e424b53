// SPDX-License-Identifier: Apache-2.0
#include "ui/run/data_set_probe.h"

#include <QPointer>
#include <QThreadPool>

#include <exception>

namespace accrue {

namespace {

DataSetStatus lookNow(const std::string& name, const std::filesystem::path& path,
    const std::vector<std::filesystem::path>& directories, const DataSettings& as)
{
    try {
        return findDataSet(name, path, directories, as);
    } catch (const std::exception& error) {
        DataSetStatus status;
        status.name = name;
        status.problem = error.what();
        return status;
    }
}

} // namespace

DataSetProbe::DataSetProbe(QObject* parent)
    : QObject(parent)
{
}

void DataSetProbe::look(const std::string& name, const std::filesystem::path& path,
    const std::vector<std::filesystem::path>& directories, const DataSettings& as)
{
    const std::uint64_t question = ++m_question;
    // Through the application object, which outlives the pool's jobs: this probe may not.
    QPointer<DataSetProbe> self(this);
    QThreadPool::globalInstance()->start([self, question, name, path, directories, as] {
        const DataSetStatus status = lookNow(name, path, directories, as);
        QMetaObject::invokeMethod(
            QThreadPool::globalInstance(),
            [self, question, status] {
                if (self != nullptr && self->m_question == question)
                    Q_EMIT self->dataSetFound(status);
            },
            Qt::QueuedConnection);
    });
}

} // namespace accrue
