// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/layouts.h"

namespace accrue {

namespace {

template <typename Layout>
Layout* filled(
    QWidget* owner, std::initializer_list<QWidget*> parts, const QMargins& margins, int gap)
{
    auto* layout = new Layout(owner);
    layout->setContentsMargins(margins);
    layout->setSpacing(gap);
    for (QWidget* part : parts)
        layout->addWidget(part);
    return layout;
}

} // namespace

QHBoxLayout* makeRow(
    QWidget* owner, std::initializer_list<QWidget*> parts, const QMargins& margins, int gap)
{
    return filled<QHBoxLayout>(owner, parts, margins, gap);
}

QVBoxLayout* makeColumn(
    QWidget* owner, std::initializer_list<QWidget*> parts, const QMargins& margins, int gap)
{
    return filled<QVBoxLayout>(owner, parts, margins, gap);
}

} // namespace accrue
