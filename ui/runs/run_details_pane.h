// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runs/run_record.h"

#include <QFrame>
#include <QString>

#include <cstddef>
#include <optional>

class QLabel;
class QPlainTextEdit;
class QTextBrowser;

namespace accrue {

class RunCurves;
class RunSparklines;

// Everything about one run: how it ended, its note, curves, results, settings, versions.
class RunDetailsPane : public QFrame {
    Q_OBJECT
public:
    // `curves` is borrowed and outlives this.
    explicit RunDetailsPane(RunCurves& curves, QWidget* parent = nullptr);

    // Null: none is selected; `selected`: how many are, of which it is the first.
    void showRun(const RunRecord* run, std::size_t selected = 1);
    void forgetRun(); // another log: a note that was not saved belongs to no run there
    void editNote(); // gives the note the focus
    void setWhyNotWrite(const QString& why); // the note into the log; empty: it can be

Q_SIGNALS:
    void noteEdited(accrue::RunId run, const QString& note);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void render();
    void catchUp(); // applies what was deferred while it was hidden or text was selected
    void commitNote();
    bool isShortcutOfPage(const QKeyEvent& key) const;

    std::optional<RunRecord> m_run;
    std::size_t m_selected = 1;
    bool m_rendered = false; // m_run, as it is now, is what is shown
    std::optional<RunId> m_textOf;
    QString m_html; // in m_text
    QLabel* m_title;
    QLabel* m_state;
    RunSparklines* m_curves;
    QPlainTextEdit* m_note;
    QTextBrowser* m_text;
};

} // namespace accrue
