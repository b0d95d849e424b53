// SPDX-License-Identifier: Apache-2.0
#include "ui/memory/layers_card.h"

#include "ui/charts/bar_chart.h"
#include "ui/models/format.h"
#include "ui/models/memory_words.h"
#include "ui/widgets/form_widgets.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/reserved_label.h"

#include <QLabel>
#include <QScrollArea>

#include <utility>
#include <vector>

namespace accrue {

LayersCard::LayersCard(QWidget* parent)
    : QFrame(parent)
    , m_summary(new ReservedLabel(/*characters=*/56, this))
    , m_chart(new BarChart)
{
    setProperty("card", true);
    QLabel* const title = makeLabel("section", tr("Activations by layer"), this);
    title->setToolTip(categoryMeaning(MemoryCategory::Activations));
    m_summary->setProperty("role", QLatin1String("muted"));
    m_chart->setAccessibleName(tr("Activations by layer"));
    m_chart->setEmptyText(tr("The layers of this window were not profiled."));
    auto* scroll = new QScrollArea(this);
    scroll->setAccessibleName(tr("Activations by layer"));
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(m_chart);
    // Transparent: the background of the card is visible.
    scroll->viewport()->setAutoFillBackground(false);
    m_chart->setAutoFillBackground(false);
    makeColumn(this, { title, m_summary, scroll }, { 12, 8, 12, 8 }, 4)->setStretch(2, 1);
}

void LayersCard::showWindow(const MemoryMeasured& window, Background background)
{
    const QColor color = categoryColor(MemoryCategory::Activations, background);
    // Of the forward pass that stores the most: activations of different micro-batches are never
    // alive together, so that a sum over the window would be a number that no device ever held.
    const PhaseMemory* const forward = mostKept(window);
    std::vector<BarChart::Bar> bars;
    std::int64_t all = 0;
    if (forward != nullptr)
        for (const LayerBytes& layer : forward->kept) {
            const bool none = layer.layer.empty();
            bars.push_back({ none ? tr("no layer") : QString::fromStdString(layer.layer),
                static_cast<double>(layer.bytes), bytesText(layer.bytes), color,
                none ? tr("Stored outside the model's layers, for example by the loss")
                     : QString() });
            all += layer.bytes;
        }
    m_summary->setText(all == 0 || forward->samples == 0
            ? QString()
            : tr("%1 stored for the backward pass, %2 per sample")
                  .arg(bytesText(all), bytesText(all / forward->samples)));
    m_chart->setBars(std::move(bars));
}

} // namespace accrue
