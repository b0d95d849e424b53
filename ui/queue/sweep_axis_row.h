// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/experiment.h"
#include "engine/experiment/keys.h"
#include "engine/sweep/sweep_axis.h"

#include <QWidget>

#include <optional>
#include <string>

class QLineEdit;
class QToolButton;

namespace accrue {

class SearchedBox;

// A key of a sweep and the values that it has: one line of the sweep's form. GUI thread.
class SweepAxisRow : public QWidget {
    Q_OBJECT
public:
    SweepAxisRow(const std::string& key, const QString& values, QWidget* parent = nullptr);

    std::string key() const;
    QString values() const;
    QLineEdit* valuesEdit() const { return m_values; }
    SearchedBox* keyBox() const { return m_key; }
    QToolButton* removeButton() const { return m_remove; }
    // Marks what is wrong with it; empty: nothing.
    void showProblem(const QString& problem);
    // Suggests values for the key: those around the one of the experiment, or all choices.
    void suggestFor(const Experiment& experiment);

Q_SIGNALS:
    void edited();
    void keyChosen(); // by a person
    void removed();

private:
    void fillKeys();
    void fillKeysOf(KeySection section);
    void showHelp();

    SearchedBox* m_key;
    QLineEdit* m_values;
    QToolButton* m_remove;
};

} // namespace accrue
