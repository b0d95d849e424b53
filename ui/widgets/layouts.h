// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QBoxLayout>

#include <initializer_list>

namespace accrue {

// `parts` beside or below each other, `gap` pixels apart, without margins unless said. `owner` is
// laid out by it; null: it goes into another layout.
QHBoxLayout* makeRow(QWidget* owner, std::initializer_list<QWidget*> parts = {},
    const QMargins& margins = {}, int gap = 8);
QVBoxLayout* makeColumn(QWidget* owner, std::initializer_list<QWidget*> parts = {},
    const QMargins& margins = {}, int gap = 8);

} // namespace accrue
