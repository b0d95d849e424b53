// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/law_card.h"

#include "engine/door/memory_advice.h"
#include "engine/experiment/batch_plan.h"
#include "engine/experiment/fixes.h"
#include "ui/charts/metric_chart.h"
#include "ui/models/format.h"
#include "ui/models/law_words.h"
#include "ui/models/run_palette.h"
#include "ui/pages/chart_pictures.h"
#include "ui/pages/form_widgets.h"
#include "ui/pages/icons.h"
#include "ui/pages/inline_message.h"
#include "ui/pages/theme.h"

#include <QAction>
#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTabWidget>
#include <QTableWidget>
#include <QToolButton>

#include <algorithm>
#include <cmath>
#include <limits>

namespace accrue {

namespace {

constexpr int kHeight = 424; // with a body
constexpr int kAnswersWidth = 280;
constexpr int kRowHeight = 22;
constexpr double kNearLimit = 2; // times the highest peak, up to which a limit is drawn beside N
constexpr double kFree = std::numeric_limits<double>::quiet_NaN();

std::vector<SeriesPoint> seriesOf(const std::vector<LawPicture::Point>& points)
{
    std::vector<SeriesPoint> series;
    series.reserve(points.size());
    for (const LawPicture::Point& point : points)
        series.push_back({ point.micro, point.bytes });
    return series;
}

ChartCurve formula(const char* id, const QString& title, const QColor& color, Qt::PenStyle line,
    const std::vector<LawPicture::Point>& points)
{
    return { .id = QLatin1String(id),
        .title = title,
        .color = color,
        .line = line,
        .points = seriesOf(points),
        .isFormula = true };
}

std::vector<ChartCurve> curvesOf(const LawPicture& picture, Background ground)
{
    const QColor line = seriesColor(0, ground);
    return { formula("law", LawCard::tr("law"), line, Qt::SolidLine, picture.within),
        formula("beyond", LawCard::tr("law, beyond what was measured"), line, Qt::DashLine,
            picture.beyond),
        formula("below", {}, line, Qt::DashLine, picture.below),
        { .id = QStringLiteral("measured"),
            .title = LawCard::tr("measured"),
            .color = seriesColor(1, ground),
            .line = Qt::NoPen,
            .points = seriesOf(picture.measured) } };
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
        const QString words = card.proved ? LawCard::tr("b = %1 fits: proved by a real window")
            : card.isAll                  ? LawCard::tr("b = %1, all samples: predicted")
                                          : LawCard::tr("b = %1 fits: predicted");
        markers.push_back(
            markerAt(card.micro, words.arg(countText(card.micro)), themeColors().good));
    }
    if (now)
        markers.push_back(markerAt(now->micro,
            LawCard::tr("b = %1 in the form").arg(countText(now->micro)), themeColors().muted));
    return markers;
}

// N micro-batches as they were measured, and one of as many samples.
std::vector<ChartCurve> stepsCurvesOf(const MemoryFit& fit, Background ground)
{
    const QString samples = samplesText(fit.stepsMicro);
    ChartCurve measured { .id = QStringLiteral("measured"),
        .title = LawCard::tr("measured: N micro-batches of %1").arg(samples),
        .color = seriesColor(1, ground),
        .points = {} };
    ChartCurve computed { .id = QStringLiteral("computed"),
        .title = LawCard::tr("computed: one micro-batch of N × %1").arg(samples),
        .color = seriesColor(0, ground),
        .line = Qt::DashLine,
        .points = {} };
    for (const StepsPoint& point : fit.steps) {
        const auto steps = static_cast<double>(point.steps);
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

// What is drawn already keeps its axes, and a zoom into it; something else has its own.
void draw(MetricChart& chart, std::vector<ChartCurve> curves, std::vector<ChartLevel> levels)
{
    const auto samePoints = [](const ChartCurve& one, const ChartCurve& other) {
        return one.points == other.points;
    };
    const auto sameHeight = [](const ChartLevel& one, const ChartLevel& other) {
        return one.y == other.y;
    };
    const auto& drawn = chart.curves();
    const auto& drawnLevels = chart.levels();
    const bool same =
        std::equal(curves.begin(), curves.end(), drawn.begin(), drawn.end(), samePoints)
        && std::equal(
            levels.begin(), levels.end(), drawnLevels.begin(), drawnLevels.end(), sameHeight);
    if (!same) {
        chart.setCurves({});
        chart.resetAxes();
    }
    chart.setLevels(std::move(levels));
    chart.setCurves(std::move(curves));
}

QString bytesOnAxis(double bytes)
{
    return bytesText(std::llround(bytes));
}

QString countOnAxis(double count)
{
    return countText(std::llround(count));
}

} // namespace

// With a body as high whatever is said and drawn: its charts take what a longer text leaves, and
// the page does not move.
class LawCard::Layout : public QVBoxLayout {
public:
    using QVBoxLayout::QVBoxLayout;
    int heightForWidth(int width) const override
    {
        return hasBody ? kHeight : QVBoxLayout::heightForWidth(width);
    }
    bool hasBody = false;
};

// Selected is the card that is emulated, not where the keyboard stands.
class LawCard::CardTable : public QTableWidget {
public:
    using QTableWidget::QTableWidget;

protected:
    QItemSelectionModel::SelectionFlags selectionCommand(
        const QModelIndex&, const QEvent*) const override
    {
        return QItemSelectionModel::NoUpdate;
    }
};

LawCard::LawCard(Backend& backend, QWidget* parent)
    : QFrame(parent)
    , m_backend(backend)
{
    setProperty("card", true);
    makeActions();
    m_status = new QLabel(this);
    m_status->setTextFormat(Qt::PlainText);
    m_status->setWordWrap(true);
    m_status->setMinimumHeight(fontMetrics().lineSpacing()); // not of a narrow one
    m_status->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_message = new InlineMessage(this);
    m_layout = new Layout(this);
    m_layout->setContentsMargins(12, 8, 12, 8);
    m_layout->setSpacing(6);
    m_layout->addLayout(buildHead());
    m_layout->addWidget(m_status);
    m_layout->addWidget(m_message);
    connectBackend();
    showAll();
}

// ---- building --------------------------------------------------------------------------------

void LawCard::makeActions()
{
    const auto make = [this](const char* icon, const QString& text, const QKeySequence& keys) {
        auto* action = new QAction(themedIcon(QLatin1String(icon)), text, this);
        action->setShortcut(keys);
        return action;
    };
    m_measure = make("memory", tr("Measure which micro-batch fits"), Qt::Key_F7);
    m_use = make("check", tr("Use this micro-batch"), Qt::Key_F8);
    m_savePicture =
        make("save", tr("Save the law's chart as picture…"), Qt::CTRL | Qt::SHIFT | Qt::Key_M);
    m_savePicture->setToolTip(tr("Save the chart of this card as SVG or PNG"));
    connect(m_measure, &QAction::triggered, this, &LawCard::measureOrCancel);
    connect(m_savePicture, &QAction::triggered, this, &LawCard::savePicture);
    connect(m_use, &QAction::triggered, this, [this] {
        std::optional<Fix> fix = fixToUse();
        if (!fix)
            return;
        fix->label = tr("use micro-batch %1").arg(microToUse().value()).toStdString();
        Q_EMIT useMicroRequested(*fix);
    });
}

void LawCard::connectBackend()
{
    const FitController& fits = m_backend.fits;
    connect(&fits, &FitController::progressed, this, &LawCard::showStatus);
    connect(&fits, &FitController::stateChanged, this, &LawCard::showAll);
    connect(&fits, &FitController::ended, this, &LawCard::take);
    connect(&m_backend.controller, &RunController::stateChanged, this, &LawCard::showActions);
    connect(&m_backend.engine, &EngineHost::engineLoaded, this, &LawCard::showAll);
    connect(&m_backend.engine, &EngineHost::engineMissed, this, &LawCard::showAll);
}

// The button is the action: its text, and why it is off.
void LawCard::followAction(QPushButton* button, QAction* action)
{
    const auto follow = [button, action] {
        button->setText(action->text());
        button->setToolTip(action->toolTip());
        button->setEnabled(action->isEnabled());
    };
    connect(action, &QAction::changed, button, follow);
    connect(button, &QPushButton::clicked, action, &QAction::trigger);
    follow();
}

QLayout* LawCard::buildHead()
{
    m_subject = new ElidedLabel(this);
    m_subject->setProperty("role", QLatin1String("muted"));
    m_measureButton = new QPushButton(this);
    followAction(m_measureButton, m_measure);
    m_pictureButton = new QToolButton(this);
    m_pictureButton->setDefaultAction(m_savePicture);
    m_pictureButton->setProperty("framed", true);
    auto* head = new QHBoxLayout;
    head->setSpacing(8);
    head->addWidget(makeSectionLabel(tr("Which micro-batch fits"), this));
    head->addWidget(m_subject, 1);
    head->addWidget(m_measureButton);
    head->addWidget(m_pictureButton);
    return head;
}

void LawCard::addBody()
{
    m_layout->insertWidget(2, buildBody(), 1);
    // What is made later comes last in the window otherwise.
    QWidget* before = m_pictureButton;
    for (QWidget* next : std::initializer_list<QWidget*> { m_charts->tabBar(),
             m_chart->focusProxy(), m_stepsChart->focusProxy(), m_table, m_cards, m_useButton }) {
        setTabOrder(before, next);
        before = next;
    }
}

QWidget* LawCard::buildBody()
{
    m_body = new QWidget(this);
    auto* layout = new QHBoxLayout(m_body);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(12);
    layout->addWidget(buildCharts(), 1);
    layout->addWidget(buildAnswers());
    return m_body;
}

QWidget* LawCard::buildCharts()
{
    m_charts = new QTabWidget(m_body);
    m_charts->setDocumentMode(true);
    m_charts->tabBar()->setAccessibleName(tr("What the peak is drawn over"));
    auto* page = new QWidget(m_charts);
    m_chart = new MetricChart(page);
    m_chart->setTitle(tr("Peak memory of a window by micro-batch"));
    m_chart->setAxisTitles(tr("micro-batch b"), {});
    m_lawText = new ElidedLabel(page);
    m_lawText->setProperty("role", QLatin1String("muted"));
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 4, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(m_chart, 1);
    layout->addWidget(m_lawText);
    m_charts->addTab(page, tr("Peak by micro-batch"));
    m_charts->addTab(buildSteps(), tr("N does not change the peak"));
    for (MetricChart* chart : { m_chart, m_stepsChart }) {
        chart->setXFormatter(countOnAxis);
        chart->setValueFormatter(bytesOnAxis);
        chart->setYInBytes(true);
        chart->setYRangeHint(0, kFree);
        connect(chart, &MetricChart::pictureRequested, this, &LawCard::savePicture);
    }
    return m_charts;
}

QWidget* LawCard::buildSteps()
{
    auto* page = new QWidget(m_charts);
    m_stepsChart = new MetricChart(page);
    m_stepsChart->setTitle(tr("Peak memory of a window by its steps N"));
    m_stepsChart->setAxisTitles(tr("steps N"), {});
    m_stepsChart->setXRangeHint(0, kFree);
    m_stepsText = new QLabel(page);
    m_stepsText->setTextFormat(Qt::PlainText);
    m_stepsText->setWordWrap(true);
    m_stepsText->setMinimumHeight(2 * fontMetrics().lineSpacing()); // not of a narrow one
    m_stepsText->setProperty("role", QLatin1String("muted"));
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 4, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(m_stepsChart, 1);
    layout->addWidget(m_stepsText);
    return page;
}

QWidget* LawCard::buildAnswers()
{
    m_answers = new QWidget(m_body);
    m_answers->setFixedWidth(kAnswersWidth);
    buildTable(m_answers);
    m_cards = new QComboBox(m_answers);
    m_cards->setAccessibleName(tr("Emulate a card"));
    m_cards->setToolTip(tr("Sets memory.budget in the form: the device gives no more than such a "
                           "card has. Measure proves its border"));
    auto* cardsTitle = new QLabel(tr("&Emulate a card of"), m_answers);
    cardsTitle->setBuddy(m_cards);
    m_useButton = new QPushButton(m_answers);
    followAction(m_useButton, m_use);
    auto* emulate = new QHBoxLayout;
    emulate->setSpacing(8);
    emulate->addWidget(cardsTitle);
    emulate->addWidget(m_cards, 1);
    auto* layout = new QVBoxLayout(m_answers);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(m_table);
    layout->addLayout(emulate);
    layout->addWidget(m_useButton);
    layout->addStretch(1);
    connect(m_cards, &QComboBox::activated, this, [this](int index) {
        const std::int64_t bytes = m_cards->itemData(index).toLongLong();
        Q_EMIT emulateRequested(bytes > 0 ? std::optional(Bytes { bytes }) : std::nullopt);
    });
    return m_answers;
}

void LawCard::buildTable(QWidget* parent)
{
    const int rows = static_cast<int>(cardSizes().size());
    m_table = new CardTable(rows, 2, parent);
    m_table->setObjectName(QStringLiteral("cardSizes"));
    m_table->setAccessibleName(tr("Would it run on a card of …"));
    m_table->setHorizontalHeaderLabels({ tr("Would it run on"), tr("Largest b") });
    m_table->setToolTip(
        tr("The largest micro-batch that fits a card of this size; a double click, or "
           "Enter, emulates it"));
    m_table->horizontalHeader()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setSectionResizeMode(1, QHeaderView::Stretch);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeaderItem(0)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_table->horizontalHeaderItem(1)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_table->verticalHeader()->setDefaultSectionSize(kRowHeight);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setTabKeyNavigation(false);
    m_table->setShowGrid(false);
    m_table->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < 2; ++column) {
            auto* item = new QTableWidgetItem;
            item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
            m_table->setItem(row, column, item);
        }
    m_table->setCurrentCell(0, 0);
    connect(m_table, &QTableWidget::cellActivated, this, [this](int row) {
        Q_EMIT emulateRequested(Bytes { cardSizes().at(static_cast<std::size_t>(row)) });
    });
}

// ---- the question ----------------------------------------------------------------------------

void LawCard::setExperiment(
    const Experiment& experiment, const QString& problem, const std::optional<MemoryFit>& law)
{
    if (!isSameQuestion(experiment, m_experiment))
        m_problem.clear();
    m_experiment = experiment;
    m_formProblem = problem;
    m_fit = law;
    showAll();
}

void LawCard::setDataDirectories(const std::vector<std::filesystem::path>& directories)
{
    m_dataDirectories = directories;
}

std::string LawCard::fingerprint(const Experiment& experiment) const
{
    return memoryFingerprint(experiment, deviceOf(experiment));
}

std::string LawCard::deviceOf(const Experiment& experiment) const
{
    const DeviceInfo* device = m_backend.engine.deviceFor(experiment.run.device);
    return device != nullptr ? device->id : experiment.run.device;
}

// What a fit answers: its law, and what fits the budget.
bool LawCard::isSameQuestion(const Experiment& one, const Experiment& other) const
{
    return one.memory.budget == other.memory.budget && fingerprint(one) == fingerprint(other);
}

QString LawCard::whyNotMeasure() const
{
    if (m_backend.controller.isActive())
        return tr("A run trains. Stop it, or wait until it has ended.");
    if (m_backend.engine.state() == EngineHost::State::Missing)
        return m_backend.engine.problem();
    return m_formProblem;
}

void LawCard::measureOrCancel()
{
    FitController& fits = m_backend.fits;
    if (fits.isActive())
        fits.stop();
    else if (whyNotMeasure().isEmpty()) {
        m_problem.clear();
        fits.start({ m_experiment, m_dataDirectories, /*alsoSteps=*/true });
    }
}

// Of one that was stopped nothing is known. The law itself comes back with the form.
void LawCard::take(const MemoryFit& fit, const QString& notKept)
{
    if (fit.stopped)
        return;
    const Experiment& asked = m_backend.fits.experiment();
    const QString problem = QString::fromStdString(fit.problem);
    if (!fit.law.lines.empty()) {
        m_measured = fingerprint(asked);
        m_notKept = notKept.isEmpty() ? QString() : tr("The law is not kept: %1.").arg(notKept);
    }
    if (isSameQuestion(asked, m_experiment))
        m_problem = problem;
    else if (!problem.isEmpty())
        Q_EMIT said(tr("%1: %2").arg(lawSubject(asked, deviceOf(asked)), problem),
            RunMessage::Severity::Error);
    showAll();
}

// ---- what the form makes of it ---------------------------------------------------------------

std::optional<BatchPlan> LawCard::plan() const
{
    return microFollowsBudget(m_experiment) ? std::nullopt : solveBatch(m_experiment).plan;
}

std::int64_t LawCard::largestMicro() const
{
    const std::optional<Bytes>& budget = m_experiment.memory.budget;
    return m_fit ? fittingMicro(*m_fit, budget ? budget->count : m_fit->totalBytes) : 0;
}

std::optional<Fix> LawCard::fixToUse() const
{
    const std::optional<BatchPlan> solved = solveBatch(m_experiment).plan;
    const std::int64_t largest = largestMicro();
    return solved && largest > 0 ? usingMicroThatFits(m_experiment, *solved, largest)
                                 : std::nullopt;
}

std::optional<std::int64_t> LawCard::microToUse() const
{
    Experiment fixed = m_experiment;
    const std::optional<Fix> fix = fixToUse();
    return fix && applyFix(fixed, *fix).empty() ? std::optional(fixed.batch.micro.value)
                                                : std::nullopt;
}

QString LawCard::whyNotUse() const
{
    if (!m_fit)
        return tr("Measure first which micro-batch fits.");
    if (!m_experiment.batch.schedule.empty())
        return tr("batch.schedule changes N while it trains; choose the micro-batch in the form.");
    const std::optional<std::int64_t> micro = microToUse();
    if (!micro && !m_formProblem.isEmpty())
        return m_formProblem;
    if (!micro)
        return largestMicro() == 0
            ? tr("No micro-batch fits.")
            : tr("Micro-batches of up to %1 fit, but B cannot be cut into such; choose b in the "
                 "form.")
                  .arg(samplesText(largestMicro()));
    const std::optional<BatchPlan> now = plan();
    return now && now->micro == *micro ? tr("The form has this micro-batch.") : QString();
}

// ---- showing ---------------------------------------------------------------------------------

void LawCard::showAll()
{
    m_subject->setFullText(
        tr("the form's %1").arg(lawSubject(m_experiment, deviceOf(m_experiment))));
    showActions();
    showStatus();
    if (isVisible()) // otherwise when it is shown
        showLaw();
}

void LawCard::showActions()
{
    const FitController& fits = m_backend.fits;
    const QString why = fits.isActive() ? QString() : whyNotMeasure();
    m_measure->setIcon(themedIcon(QLatin1String(fits.isActive() ? "stop" : "memory")));
    m_measure->setText(fits.state() == FitController::State::Stopping ? tr("Cancelling …")
            : fits.isActive()                                         ? tr("Cancel")
            : m_fit                                                   ? tr("Measure again")
                    : tr("Measure which micro-batch fits"));
    m_measure->setToolTip(fits.isActive() ? tr("Stop measuring; nothing of it is kept")
            : !why.isEmpty()
            ? why
            : tr("Compute some real windows, of a few sizes, and none that train"));
    m_measure->setEnabled(why.isEmpty()); // while it stops, too: the keyboard stays there
    const QString whyNot = whyNotUse();
    const std::optional<std::int64_t> micro = microToUse();
    m_use->setText(micro ? tr("Use b = %1").arg(countText(*micro)) : tr("Use this micro-batch"));
    m_use->setToolTip(whyNot.isEmpty() ? tr("Put this micro-batch into the form. B stays: it is "
                                            "cut into as few and even micro-batches as fit")
                                       : whyNot);
    m_use->setEnabled(whyNot.isEmpty());
    m_savePicture->setEnabled(m_fit.has_value());
}

void LawCard::showStatus()
{
    const FitController& fits = m_backend.fits;
    const bool here = m_measured == fingerprint(m_experiment);
    QString text = tr("Peak memory grows with the micro-batch along a line. A few real windows "
                      "measure it; then this says which micro-batch fits which card.");
    QString role = QStringLiteral("muted");
    if (fits.state() == FitController::State::Stopping)
        text = tr("Stopping after this window …");
    else if (fits.isActive())
        text = fits.progress().micro == 0
            ? tr("Measuring: preparing …")
            : tr("Measuring: %1.").arg(fitProgressText(fits.progress()));
    else if (!m_problem.isEmpty()) {
        text = m_problem;
        role = QStringLiteral("error");
    } else if (m_fit) {
        text = verdictText(*m_fit, m_experiment.memory.budget);
        if (!here)
            text = tr("%1 Measured earlier.").arg(text);
        role.clear();
    } else if (!m_formProblem.isEmpty()) {
        text = m_formProblem;
        role = QStringLiteral("error");
    }
    if (here && !fits.isActive() && !m_notKept.isEmpty()) {
        text = tr("%1 %2").arg(text, m_notKept);
        role = m_problem.isEmpty() ? QStringLiteral("warning") : role;
    }
    m_status->setText(text);
    if (m_status->property("role").toString() != role)
        setStyleProperty(m_status, "role", role);
}

// From the beginning of a fit on, so that nothing moves under the mouse where it ends.
void LawCard::showLaw()
{
    const bool shown = m_fit || m_backend.fits.isActive();
    if (m_body == nullptr && shown)
        addBody();
    m_layout->hasBody = shown;
    if (m_body != nullptr)
        m_body->setVisible(shown);
    setSizePolicy(QSizePolicy::Preferred, shown ? QSizePolicy::Preferred : QSizePolicy::Maximum);
    if (!shown)
        return;
    m_answers->setEnabled(m_fit.has_value());
    showTable();
    if (!m_fit) {
        showNoLaw();
        return;
    }
    m_lawText->setFullText(lawText(*m_fit));
    showChart();
    showSteps();
    showCards();
}

void LawCard::showNoLaw()
{
    for (MetricChart* chart : { m_chart, m_stepsChart }) {
        draw(*chart, {}, {});
        chart->setRibbons({});
        chart->setMarkers({});
        chart->setEmptyText(tr("The law is being measured."));
    }
    m_lawText->setFullText({});
    m_stepsText->clear();
}

void LawCard::showChart()
{
    const std::optional<BatchPlan> now = plan();
    const LawPicture picture =
        lawPictureOf(*m_fit, m_experiment.memory.budget, now ? now->micro : 0);
    const Background ground = backgroundOf(palette());
    m_chart->setLogX(picture.logarithmic);
    m_chart->setLogY(picture.logarithmic);
    m_chart->setXRangeHint(picture.logarithmic ? 1 : 0, static_cast<double>(picture.last));
    draw(*m_chart, curvesOf(picture, ground), { limit() });
    m_chart->setRibbons({ bandOf(picture, ground) });
    m_chart->setMarkers(markersOf(picture.card, now));
}

void LawCard::showSteps()
{
    std::vector<ChartCurve> curves = stepsCurvesOf(*m_fit, backgroundOf(palette()));
    const ChartLevel budget = limit();
    const bool isNear = budget.y <= kNearLimit * highestOf(curves.back());
    draw(*m_stepsChart, std::move(curves),
        m_experiment.memory.budget && isNear ? std::vector { budget } : std::vector<ChartLevel> {});
    m_stepsChart->setEmptyText(
        tr("This law was measured without it. Measure again: windows of 1 to 32 micro-batches are "
           "measured, too."));
    m_stepsText->setText(m_fit->steps.empty() ? QString() : stepsMeaning(*m_fit));
}

// Drawn at what is left for what the law counts, and named as the budget or the card is.
ChartLevel LawCard::limit() const
{
    const std::optional<Bytes>& budget = m_experiment.memory.budget;
    const std::int64_t bytes = budget ? budget->count : m_fit->totalBytes;
    const std::int64_t others = m_fit->outsideBytes;
    const QString card = budget
        ? tr("budget %1").arg(bytesText(bytes))
        : tr("%1 has %2").arg(QString::fromStdString(m_fit->device), bytesText(bytes));
    return { static_cast<double>(bytes - others),
        others > 0 ? tr("%1, of which others hold %2").arg(card, bytesText(others)) : card,
        themeColors().error };
}

void LawCard::showTable()
{
    const std::optional<Bytes>& budget = m_experiment.memory.budget;
    m_table->clearSelection();
    for (int row = 0; row < m_table->rowCount(); ++row) {
        const std::int64_t bytes = cardSizes()[static_cast<std::size_t>(row)];
        const bool emulated = budget && budget->count == bytes;
        m_table->item(row, 0)->setText(
            emulated ? tr("%1, emulated").arg(cardTitle(bytes)) : cardTitle(bytes));
        m_table->item(row, 1)->setText(
            m_fit ? cardAnswerText(answerFor(*m_fit, bytes)) : QStringLiteral("–"));
        m_table->setRangeSelected({ row, 0, row, 1 }, emulated);
    }
    const int header = m_table->horizontalHeader()->sizeHint().height();
    m_table->setFixedHeight(header + m_table->rowCount() * kRowHeight + 2 * m_table->frameWidth());
}

void LawCard::showCards()
{
    const QSignalBlocker blocker(m_cards);
    m_cards->clear();
    m_cards->addItem(tr("none"), QVariant::fromValue<qlonglong>(0));
    for (const std::int64_t bytes : cardSizes())
        m_cards->addItem(cardTitle(bytes), QVariant::fromValue<qlonglong>(bytes));
    const std::optional<Bytes>& budget = m_experiment.memory.budget;
    const QVariant now = QVariant::fromValue<qlonglong>(budget ? budget->count : 0);
    if (m_cards->findData(now) < 0)
        m_cards->addItem(bytesText(budget->count), now);
    m_cards->setCurrentIndex(m_cards->findData(now));
}

// ---- pictures --------------------------------------------------------------------------------

void LawCard::savePicture()
{
    showLaw(); // it may be asked for before the page was seen
    const bool bySteps = m_charts->currentIndex() == 1;
    askAndSavePicture(*this, bySteps ? *m_stepsChart : *m_chart, *m_message,
        bySteps ? QStringLiteral("peak by steps") : QStringLiteral("peak by micro-batch"));
}

void LawCard::saveShownPicture(const QString& path)
{
    accrue::savePicture(m_charts->currentIndex() == 1 ? *m_stepsChart : *m_chart, *m_message, path);
}

// ---- events ----------------------------------------------------------------------------------

void LawCard::showEvent(QShowEvent* event)
{
    QFrame::showEvent(event);
    showLaw();
    Q_EMIT lookRequested();
}

void LawCard::changeEvent(QEvent* event)
{
    QFrame::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && isVisible())
        showLaw();
}

} // namespace accrue
