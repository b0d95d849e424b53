// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/text_dialog.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QVBoxLayout>

namespace accrue {

QDialogButtonBox* showTextDialog(
    QWidget& window, const QString& title, const QSize& size, QWidget* text)
{
    auto* dialog = new QDialog(&window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(title);
    dialog->resize(size);
    text->setAccessibleName(title);
    auto* layout = new QVBoxLayout(dialog);
    layout->addWidget(text); // before the buttons, so that it receives the focus first
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
    layout->addWidget(buttons);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
    dialog->show();
    return buttons;
}

} // namespace accrue
