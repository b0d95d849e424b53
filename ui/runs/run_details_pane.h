// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runs/run_record.h"

#include <QFrame>
#include <QString>

#include <optional>

class QLabel;
class QPlainTextEdit;
class QTextBrowser;

namespace accrue {

// Everything about one run: how it ended, its note, results, settings, versions.
class RunDetailsPane : public QFrame {
    Q_OBJECT
public:
    explicit RunDetailsPane(QWidget* parent = nullptr);

    void showRun(const RunRecord* run); // null: none is selected
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
    bool m_rendered = false; // m_run, as it is now, is what is shown
    std::optional<RunId> m_textOf;
    QString m_html; // in m_text
    QLabel* m_title;
    QLabel* m_state;
    QPlainTextEdit* m_note;
    QTextBrowser* m_text;
};

} // namespace accrue
