// SPDX-License-Identifier: Apache-2.0
#include "ui/compare/compare_pictures.h"

#include <QAction>
#include <QMenu>
#include <QTabWidget>
#include <QToolButton>

#include "ui/actions/make_action.h"
#include "ui/charts/metric_chart.h"
#include "ui/compare/compare_curves.h"
#include "ui/curves/curve_grid.h"
#include "ui/models/run_words.h"
#include "ui/widgets/chart_pictures.h"
#include "ui/widgets/form_widgets.h"
#include "ui/widgets/icons.h"

namespace accrue {

namespace {

constexpr QLatin1String kSvg(".svg");
constexpr QLatin1String kPng(".png");

} // namespace

ComparePictures::ComparePictures(QTabWidget& tabs, CompareCurves& curves, QWidget& page)
    : QObject(&page)
    , m_tabs(tabs)
    , m_curves(curves)
    , m_page(page)
    , m_save(makePageAction(page,
          { "save", tr("Save chart as picture…"), Qt::CTRL | Qt::SHIFT | Qt::Key_P,
              tr("Save the chart as SVG or PNG") },
          [this] { saveChart(kSvg); }))
    , m_copy(makePageAction(page,
          { "copy", tr("Copy picture"), Qt::CTRL | Qt::ALT | Qt::Key_C,
              tr("Copy the chart as a picture to the clipboard") },
          [this] { shown().chart()->copyPicture(); }))
{
}

void ComparePictures::offerFor(CompareTab& tab)
{
    connect(&tab, &CompareTab::pictureRequested, this, [this] { saveChart(kSvg); });
}

void ComparePictures::setRuns(const std::vector<RunId>& runs)
{
    m_runs = runs;
    for (QAction* action : { m_save, m_copy })
        action->setEnabled(!runs.empty() && shown().chart() != nullptr);
}

bool ComparePictures::showsCurves() const
{
    return m_tabs.currentWidget() == &m_curves;
}

CompareTab& ComparePictures::shown() const
{
    return *qobject_cast<CompareTab*>(m_tabs.currentWidget());
}

void ComparePictures::saveChart(QLatin1String kind)
{
    // "Loss, each step" as "loss"
    PicturedChart& chart = *shown().chart();
    const QString what = chart.title().section(QLatin1Char(','), 0, 0).toLower();
    askAndSavePicture(m_page, chart,
        QStringLiteral("%1-%2").arg(
            fileNameOf(m_runs), QString(what).replace(QLatin1Char(' '), QLatin1Char('-'))),
        kind);
}

void ComparePictures::saveAllCharts(QLatin1String kind)
{
    const std::vector<MetricChart*> charts = m_curves.grid().charts();
    askAndSaveCharts(m_page, *m_curves.grid().widget(), { charts.begin(), charts.end() },
        fileNameOf(m_runs) + QStringLiteral("-curves"), kind);
}

QToolButton* ComparePictures::makeButton(const QList<QAction*>& tables, QWidget* parent)
{
    QToolButton* const button = makeFramedButton(nullptr, parent);
    button->setText(tr("Export"));
    button->setIcon(themedIcon(QLatin1String("export")));
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setPopupMode(QToolButton::InstantPopup);
    button->setAccessibleName(tr("Export"));
    button->setToolTip(tr("Save charts, series, table or a report of these runs"));
    auto* const menu = new QMenu(button);
    using Save = void (ComparePictures::*)(QLatin1String);
    const auto offer = [&](const QString& text, Save save, QLatin1String kind) {
        QAction* const action =
            menu->addAction(text, this, [this, save, kind] { (this->*save)(kind); });
        connect(menu, &QMenu::aboutToShow, action, [this, action, save] {
            action->setVisible(
                save == &ComparePictures::saveChart ? m_save->isEnabled() : showsCurves());
        });
    };
    offer(tr("All charts as PNG…"), &ComparePictures::saveAllCharts, kPng);
    offer(tr("All charts as SVG…"), &ComparePictures::saveAllCharts, kSvg);
    offer(tr("Chart as PNG…"), &ComparePictures::saveChart, kPng);
    offer(tr("Chart as SVG…"), &ComparePictures::saveChart, kSvg);
    menu->addAction(m_copy);
    menu->addSeparator();
    menu->addActions(tables);
    button->setMenu(menu);
    return button;
}

} // namespace accrue
