// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QRect>
#include <QSettings>
#include <QString>
#include <QVariant>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <vector>

class QWidget;

namespace accrue {

// What the window remembers from one start to the next: workbench.ini in the user's config
// directory. What is remembered is named once, with how to take and how to give it back. What means
// something in one run log only, such as a run's number, is kept for each of the last logs.
class WindowMemory {
public:
    using Take = std::function<QVariant()>;
    using GiveBack = std::function<void(const QVariant&)>;

    WindowMemory();

    QSettings& settings() { return m_settings; }
    void keep(const QString& key, Take take, GiveBack giveBack);
    // Of the log that is open. Where nothing is remembered of it, an invalid value is given back.
    void keepForLog(const QString& key, Take take, GiveBack giveBack);
    void remember(); // all, now
    void restore(); // in the order of keep; what is not remembered is left alone
    void closeLog(); // remembers what belongs to it; before any of that changes
    void openLog(const std::filesystem::path& file); // gives back what belongs to it

private:
    struct Item {
        QString key;
        Take take;
        GiveBack giveBack;
    };

    void rememberLog();
    void forgetOldLogs();

    QSettings m_settings;
    std::vector<Item> m_items;
    std::vector<Item> m_logItems;
    QString m_log; // the group of the open log; empty: none was opened yet
};

// The enumerator that was remembered by its number; of an odd one, the nearest there is.
template <typename Choice> Choice choiceOf(const QVariant& number, Choice last)
{
    return static_cast<Choice>(std::clamp(number.toInt(), 0, static_cast<int>(last)));
}

// A top-level window's place without its frame, so that what is read is what can be set, with a
// window manager or without: it comes back to the pixel. On a screen that is gone, only the size
// comes back.
QVariant placeOf(const QWidget& window);
void putBack(QWidget& window, const QVariant& place);

} // namespace accrue
