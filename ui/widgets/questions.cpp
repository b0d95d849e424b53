// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/questions.h"

#include "ui/widgets/icons.h"
#include "ui/widgets/theme.h"

#include <QInputDialog>
#include <QMessageBox>
#include <QPushButton>

#include <utility>

namespace accrue {

namespace {

constexpr int kIcon = 32;

// One value, not modal.
QInputDialog* makeInput(QWidget& window, const QString& title, const QString& sentence,
    const QString& yes, QInputDialog::InputMode mode)
{
    auto* dialog = new QInputDialog(&window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(title);
    dialog->setLabelText(sentence);
    dialog->setInputMode(mode);
    dialog->setOkButtonText(yes);
    dialog->setModal(false);
    return dialog;
}

} // namespace

QMessageBox* askQuestion(QWidget& window, const Question& question, std::function<void()> act)
{
    auto* box = new QMessageBox(
        QMessageBox::Question, question.title, question.sentence, QMessageBox::NoButton, &window);
    // Questions quote names of runs and files: a "<b>" in them is text.
    box->setTextFormat(Qt::PlainText);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setIconPixmap(iconPixmap(
        QLatin1String("warning"), themeColors().warning, kIcon, window.devicePixelRatioF()));
    box->setInformativeText(question.more);
    QPushButton* no = box->addButton(question.no, QMessageBox::RejectRole);
    // Return, pressed in a hurry, changes nothing.
    box->setDefaultButton(no);
    box->setEscapeButton(no);
    QPushButton* yes = box->addButton(question.yes, QMessageBox::AcceptRole);
    // The box is the context: after it is deleted, with its window, nothing is called any more.
    QObject::connect(yes, &QPushButton::clicked, box, std::move(act));
    box->setModal(false);
    box->show();
    return box;
}

void askCount(QWidget& window, const CountQuestion& question, std::function<void(int)> act)
{
    QInputDialog* dialog =
        makeInput(window, question.title, question.sentence, question.yes, QInputDialog::IntInput);
    dialog->setIntRange(question.least, question.most);
    dialog->setIntValue(question.proposed);
    QObject::connect(dialog, &QInputDialog::intValueSelected, dialog, std::move(act));
    dialog->show();
}

void askLine(
    QWidget& window, const LineQuestion& question, std::function<void(const QString& line)> act)
{
    QInputDialog* dialog =
        makeInput(window, question.title, question.sentence, question.yes, QInputDialog::TextInput);
    dialog->setTextValue(question.proposed);
    QObject::connect(dialog, &QInputDialog::textValueSelected, dialog, std::move(act));
    dialog->show();
}

} // namespace accrue
