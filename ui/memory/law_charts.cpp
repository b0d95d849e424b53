// SPDX-License-Identifier: Apache-2.0
#include "ui/memory/law_charts.h"

#include "ui/charts/metric_chart.h"
#include "ui/models/format.h"
#include "ui/models/law_words.h"
#include "ui/models/run_palette.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/reserved_label.h"
#include "ui/widgets/theme.h"

#include <QTabBar>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace accrue {

namespace {

constexpr double kNearLimit = 2; // times the highest peak, up to which a limit is drawn beside N
constexpr double kFree = std::numeric_limits<double>::quiet_NaN();

ChartCurve formula(const QString& title, const QColor& color, Qt::PenStyle line,
    const std::vector<SeriesPoint>& points)
{
    return { .title = title, .color = color, .line = line, .points = points, .isFormula = true };
}

std::vector<ChartCurve> curvesOf(const LawPicture& picture, Background ground)
{
    const QColor line = seriesColor(0, ground);
    return { formula(LawCharts::tr("memory model"), line, Qt::SolidLine, picture.within),
        formula(LawCharts::tr("memory model, extrapolated"), line, Qt::DashLine, picture.beyond),
        formula({}, line, Qt::DashLine, picture.below),
        { .title = LawCharts::tr("measured"),
            .color = seriesColor(1, ground),
            .line = Qt::NoPen,
            .points = picture.measured } };
}

ChartRibbon bandOf(const LawPicture& picture, Background ground)
{
    ChartRibbon band { .color = seriesColor(0, ground), .edges = {} };
    band.color.setAlpha(60);
    band.edges.reserve(picture.band.size());
    for (const LawPicture::Band& each : picture.band)
        band.edges.push_back({ each.micro, each.low, each.high });
    return band;
}

ChartMarker markerAt(std::int64_t micro, const QString& text, const QColor& color)
{
    return { static_cast<double>(micro), text, color, text };
}

std::vector<ChartMarker> markersOf(const CardAnswer& card, const std::optional<BatchPlan>& now)
{
    std::vector<ChartMarker> markers;
    if (card.micro > 0) {
        const QString words = card.proved
            ? LawCharts::tr("b = %1 fits: verified with a real window")
            : card.isAll    ? LawCharts::tr("b = %1, all samples: predicted")
            : card.isWindow ? LawCharts::tr("b = %1 = B: predicted")
                            : LawCharts::tr("b = %1 fits: predicted");
        markers.push_back(
            markerAt(card.micro, words.arg(countText(card.micro)), themeColors().good));
    }
    // Muted: the form's b is a place to compare with, not a result of the model.
    if (now)
        markers.push_back(markerAt(now->micro,
            LawCharts::tr("b = %1 in the form").arg(countText(now->micro)), themeColors().muted));
    return markers;
}

// N micro-batches as they were measured, and one of as many samples.
std::vector<ChartCurve> stepsCurvesOf(const MemoryFit& fit, Background ground)
{
    const QString samples = samplesText(fit.stepsMicro);
    ChartCurve measured { .title = LawCharts::tr("measured: N micro-batches of %1").arg(samples),
        .color = seriesColor(1, ground),
        .points = {} };
    ChartCurve computed { .title =
                              LawCharts::tr("computed: one micro-batch of N × %1").arg(samples),
        .color = seriesColor(0, ground),
        .line = Qt::DashLine,
        .points = {} };
    for (const StepsPoint& point : fit.steps) {
        const auto steps = static_cast<double>(point.steps);
        // The memory of the same samples as one micro-batch: the line that accumulation avoids.
        const std::int64_t whole = peakWithoutAccumulation(fit, fit.stepsMicro * point.steps);
        measured.points.push_back({ steps, static_cast<double>(point.peakBytes) });
        computed.points.push_back({ steps, static_cast<double>(whole) });
    }
    return { std::move(measured), std::move(computed) };
}

double highestOf(const ChartCurve& curve)
{
    double highest = 0;
    for (const SeriesPoint& point : curve.points)
        highest = std::max(highest, point.y);
    return highest;
}

// The same data keeps its axes, and a zoom into it; other data resets both.
void draw(MetricChart& chart, std::vector<ChartCurve> curves, std::vector<ChartLevel> levels)
{
    const bool same =
        std::ranges::equal(curves, chart.curves(), {}, &ChartCurve::points, &ChartCurve::points)
        && std::ranges::equal(levels, chart.levels(), {}, &ChartLevel::y, &ChartLevel::y);
    // The axes have grown from the curves of before, which may be those of another model. The same
    // data keeps its axes, and a zoom into it, when a measurement begins or ends.
    if (!same) {
        chart.setCurves({});
        chart.resetAxes();
    }
    chart.setLevels(std::move(levels));
    chart.setCurves(std::move(curves));
}

// Drawn at the part of the limit that the model describes, and named as the budget or the card.
ChartLevel limitOf(const LawQuestion& question)
{
    const MemoryFit& fit = question.law.value();
    const std::int64_t bytes = limitBytes(question.experiment, fit);
    const std::int64_t others = fit.outsideBytes;
    const std::int64_t ranks = ranksSharing(question.experiment, fit);
    const QString device = QString::fromStdString(fit.device);
    const QString card = question.experiment.memory.budget
        ? LawCharts::tr("budget %1").arg(bytesText(bytes))
        : ranks == 1
        ? LawCharts::tr("%1 has %2").arg(device, bytesText(bytes))
        : LawCharts::tr("%1 has %2 for each of %3").arg(device, bytesText(bytes), countText(ranks));
    return { static_cast<double>(bytes - others),
        others > 0 ? LawCharts::tr("%1, of which %2 is used by other programs")
                         .arg(card, bytesText(others))
                   : card,
        themeColors().error };
}

} // namespace

