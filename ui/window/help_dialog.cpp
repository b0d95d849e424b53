// SPDX-License-Identifier: Apache-2.0
#include "ui/window/help_dialog.h"

#include "ui/actions/action_registry.h"
#include "ui/models/format.h"
#include "ui/run/engine_host.h"
#include "ui/widgets/text_dialog.h"

#include <QAction>
#include <QApplication>
#include <QDialog>
#include <QMainWindow>
#include <QTextBrowser>

#include <utility>
#include <vector>

namespace accrue {

namespace {

// Anchors of sections are digits, which no word of the help is, so that the two never collide.
QString anchorOf(HelpTopic topic)
{
    return QString::number(static_cast<int>(topic));
}

// The word is an anchor, too: F1 in a field of the form opens the help at its label.
QString rowOf(const QString& left, const QString& right)
{
    return QStringLiteral("<tr><td style='padding:3px 24px 3px 0'><a name='%1'></a><b>%1</b></td>"
                          "<td style='padding:3px 0'>%2</td></tr>")
        .arg(left.toHtmlEscaped(), right.toHtmlEscaped());
}

QString sectionOf(HelpTopic topic, const QString& title)
{
    QString table;
    for (const HelpWord& word : helpWords(topic))
        table += rowOf(word.word, word.meaning);
    return QStringLiteral("<h2><a name='%1'></a>%2</h2><table>%3</table>")
        .arg(anchorOf(topic), title.toHtmlEscaped(), table);
}

QString wordSections()
{
    return sectionOf(HelpTopic::Train, Ui::tr("Train")) + sectionOf(HelpTopic::Runs, Ui::tr("Runs"))
        + sectionOf(HelpTopic::Compare, Ui::tr("Compare"))
        + sectionOf(HelpTopic::Memory, Ui::tr("Memory"));
}

QString shortcutsSection(const ActionRegistry& registry)
{
    std::vector<std::pair<QString, QString>> groups; // title, rows; in the order of the menus
    for (const ActionRegistry::Entry& entry : registry.entries()) {
        if (groups.empty() || groups.back().first != entry.group)
            groups.emplace_back(entry.group, QString());
        if (!entry.action->shortcut().isEmpty())
            groups.back().second +=
                rowOf(entry.action->shortcut().toString(QKeySequence::NativeText), entry.title);
    }
    QString html =
        QStringLiteral("<h2><a name='%1'></a>%2</h2><p>%3</p>")
            .arg(anchorOf(HelpTopic::Preferences), Ui::tr("Shortcuts"),
                Ui::tr("Type a few letters in the command palette to find any action, recipe or "
                       "run. Shortcuts can be changed in Settings."));
    for (const auto& [title, rows] : groups)
        html += QStringLiteral("<h3>%1</h3><table>%2</table>").arg(title.toHtmlEscaped(), rows);
    return html;
}

// An open help dialog is closed: its shortcuts may be outdated, and nobody needs two.
QTextBrowser* show(
    QMainWindow* window, const QString& title, const QString& html, const QSize& size)
{
    for (QDialog* earlier : window->findChildren<QDialog*>(QString(), Qt::FindDirectChildrenOnly))
        if (earlier->windowTitle() == title)
            earlier->close();
    auto* text = new QTextBrowser(window);
    text->setHtml(html);
    text->setOpenExternalLinks(true);
    showTextDialog(*window, title, size, text);
    return text;
}

} // namespace

void showHelp(
    QMainWindow* window, const ActionRegistry& registry, HelpTopic topic, const QString& word)
{
    QTextBrowser* text = show(window, Ui::tr("Help and shortcuts"),
        wordSections() + shortcutsSection(registry), { 640, 600 });
    text->scrollToAnchor(isExplained(word) ? word : anchorOf(topic));
}

void showAbout(QMainWindow* window, const EngineHost& engine)
{
    const QString torch = engine.state() == EngineHost::State::Ready
        ? Ui::tr("Engine: torch %1.").arg(QString::fromStdString(engine.versions().torch))
        : Ui::tr("Engine: not loaded.");
    const QString html =
        QStringLiteral("<h2>Accrue %1</h2><p>%2</p><p>%3<br>%4</p><p>%5</p>")
            .arg(QApplication::applicationVersion(),
                Ui::tr("A workbench for training with gradient accumulation."), torch,
                Ui::tr("Window: Qt %1.").arg(QString::fromLatin1(qVersion())),
                Ui::tr("Accrue's own code is licensed under Apache-2.0. The workbench links Qt "
                       "Charts and is distributed as a program under GPL-3.0."));
    show(window, Ui::tr("About Accrue"), html, { 440, 280 });
}

} // namespace accrue
