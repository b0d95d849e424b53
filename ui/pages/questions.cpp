// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/questions.h"

#include "ui/pages/icons.h"
#include "ui/pages/theme.h"

#include <QInputDialog>
#include <QMessageBox>
#include <QPushButton>

#include <utility>

namespace accrue {

namespace {

constexpr int kIcon = 32;

} // namespace

QMessageBox* askQuestion(QWidget& window, const Question& question, std::function<void()> act)
{
    auto* box = new QMessageBox(
        QMessageBox::Question, question.title, question.sentence, QMessageBox::NoButton, &window);
    box->setTextFormat(Qt::PlainText);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setIconPixmap(iconPixmap(
        QLatin1String("warning"), themeColors().warning, kIcon, window.devicePixelRatioF()));
    box->setInformativeText(question.more);
    QPushButton* no = box->addButton(question.no, QMessageBox::RejectRole);
    box->setDefaultButton(no);
    box->setEscapeButton(no);
    QPushButton* yes = box->addButton(question.yes, QMessageBox::AcceptRole);
    QObject::connect(yes, &QPushButton::clicked, box, std::move(act));
    box->setModal(false);
    box->show();
    return box;
}

void askCount(QWidget& window, const CountQuestion& question, std::function<void(int)> act)
{
    auto* dialog = new QInputDialog(&window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(question.title);
    dialog->setLabelText(question.sentence);
    dialog->setInputMode(QInputDialog::IntInput);
    dialog->setIntRange(question.least, question.most);
    dialog->setIntValue(question.proposed);
    dialog->setOkButtonText(question.yes);
    QObject::connect(dialog, &QInputDialog::intValueSelected, dialog, std::move(act));
    dialog->setModal(false);
    dialog->show();
}

} // namespace accrue
