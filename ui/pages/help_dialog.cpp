// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/help_dialog.h"

#include "ui/pages/action_registry.h"
#include "ui/run/engine_host.h"

#include <QAction>
#include <QApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QMainWindow>
#include <QTextBrowser>
#include <QVBoxLayout>

#include <utility>
#include <vector>

namespace accrue {

namespace {

class Text {
    Q_DECLARE_TR_FUNCTIONS(Help)
};

QString rowOf(const QString& left, const QString& right)
{
    return QStringLiteral("<tr><td style='padding:3px 24px 3px 0'><b>%1</b></td>"
                          "<td style='padding:3px 0'>%2</td></tr>")
        .arg(left.toHtmlEscaped(), right.toHtmlEscaped());
}

// Its anchor is the number of its topic.
QString sectionOf(
    HelpTopic topic, const QString& title, const std::vector<std::pair<QString, QString>>& rows)
{
    QString table;
    for (const auto& [word, meaning] : rows)
        table += rowOf(word, meaning);
    return QStringLiteral("<h2><a name='%1'></a>%2</h2><table>%3</table>")
        .arg(QString::number(static_cast<int>(topic)), title.toHtmlEscaped(), table);
}

QString trainWords()
{
    return sectionOf(HelpTopic::Train, Text::tr("Train"),
        {
            { Text::tr("Effective batch B"), Text::tr("Samples in one update of the parameters.") },
            { Text::tr("Micro-batch b"),
                Text::tr("Samples in one forward and backward pass. It decides how much memory "
                         "training needs.") },
            { Text::tr("Accumulation steps N"),
                Text::tr("Micro-batches whose gradients are added up for one update: B = b × N.") },
            { Text::tr("Devices W"),
                Text::tr("Devices that share an effective batch: B = b × N × W.") },
            { Text::tr("Window"),
                Text::tr("The N micro-batches between two updates. The parameters change once per "
                         "window.") },
            { Text::tr("Step"),
                Text::tr("One update, at the end of a window; never a micro-batch.") },
            { Text::tr("Tail"),
                Text::tr("The last window of an epoch, where the samples left are fewer than B.") },
            { Text::tr("Last partial batch"),
                Text::tr("What becomes of the tail. Use it (flush): one update from the mean over "
                         "its samples. Drop it: no update. Carry over: the next epoch fills the "
                         "window.") },
            { Text::tr("Gradient reduction"),
                Text::tr("Mean over the effective batch: every sample counts the same, as in one "
                         "large batch. Sum of micro-batch means: the gradient grows with N.") },
            { Text::tr("Scale learning rate with N"),
                Text::tr("With a schedule of N, the learning rate follows the effective batch. "
                         "Linear: twice the batch, twice the rate. Square root: √2 times.") },
            { Text::tr("BatchNorm momentum, corrected"),
                Text::tr("BatchNorm updates its running statistics N times per step. “Corrected” "
                         "gives a whole window the weight of one update.") },
            { Text::tr("= button"), Text::tr("Solves its number from the others.") },
        });
}

QString runsWords()
{
    return sectionOf(HelpTopic::Runs, Text::tr("Runs"),
        {
            { Text::tr("Search"),
                Text::tr("Words that a run must hold, and conditions with = != < <= > >=, such as "
                         "state=completed b<=32 accuracy>0.98. Each must be true.") },
            { Text::tr("Check"),
                Text::tr("Checked runs are those that Compare and Export use. Space checks the "
                         "selected runs.") },
            { Text::tr("Open"), Text::tr("Shows the curves of the run on the Train page.") },
            { Text::tr("Resume"),
                Text::tr("Continues a run exactly where its last checkpoint was saved.") },
            { Text::tr("Interrupted"),
                Text::tr("The program ended before the run did. Everything logged is kept.") },
            { Text::tr("Archive"), Text::tr("Hides a run from the list. Nothing is deleted.") },
        });
}

QString compareWords()
{
    return sectionOf(HelpTopic::Compare, Text::tr("Compare"),
        {
            { Text::tr("Equivalent"),
                Text::tr("Two runs do the same training: their losses differ by rounding only, "
                         "although b and N differ.") },
            { Text::tr("Smoothing"),
                Text::tr("An exponential moving average. The measured curve stays faint behind "
                         "it.") },
            { Text::tr("Legend"),
                Text::tr("A run's number and the settings in which it differs from the others.") },
            { Text::tr("Best"),
                Text::tr("The best value of a metric and the step that it was measured at.") },
        });
}

QString memoryWords()
{
    return sectionOf(HelpTopic::Memory, Text::tr("Memory"),
        {
            { Text::tr("Memory model"),
                Text::tr("Peak memory as a function of the micro-batch, fitted to a few measured "
                         "windows: peak = constant + b × bytes per sample.") },
            { Text::tr("Peak memory"),
                Text::tr("The most that was allocated at once, as the allocator counts it.") },
            { Text::tr("Transient memory"),
                Text::tr("What is allocated and freed within a window, mostly activations. The "
                         "rest is constant: parameters, gradients, optimizer state, data.") },
            { Text::tr("Activations"),
                Text::tr("Results of the forward pass that the backward pass needs. They grow with "
                         "b, not with N.") },
            { Text::tr("Workspace"), Text::tr("Scratch memory of a single operation.") },
            { Text::tr("Memory budget"),
                Text::tr("A limit to plan for, such as a smaller card that is emulated.") },
        });
}

QString shortcutsTables(const ActionRegistry& registry)
{
    std::vector<std::pair<QString, QString>> groups; // title, rows; in the order of the menus
    for (const ActionRegistry::Entry& entry : registry.entries()) {
        if (groups.empty() || groups.back().first != entry.group)
            groups.emplace_back(entry.group, QString());
        if (!entry.action->shortcut().isEmpty())
            groups.back().second +=
                rowOf(entry.action->shortcut().toString(QKeySequence::NativeText), entry.title);
    }
    QString tables;
    for (const auto& group : groups)
        tables += QStringLiteral("<h3>%1</h3><table>%2</table>")
                      .arg(group.first.toHtmlEscaped(), group.second);
    return tables;
}

QString shortcutsSection(const ActionRegistry& registry)
{
    const QString words =
        Text::tr("The command palette finds every action, recipe and run by a few typed letters. "
                 "Shortcuts are changed in the settings.");
    return QStringLiteral("<h2><a name='%1'></a>%2</h2><p>%3</p>")
               .arg(QString::number(static_cast<int>(HelpTopic::Preferences)),
                   Text::tr("Shortcuts"), words)
        + shortcutsTables(registry);
}

QTextBrowser* show(
    QMainWindow* window, const QString& title, const QString& html, const QSize& size)
{
    for (QDialog* earlier : window->findChildren<QDialog*>(QString(), Qt::FindDirectChildrenOnly))
        if (earlier->windowTitle() == title)
            earlier->close();
    auto* dialog = new QDialog(window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(title);
    dialog->resize(size);
    auto* layout = new QVBoxLayout(dialog);
    auto* text = new QTextBrowser(dialog);
    text->setAccessibleName(title);
    text->setHtml(html);
    text->setOpenExternalLinks(true);
    layout->addWidget(text);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
    layout->addWidget(buttons);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
    dialog->show();
    return text;
}

} // namespace

void showHelp(QMainWindow* window, const ActionRegistry& registry, HelpTopic topic)
{
    QTextBrowser* text = show(window, Text::tr("Help and shortcuts"),
        trainWords() + runsWords() + compareWords() + memoryWords() + shortcutsSection(registry),
        { 640, 600 });
    text->scrollToAnchor(QString::number(static_cast<int>(topic)));
}

void showAbout(QMainWindow* window, const EngineHost& engine)
{
    QString html = QStringLiteral("<h2>Accrue %1</h2><p>%2</p>")
                       .arg(QApplication::applicationVersion(),
                           Text::tr("A workbench for training with gradient accumulation."));
    const QString torch = engine.state() == EngineHost::State::Ready
        ? Text::tr("Engine: torch %1.").arg(QString::fromStdString(engine.versions().torch))
        : Text::tr("Engine: not loaded.");
    html += QStringLiteral("<p>%1<br>%2</p>")
                .arg(torch, Text::tr("Window: Qt %1.").arg(QString::fromLatin1(qVersion())));
    html +=
        QStringLiteral("<p>%1</p>")
            .arg(Text::tr("Accrue's own code is licensed under Apache-2.0. The workbench links Qt "
                          "Charts and is distributed as a program under GPL-3.0."));
    show(window, Text::tr("About Accrue"), html, { 440, 280 });
}

} // namespace accrue
