// SPDX-License-Identifier: Apache-2.0
#include "ui/runs/counts_line.h"

#include "ui/models/format.h"
#include "ui/runs/run_list_view.h"
#include "ui/widgets/form_widgets.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/layouts.h"

#include <algorithm>

namespace accrue {

CountsLine::CountsLine(RunListView& list, QWidget* parent)
    : QWidget(parent)
    , m_list(list)
    , m_text(makeLabel("muted", {}, this))
    , m_uncheck(new QToolButton(this))
{
    m_text->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_text->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    m_uncheck->setIcon(themedIcon(QLatin1String("close")));
    m_uncheck->setIconSize({ 12, 12 });
    m_uncheck->setFixedSize(20, 20);
    m_uncheck->setAutoRaise(true);
    QSizePolicy keepsItsPlace = m_uncheck->sizePolicy();
    keepsItsPlace.setRetainSizeWhenHidden(true); // the text beside it must not move
    m_uncheck->setSizePolicy(keepsItsPlace);
    m_uncheck->setToolTip(tr("Uncheck all runs"));
    m_uncheck->setAccessibleName(tr("Uncheck all runs"));
    auto* layout = makeRow(this, { m_text, m_uncheck }, {}, 4);
    layout->setStretchFactor(m_text, 1);
    connect(m_uncheck, &QToolButton::clicked, this, [this] { m_list.runs().setChecked({}); });
    showCounts();
}

void CountsLine::showCounts()
{
    m_text->setText(textOf(m_list));
    m_uncheck->setVisible(!m_list.runs().checked().empty());
}

QString CountsLine::textOf(const RunListView& list)
{
    const int all = list.runs().rowCount();
    const auto shown = static_cast<int>(list.shown().matching().size());
    const std::vector<RunId>& checks = list.runs().checked();
    const auto away =
        std::ranges::count(checks, false, [&](RunId run) { return list.isShown(run); });
    if (all == 0)
        return {};
    QString text = countedText(all, tr("1 run"), tr("%1 runs"));
    if (shown != all)
        text =
            all == 1 ? tr("0 of 1 run") : tr("%1 of %2 runs").arg(countText(shown), countText(all));
    if (!checks.empty())
        text += QStringLiteral(" · ")
            + tr("%1 checked").arg(countText(static_cast<std::int64_t>(checks.size())));
    if (away > 0)
        text += tr(", %1 not shown").arg(countText(away));
    return text;
}

} // namespace accrue
