// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QBoxLayout>

#include <initializer_list>

namespace accrue {

// `parts` beside or below each other, `gap` pixels apart, without margins unless specified. The
// layout is that of `owner`; null: it is for another layout.
QHBoxLayout* makeRow(QWidget* owner, std::initializer_list<QWidget*> parts = {},
    const QMargins& margins = {}, int gap = 8);
QVBoxLayout* makeColumn(QWidget* owner, std::initializer_list<QWidget*> parts = {},
    const QMargins& margins = {}, int gap = 8);

} // namespace accrue
