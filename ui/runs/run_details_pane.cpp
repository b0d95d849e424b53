// SPDX-License-Identifier: Apache-2.0
#include "ui/runs/run_details_pane.h"

#include <QAction>
#include <QEvent>
#include <QKeyEvent>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QTextBrowser>

#include "ui/models/format.h"
#include "ui/models/run_details.h"
#include "ui/models/run_words.h"
#include "ui/runs/run_sparklines.h"
#include "ui/widgets/form_widgets.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/theme.h"

#include <utility>

// The pane receives its run with every list of the follower, five times a second while a run is
// live. So it renders only while it is visible, sets the text only if it differs, and defers a
// change while text is selected. The note is the one part that is edited here: what is being typed
// is not replaced by the log's text.

namespace accrue {

namespace {

QString tableOf(const std::vector<DetailSection>& sections)
{
    const ThemeColors& colors = themeColors();
    // pre-wrap: otherwise HTML would break the line at the thin space within a number.
    QString html = QStringLiteral("<table width='100%' cellspacing='0' cellpadding='2'>");
    for (const DetailSection& section : sections) {
        if (section.rows.empty())
            continue;
        html += QStringLiteral("<tr><td colspan='2' style='padding-top:12px'><b>%1</b></td></tr>")
                    .arg(section.title.toHtmlEscaped());
        for (const auto& [title, value] : section.rows)
            html += QStringLiteral("<tr><td style='color:%1; padding-right:10px'>%2</td>"
                                   "<td style='white-space:pre-wrap'>%3</td></tr>")
                        .arg(colors.muted.name(), title.toHtmlEscaped(), value.toHtmlEscaped());
    }
    return html + QStringLiteral("</table>");
}

// With the sections, not above the note, which would move when the run ends.
QString messageOf(const RunRecord& run)
{
    if (run.message.empty())
        return {};
    const bool bad = run.outcome && isFailure(*run.outcome);
    return QStringLiteral("<p style='color:%1'>%2</p>")
        .arg((bad ? themeColors().error : themeColors().muted).name(),
            QString::fromStdString(run.message.text()).toHtmlEscaped());
}

} // namespace

RunDetailsPane::RunDetailsPane(RunCurves& curves, QWidget* parent)
    : QFrame(parent)
    , m_title(makeLabel("section", {}, this))
    , m_state(makeLabel("muted", {}, this))
    , m_curves(new RunSparklines(curves, this))
    , m_note(new QPlainTextEdit(this))
    , m_text(new QTextBrowser(this))
{
    setProperty("card", true);
    setUpSentences(*m_title);
    m_note->setPlaceholderText(tr("Note"));
    m_note->setAccessibleName(tr("Note"));
    // Tab leaves the note as it leaves every other field; nobody needs tabs in it.
    m_note->setTabChangesFocus(true);
    m_note->setFixedHeight(3 * fontMetrics().lineSpacing() + 14);
    m_note->installEventFilter(this);
    m_text->setObjectName(QStringLiteral("detailsText"));
    m_text->setAccessibleName(tr("Run details"));
    m_text->setOpenLinks(false);
    m_text->viewport()->installEventFilter(this);

    auto* layout =
        makeColumn(this, { m_title, m_state, m_curves, m_note, m_text }, { 12, 12, 8, 8 }, 6);
    layout->setStretchFactor(m_text, 1);
    layout->addStretch(0); // without a run, the title stays at the top
    render();
}

// The note of the run before is committed first, even if the field still has the focus: the
// selection follows the newest run by itself.
void RunDetailsPane::showRun(const RunRecord* run, std::size_t selected)
{
    m_selected = selected;
    const bool other = !run || !m_run || run->id != m_run->id;
    if (other)
        commitNote();
    m_run = run ? std::optional(*run) : std::nullopt;
    const QString note = run ? QString::fromStdString(run->note) : QString();
    if (note != m_note->toPlainText() && (other || !m_note->hasFocus()))
        m_note->setPlainText(note);
    m_rendered = false;
    catchUp();
}

void RunDetailsPane::forgetRun()
{
    m_run.reset();
    m_textOf.reset(); // another log's run may have its number
    showRun(nullptr);
}

void RunDetailsPane::render()
{
    m_rendered = true;
    for (QWidget* each : std::initializer_list<QWidget*> { m_state, m_curves, m_note, m_text })
        each->setVisible(m_run.has_value());
    if (!m_run) {
        m_title->setText(tr("No run selected"));
        return;
    }
    m_title->setText(runTitle(*m_run));
    m_curves->showRun(&*m_run);
    const QString state = tr("%1 · %2").arg(stateText(*m_run), timeText(m_run->createdMs));
    m_state->setText(m_selected < 2 ? state
                                    : tr("First of the %1 selected runs")
                                          .arg(countText(static_cast<std::int64_t>(m_selected))));
    const QString html = messageOf(*m_run) + tableOf(detailsOf(*m_run));
    const bool other = std::exchange(m_textOf, m_run->id) != m_run->id;
    // Text that is selected for copying remains until nothing is selected.
    m_rendered = html == m_html || other || !m_text->textCursor().hasSelection();
    if (html == m_html || !m_rendered)
        return;
    m_html = html;
    // A new text would scroll back to the beginning, for a live run five times a second.
    const int scrolled = other ? 0 : m_text->verticalScrollBar()->value();
    m_text->setHtml(html);
    m_text->verticalScrollBar()->setValue(scrolled);
}

void RunDetailsPane::editNote()
{
    m_note->setFocus(Qt::ShortcutFocusReason);
    m_note->selectAll();
}

void RunDetailsPane::setWhyNotWrite(const QString& why)
{
    m_note->setReadOnly(!why.isEmpty());
    m_note->setToolTip(why);
}

// m_run is changed at once, so that leaving the field after Ctrl+Enter does not request it twice.
void RunDetailsPane::commitNote()
{
    if (!m_run)
        return;
    const QString note = m_note->toPlainText().trimmed();
    if (note == QString::fromStdString(m_run->note))
        return;
    m_run->note = note.toStdString();
    Q_EMIT noteEdited(m_run->id, note);
}

// Whether the keys are a shortcut of the page or of its parents. Keys of the keypad count as their
// twins: Enter as Return, digits without the modifier.
bool RunDetailsPane::isShortcutOfPage(const QKeyEvent& key) const
{
    const auto modifiers = key.modifiers() & ~Qt::KeypadModifier;
    const bool keypad = key.key() == Qt::Key_Enter;
    const QKeySequence pressed(
        QKeyCombination(modifiers, keypad ? Qt::Key_Return : static_cast<Qt::Key>(key.key())));
    for (const QWidget* page = parentWidget(); page != nullptr; page = page->parentWidget())
        for (const QAction* action : page->actions())
            if (action->shortcutContext() == Qt::WidgetWithChildrenShortcut
                && action->shortcuts().contains(pressed))
                return true;
    return false;
}

bool RunDetailsPane::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_text->viewport() && event->type() == QEvent::MouseButtonRelease)
        // After the click, which may have ended the selection; not during a drag.
        QMetaObject::invokeMethod(this, &RunDetailsPane::catchUp, Qt::QueuedConnection);
    if (watched == m_note && event->type() == QEvent::FocusOut)
        commitNote();
    if (watched == m_note && event->type() == QEvent::ShortcutOverride
        && isShortcutOfPage(*static_cast<QKeyEvent*>(event)))
        event->accept(); // keys belong to the note while it is being written
    if (watched == m_note && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool enter = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
        if (enter && key->modifiers().testFlag(Qt::ControlModifier)) {
            commitNote();
            return true;
        }
        if (key->key() == Qt::Key_Escape && m_run) { // as it was
            m_note->setPlainText(QString::fromStdString(m_run->note));
            return true;
        }
    }
    return QFrame::eventFilter(watched, event);
}

// Laying out the text costs more than everything else while a run is live: only while it is
// visible.
void RunDetailsPane::catchUp()
{
    if (!m_rendered && isVisible())
        render();
}

void RunDetailsPane::changeEvent(QEvent* event)
{
    QFrame::changeEvent(event);
    if (event->type() != QEvent::PaletteChange)
        return;
    m_rendered = false; // colours are part of the HTML
    catchUp();
}

void RunDetailsPane::showEvent(QShowEvent* event)
{
    QFrame::showEvent(event);
    catchUp();
}

} // namespace accrue
