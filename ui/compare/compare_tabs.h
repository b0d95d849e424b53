// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/compare/compare_tab.h"

#include <QTabWidget>

#include <vector>

namespace accrue {

// The tabs of a comparison. All of them are told what is compared, and one of them is shown. GUI
// thread.
class CompareTabs : public QTabWidget {
    Q_OBJECT
public:
    // Ctrl+Tab shows the next tab from anywhere on the page.
    explicit CompareTabs(QWidget* page = nullptr);

    // Takes the tab; `name` is the tab's in the stored state.
    void add(CompareTab* tab, const char* name, const QString& title);
    const std::vector<CompareTab*>& all() const { return m_all; } // in their order
    CompareTab& shown() const; // there must be one
    // False: the page is hidden, and with it all of them.
    void setAsking(bool asking);

    QJsonObject state() const; // of all, and which one is shown
    void restore(const QJsonObject& state);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    std::vector<CompareTab*> m_all;
};

} // namespace accrue
