// SPDX-License-Identifier: Apache-2.0
#include "ui/choices/choice_panel.h"

#include "ui/choices/choice_delegate.h"
#include "ui/models/format.h"
#include "ui/widgets/form_widgets.h"
#include "ui/widgets/layouts.h"

#include <QLineEdit>
#include <QListView>
#include <QPushButton>

#include <algorithm>
#include <utility>

namespace accrue {

namespace {

constexpr int kWidth = 380; // pixels
constexpr int kMostHeight = 460;
constexpr int kLeastHeight = 180;
constexpr int kGap = 4; // to the widget above
constexpr int kEdge = 8; // to the edges of the window

} // namespace

ChoicePanel::ChoicePanel(const QString& purpose, QWidget* window)
    : ChoicePanel(purpose, *new ChoiceModel(window), window)
{
}

ChoicePanel::ChoicePanel(const QString& purpose, ChoiceModel& model, QWidget* window)
    : SearchPanel(model, window)
    , m_model(model)
    , m_expression(makeFramedButton(nullptr, this))
    , m_sentence(makeLabel("muted", {}, this))
    , m_all(new QPushButton(this))
{
    m_model.setParent(this);
    setAccessibleName(purpose);
    field()->setPlaceholderText(tr("%1, or /expression/").arg(purpose));
    field()->setAccessibleName(purpose);
    list()->setItemDelegate(new ChoiceDelegate(list()));
    m_expression->setText(QStringLiteral(".*"));
    m_expression->setCheckable(true);
    m_expression->setAccessibleName(tr("Regular expression"));
    m_expression->setToolTip(
        tr("What is typed is a regular expression; between slashes it always is one: /loss$/"));
    m_sentence->setWordWrap(true);
    m_all->setVisible(false);
    auto* const rows = makeColumn(this, {}, { 8, 8, 8, 8 }, 6);
    rows->addLayout(makeRow(nullptr, { field(), m_expression }, {}, 6));
    rows->addWidget(m_sentence);
    rows->addWidget(list(), 1);
    rows->addWidget(m_all);
    connect(m_expression, &QToolButton::toggled, this, [this] { search(field()->text()); });
    connect(m_all, &QPushButton::clicked, this, &ChoicePanel::chooseAll);
}

void ChoicePanel::setSeveral(int most, const QString& limit)
{
    m_most = most;
    m_limit = limit;
    showState();
}

void ChoicePanel::setChoices(Choices choices)
{
    if (choices == m_model.choices())
        return; // again with each look at a live run
    const QString current = m_model.choiceAt(list()->currentIndex()) != nullptr
        ? m_model.choiceAt(list()->currentIndex())->id
        : QString();
    m_model.setChoices(std::move(choices));
    if (const int row = m_model.rowOf(current); row >= 0)
        list()->setCurrentIndex(m_model.index(row));
    else
        selectFirst();
    showState();
}

void ChoicePanel::openBelow(QWidget& widget, const QString& current)
{
    m_below = &widget;
    openFor(&widget);
    if (const int row = m_model.rowOf(current); row >= 0)
        list()->setCurrentIndex(m_model.index(row));
}

void ChoicePanel::search(const QString& text)
{
    m_search = ChoiceSearch(text, m_expression->isChecked());
    m_model.setSearch(m_search);
    selectFirst();
    showState();
}

// ---- what is said ----------------------------------------------------------------------------

int ChoicePanel::markedChoices() const
{
    return static_cast<int>(std::ranges::count_if(m_model.choices(), &Choice::isMarked));
}

QString ChoicePanel::stateText(int missing) const
{
    if (!m_search.problem().isEmpty())
        return m_search.problem();
    if (m_model.isEmpty())
        return tr("Nothing matches.");
    return m_most > 0 && markedChoices() + missing > m_most ? m_limit.arg(m_most) : QString();
}

void ChoicePanel::showState()
{
    const std::vector<const Choice*> found = m_model.found();
    const auto missing = static_cast<int>(
        std::ranges::count_if(found, [](const Choice* each) { return !each->isMarked; }));
    const QString text = stateText(missing);
    setStyleProperty(m_sentence, "role",
        m_search.problem().isEmpty() ? QLatin1String("muted") : QLatin1String("error"));
    m_sentence->setText(text);
    m_sentence->setVisible(!text.isEmpty());
    m_all->setVisible(m_most > 0);
    m_all->setEnabled(!found.empty() && markedChoices() + missing <= m_most);
    m_all->setText(missing > 0 || found.empty() ? tr("Add all %1 that match").arg(missing)
                                                : tr("Remove all %1 that match").arg(found.size()));
}

// ---- choosing --------------------------------------------------------------------------------

void ChoicePanel::choose()
{
    const Choice* const choice = m_model.choiceAt(list()->currentIndex());
    if (choice == nullptr || !choice->problem.isEmpty())
        return;
    const QString id = choice->id; // the model may be filled again
    if (m_most == 0)
        dismiss();
    else if (!choice->isMarked && markedChoices() >= m_most)
        return;
    Q_EMIT chosen(id);
}

void ChoicePanel::chooseAll()
{
    QStringList missing;
    QStringList all;
    for (const Choice* each : m_model.found()) {
        all.append(each->id);
        if (!each->isMarked)
            missing.append(each->id);
    }
    dismiss(); // what has come can be seen
    Q_EMIT allRequested(missing.isEmpty() ? all : missing, !missing.isEmpty());
}

// Below the widget, or above it where there is more room; inside the window.
void ChoicePanel::place()
{
    if (m_below == nullptr)
        return;
    const QWidget& window = *parentWidget();
    const QRect under(m_below->mapTo(&window, QPoint()), m_below->size());
    const int below = window.height() - under.bottom() - kGap - kEdge;
    const int above = under.top() - kGap - kEdge;
    const bool isBelow = below >= std::min(kMostHeight, above);
    const int height = std::clamp(isBelow ? below : above, kLeastHeight, kMostHeight);
    const int width = std::min(kWidth, window.width() - 2 * kEdge);
    const int left =
        std::clamp(under.left(), kEdge, std::max(kEdge, window.width() - kEdge - width));
    setGeometry(left, isBelow ? under.bottom() + kGap : under.top() - kGap - height, width, height);
}

} // namespace accrue
