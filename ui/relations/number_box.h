// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/compare/number_columns.h"
#include "ui/choices/searched_box.h"

#include <string>
#include <utility>
#include <vector>

namespace accrue {

// Chooses one of the numbers of runs, which are listed by kind, and before them one of some choices
// of its own; typing finds one. What was chosen is remembered while the runs do not have it. GUI
// thread.
class NumberBox : public SearchedBox {
    Q_OBJECT
public:
    using Choices = std::vector<std::pair<std::string, QString>>; // name and title
    explicit NumberBox(const QString& purpose, QWidget* parent = nullptr);

    // Those that differ between the runs, and the chosen one; emits nothing.
    void offer(const std::vector<NumberColumn>& numbers, const Choices& before = {});
    // The first of `usual` that is offered is chosen as long as the user has chosen nothing.
    void setUsual(std::vector<std::string> usual) { m_usual = std::move(usual); }
    void choose(const std::string& name); // empty: the usual one; emits nothing
    const std::string& chosen() const { return m_chosen; } // by the user; empty: nothing
    std::string shown() const; // empty: nothing is offered

Q_SIGNALS:
    void changed(); // by the user

private:
    void fill(const Choices& before, const std::vector<const NumberColumn*>& numbers);
    void showChoice();

    std::vector<std::string> m_usual;
    std::string m_chosen;
    QStringList m_offered; // names and titles, to see what has changed
};

} // namespace accrue
