// SPDX-License-Identifier: Apache-2.0
#include "ui/draft/draft_surroundings.h"

#include "engine/experiment/key_names.h"
#include "engine/experiment/keys.h"
#include "ui/draft/experiment_draft.h"

#include <chrono>

namespace accrue {

namespace {
constexpr std::chrono::milliseconds kTypingPause { 150 };
} // namespace

DraftSurroundings::DraftSurroundings(Backend& backend, ExperimentDraft& draft, QObject* parent)
    : QObject(parent)
    , m_backend(backend)
    , m_draft(draft)
{
    m_typingPause.setInterval(kTypingPause);
    m_typingPause.setSingleShot(true);
    connect(&draft, &ExperimentDraft::dataChanged, &m_typingPause, qOverload<>(&QTimer::start));
    connect(&m_typingPause, &QTimer::timeout, this, &DraftSurroundings::lookForData);
    const auto reportDevices = [this] {
        m_draft.setDevices(m_backend.engine.devices(), m_backend.engine.versions().torch);
    };
    connect(&m_backend.engine, &EngineHost::engineLoaded, this, reportDevices);
    connect(&m_backend.engine, &EngineHost::deviceLost, this, reportDevices);
    if (m_backend.engine.state() == EngineHost::State::Ready)
        reportDevices(); // a window of another language may have been here before
    connect(&m_backend.fits, &FitController::ended, this,
        [this](const MemoryFit& fit, const QString& notKept) {
            m_draft.takeLaw(m_backend.fits.experiment(), fit, notKept.isEmpty());
        });
    connect(&m_backend.controller, &RunController::measuringChanged, this, [this] {
        if (!m_backend.controller.measuring()) // a run has measured its b, and stored the model
            m_draft.lookForLaw();
    });
}

void DraftSurroundings::lookForData()
{
    // This search is for the text as it is now: a pending one would repeat it.
    m_typingPause.stop();
    m_again = m_search.isRunning();
    if (m_again)
        return;
    const DataSettings data = m_draft.experiment().data;
    const std::string name = settingText(settingOf(m_draft.experiment(), key::dataName).value());
    m_search.start(
        [this, data, name, directories = m_backend.dataDirectories](
            const Task::Job&) -> Task::News {
            return
                [this, status = findDataSet(name, data.path, directories, data)] { take(status); };
        },
        [this, name](const Message& problem) {
            DataSetStatus status;
            status.name = name;
            status.problem = problem;
            take(status);
        });
}

// A data set that was found is not searched again: it is read when the run begins, which reports
// its problems.
void DraftSurroundings::lookAgain()
{
    if (m_draft.data() && !m_draft.data()->problem.empty())
        lookForData();
    m_draft.lookForLaw();
}

// An answer about earlier text does not apply to what was typed since.
void DraftSurroundings::take(const DataSetStatus& status)
{
    if (m_typingPause.isActive())
        return;
    if (m_again)
        lookForData();
    else
        m_draft.setDataStatus(status);
}

} // namespace accrue
