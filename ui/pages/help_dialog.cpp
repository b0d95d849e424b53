// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/help_dialog.h"

#include "ui/run/engine_host.h"

#include <QAction>
#include <QApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace accrue {

namespace {

QString tr(const char* text)
{
    return QApplication::translate("Help", text);
}

QString rowOf(const QString& left, const QString& right)
{
    return QStringLiteral("<tr><td style='padding:3px 24px 3px 0'><b>%1</b></td>"
                          "<td style='padding:3px 0'>%2</td></tr>")
        .arg(left.toHtmlEscaped(), right.toHtmlEscaped());
}

QString wordsTable()
{
    QString rows;
    rows += rowOf(tr("Effective batch B"), tr("samples in one update"));
    rows += rowOf(tr("Micro-batch b"), tr("samples in one forward and backward pass"));
    rows += rowOf(tr("Steps N"), tr("micro-batches accumulated into one update: B = b × N"));
    rows += rowOf(tr("Step"), tr("one update of the parameters, never a micro-batch"));
    rows += rowOf(tr("Tail"), tr("the smaller window that ends an epoch"));
    rows += rowOf(tr("= button"), tr("solves its number from the others"));
    return QStringLiteral("<h3>%1</h3><table>%2</table>").arg(tr("Words"), rows);
}

QString plain(QString text)
{
    return text.remove(QLatin1Char('&'));
}

void addShortcuts(const QMenu* menu, QString& rows)
{
    for (const QAction* action : menu->actions()) {
        if (action->menu() != nullptr)
            addShortcuts(action->menu(), rows);
        else if (!action->shortcut().isEmpty())
            rows +=
                rowOf(action->shortcut().toString(QKeySequence::NativeText), plain(action->text()));
    }
}

QString shortcutsTable(const QMenuBar* bar)
{
    QString tables;
    for (const QAction* menu : bar->actions()) {
        QString rows;
        if (menu->menu() != nullptr)
            addShortcuts(menu->menu(), rows);
        if (!rows.isEmpty())
            tables += QStringLiteral("<h3>%1</h3><table>%2</table>").arg(plain(menu->text()), rows);
    }
    return tables;
}

void show(QMainWindow* window, const QString& title, const QString& html, const QSize& size)
{
    auto* dialog = new QDialog(window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(title);
    dialog->resize(size);
    auto* layout = new QVBoxLayout(dialog);
    auto* text = new QTextBrowser(dialog);
    text->setHtml(html);
    text->setOpenExternalLinks(true);
    layout->addWidget(text);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
    layout->addWidget(buttons);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
    dialog->show();
}

} // namespace

void showHelp(QMainWindow* window)
{
    show(window, tr("Help and shortcuts"), wordsTable() + shortcutsTable(window->menuBar()),
        { 560, 600 });
}

void showAbout(QMainWindow* window, const EngineHost& engine)
{
    QString html = QStringLiteral("<h2>Accrue %1</h2><p>%2</p>")
                       .arg(QApplication::applicationVersion(),
                           tr("A workbench for training with gradient accumulation."));
    const QString torch = engine.state() == EngineHost::State::Ready
        ? tr("Engine: torch %1.").arg(QString::fromStdString(engine.versions().torch))
        : tr("Engine: not loaded.");
    html += QStringLiteral("<p>%1<br>%2</p>")
                .arg(torch, tr("Window: Qt %1.").arg(QString::fromLatin1(qVersion())));
    html += QStringLiteral("<p>%1</p>")
                .arg(tr("Accrue's own code is licensed under Apache-2.0. The workbench links Qt "
                        "Charts and is distributed as a program under GPL-3.0."));
    show(window, tr("About Accrue"), html, { 440, 280 });
}

} // namespace accrue