LawCharts::LawCharts(QWidget* parent)
    : QTabWidget(parent)
    , m_byMicro(new MetricChart(this))
    , m_bySteps(new MetricChart(this))
    , m_stepsText(new ReservedLabel(/*characters=*/180, this))
{
    setDocumentMode(true);
    tabBar()->setAccessibleName(tr("Quantity on the horizontal axis"));
    m_byMicro->setTitle(tr("Peak memory of a window by micro-batch"));
    m_byMicro->setAxisTitles(tr("micro-batch b"), {});
    addPage(m_byMicro, tr("Peak by micro-batch"));
    m_bySteps->setTitle(tr("Peak memory of a window by accumulation steps N"));
    m_bySteps->setAxisTitles(tr("steps N"), {});
    m_bySteps->setXRangeHint(0, kFree);
    m_stepsText->setProperty("role", QLatin1String("muted"));
    addPage(m_bySteps, tr("N does not change the peak"))->addWidget(m_stepsText);
}

// Returns the page's layout, for what is below the chart.
QLayout* LawCharts::addPage(MetricChart* chart, const QString& title)
{
    chart->setXFormatter([](double count) { return countText(std::llround(count)); });
    chart->setValueFormatter(
        [](double bytes) { return bytesText(std::llround(bytes)); }, PlotAxis::Ticks::Bytes);
    chart->setYRangeHint(0, kFree);
    connect(chart, &MetricChart::pictureRequested, this, &LawCharts::pictureRequested);
    auto* page = new QWidget(this);
    auto* layout = makeColumn(page, { chart }, { 0, 4, 0, 0 }, 4);
    layout->setStretch(0, 1);
    addTab(page, title);
    return layout;
}

QString LawCharts::pictureName() const
{
    return currentIndex() == 1 ? QStringLiteral("peak by steps")
                               : QStringLiteral("peak by micro-batch");
}

void LawCharts::showLaw(const LawQuestion& question)
{
    showByMicro(question);
    showBySteps(question);
}

void LawCharts::showNone(const QString& why)
{
    for (MetricChart* chart : { m_byMicro, m_bySteps }) {
        draw(*chart, {}, {});
        chart->setRibbons({});
        chart->setMarkers({});
        chart->setEmptyText(why);
    }
    m_stepsText->setText({});
}

void LawCharts::showByMicro(const LawQuestion& question)
{
    const LawPicture picture = lawPictureOf(question);
    const Background ground = backgroundOf(palette());
    m_byMicro->setLogX(picture.logarithmic);
    m_byMicro->setLogY(picture.logarithmic);
    m_byMicro->setXRangeHint(picture.logarithmic ? 1 : 0, static_cast<double>(picture.last));
    draw(*m_byMicro, curvesOf(picture, ground),
        picture.limitIsNear ? std::vector { limitOf(question) } : std::vector<ChartLevel> {});
    m_byMicro->setRibbons({ bandOf(picture, ground) });
    // A b that follows the budget is not a number of the form.
    const bool isGiven = !microFollowsBudget(question.experiment);
    m_byMicro->setMarkers(markersOf(picture.card, isGiven ? question.plan : std::nullopt));
}

void LawCharts::showBySteps(const LawQuestion& question)
{
    const MemoryFit& fit = question.law.value();
    std::vector<ChartCurve> curves = stepsCurvesOf(fit, backgroundOf(palette()));
    const ChartLevel budget = limitOf(question);
    // A budget far above the peaks would make flat lines of them, and it is not the subject here:
    // the chart shows that N does not change the peak.
    const bool isNear = budget.y <= kNearLimit * highestOf(curves.back());
    draw(*m_bySteps, std::move(curves),
        question.experiment.memory.budget && isNear ? std::vector { budget }
                                                    : std::vector<ChartLevel> {});
    m_bySteps->setEmptyText(tr("This memory model was measured without it. Measure again to "
                               "include windows of 1 to 32 micro-batches."));
    m_stepsText->setText(fit.steps.empty() ? QString() : stepsMeaning(fit));
}

} // namespace accrue
