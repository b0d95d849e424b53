// SPDX-License-Identifier: Apache-2.0
#include "ui/window/window_memory.h"

#include "engine/base/places.h"
#include "ui/run/run_log_follower.h"

#include <QCryptographicHash>
#include <QGuiApplication>
#include <QScreen>

#include <algorithm>
#include <utility>

// Values of the window are at the top of the file, numbers of runs in a group per log, because a
// number identifies a run in one log only. The groups of the last logs are retained, so that both
// logs are restored for a user who alternates between two.

namespace accrue {

namespace {

const auto kLogs = QStringLiteral("window/logs"); // the groups of logs, the last one first
constexpr int kMostLogs = 20;
// Pixels of the window that must be on a screen, so that it can be grabbed
constexpr int kGrip = 64;

// A path is no key of an INI file: its characters would be escaped, and its slashes be groups.
QString groupOf(const std::filesystem::path& log)
{
    const QByteArray name = QByteArray::fromStdString(std::filesystem::absolute(log).string());
    // The absolute path, so that a log has one group wherever the program was started.
    const QByteArray digest = QCryptographicHash::hash(name, QCryptographicHash::Sha256);
    return QStringLiteral("log-%1/").arg(QString::fromLatin1(digest.toHex().first(16)));
}

QVariantList numbersOf(const std::vector<RunId>& runs)
{
    QVariantList numbers;
    for (const RunId run : runs)
        numbers << QVariant::fromValue(qint64 { numberOf(run) });
    return numbers;
}

std::vector<RunId> runsOf(const QVariant& numbers)
{
    std::vector<RunId> runs;
    for (const QVariant& number : numbers.toList())
        runs.push_back(RunId { number.toLongLong() });
    return runs;
}

// Part of it must be on a screen, and its upper edge not above that, because the title bar is
// there.
bool isReachable(const QRect& window)
{
    const QList<QScreen*> screens = QGuiApplication::screens();
    return std::any_of(screens.begin(), screens.end(), [&](const QScreen* screen) {
        const QRect seen = screen->availableGeometry() & window;
        return seen.width() >= kGrip && seen.height() >= kGrip
            && screen->availableGeometry().top() <= window.top();
    });
}

} // namespace

QString windowMemoryFile()
{
    return QString::fromStdString((userConfigDirectory() / "workbench.ini").string());
}

WindowMemory::WindowMemory(RunLogFollower& follower)
    : m_follower(follower)
    , m_settings(windowMemoryFile(), QSettings::IniFormat)
{
}

void WindowMemory::keep(KeptState state)
{
    m_states.push_back(std::move(state));
}

void WindowMemory::keep(Page& page)
{
    for (KeptState& state : page.keptState())
        m_states.push_back(std::move(state));
    for (KeptRuns& runs : page.keptRuns())
        m_runs.push_back(std::move(runs));
}

void WindowMemory::remember()
{
    for (const KeptState& state : m_states)
        if (!state.ofLog)
            m_settings.setValue(state.key, state.take());
    rememberLog();
    m_settings.sync();
}

void WindowMemory::restore()
{
    for (const KeptState& state : m_states)
        // Without a stored value the part has the state that it was made with.
        if (const QVariant value = m_settings.value(state.key); value.isValid() && !state.ofLog)
            state.giveBack(value);
}

// What was not given back yet stays remembered as it is: the page does not have it.
void WindowMemory::rememberLog()
{
    if (m_log.isEmpty())
        return;
    for (const KeptState& state : m_states)
        if (state.ofLog)
            m_settings.setValue(m_log + state.key, state.take());
    for (const KeptRuns& kept : m_runs)
        if (!m_awaited.contains(kept.key))
            m_settings.setValue(m_log + kept.key, numbersOf(kept.take()));
}

// A page that needs the list of runs receives them with the first list, unless another log is open
// by then.
void WindowMemory::giveBack(const KeptRuns& kept, const std::vector<RunId>& runs)
{
    if (kept.when == KeptRuns::When::AtOnce)
        return kept.giveBack(runs);
    m_awaited.insert(kept.key);
    QObject::connect(
        &m_follower, &RunLogFollower::runsChanged, &m_alive,
        [this, kept, runs, log = m_follower.file()] {
            if (log != m_follower.file())
                return;
            m_awaited.erase(kept.key);
            kept.giveBack(runs);
        },
        Qt::SingleShotConnection);
}

// Without a group, remember() does not change the log's values while the pages are emptied.
void WindowMemory::closeLog()
{
    rememberLog();
    m_log.clear();
}

void WindowMemory::openLog(const std::filesystem::path& file)
{
    m_log = groupOf(file);
    forgetOldLogs();
    for (const KeptState& state : m_states)
        if (state.ofLog)
            state.giveBack(m_settings.value(m_log + state.key));
    for (const KeptRuns& kept : m_runs)
        giveBack(kept, runsOf(m_settings.value(m_log + kept.key)));
}

// Otherwise the file would grow with every log that was ever opened.
void WindowMemory::forgetOldLogs()
{
    QStringList logs = m_settings.value(kLogs).toStringList();
    logs.removeAll(m_log);
    logs.prepend(m_log);
    while (logs.size() > kMostLogs)
        m_settings.remove(logs.takeLast());
    m_settings.setValue(kLogs, logs);
}

QVariant placeOf(const QWidget& window)
{
    // A maximised window has the size of its screen; the size to return to is the normal one.
    const QRect place = window.isMaximized() ? window.normalGeometry() : window.geometry();
    return QVariantList { place, window.isMaximized() };
}

void putBack(QWidget& window, const QVariant& place)
{
    const QVariantList parts = place.toList();
    const QRect normal = parts.value(0).toRect();
    if (!normal.isValid())
        return;
    if (isReachable(normal))
        window.setGeometry(normal);
    else
        window.resize(normal.size());
    if (parts.value(1).toBool())
        // Starting from that position
        window.setWindowState(window.windowState() | Qt::WindowMaximized);
}

} // namespace accrue
