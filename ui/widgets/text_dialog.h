// SPDX-License-Identifier: Apache-2.0
#pragma once

class QDialogButtonBox;
class QSize;
class QString;
class QWidget;

namespace accrue {

// Shows `text` above a Close button in a dialog of `window` that is not modal, called `title` and
// at first of that size. Closing it deletes it with its text. Returns the box of Close, for more
// buttons.
QDialogButtonBox* showTextDialog(
    QWidget& window, const QString& title, const QSize& size, QWidget* text);

} // namespace accrue
