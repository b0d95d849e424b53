// SPDX-License-Identifier: Apache-2.0
#include "ui/runs/runs_stack.h"

#include "ui/runs/run_details_pane.h"
#include "ui/runs/run_list_view.h"
#include "ui/widgets/empty_page.h"

#include <QPushButton>
#include <QSplitter>

namespace accrue {

RunsStack::RunsStack(RunListView& list, RunDetailsPane& details, QWidget* parent)
    : QStackedWidget(parent)
    , m_list(list)
    , m_splitter(new QSplitter(Qt::Horizontal, this))
    , m_left(new QStackedWidget(this))
    , m_empty(new EmptyPage(QLatin1String("runs"), tr("No runs yet"),
          tr("This page lists every run of this log with its settings, results and curves, "
             "including runs of the command line."),
          tr("Start the first run"), this))
{
    auto* noMatch = new EmptyPage(QLatin1String("search"), tr("No matching runs"),
        tr("Change the search, or show archived runs."), tr("Clear search"), this);
    m_empty->setObjectName(QStringLiteral("noRuns"));
    connect(m_empty->button(), &QPushButton::clicked, this, &RunsStack::trainRequested);
    connect(noMatch->button(), &QPushButton::clicked, this, &RunsStack::searchCleared);
    m_left->addWidget(&list);
    m_left->addWidget(noMatch);
    m_splitter->setChildrenCollapsible(false); // only their action closes the details
    m_splitter->setHandleWidth(8);
    m_splitter->addWidget(m_left);
    m_splitter->addWidget(&details);
    m_splitter->setStretchFactor(0, 1);
    m_splitter->setSizes({ 900, 300 });
    addWidget(m_splitter);
    addWidget(m_empty);
}

// A log that was not read yet shows the table, so that “No runs yet” does not flash at the start.
RunsStack::Content RunsStack::contentOf(bool isRead) const
{
    if (m_list.runs().rowCount() == 0)
        return isRead ? Content::Empty : Content::Runs;
    return m_list.shown().rowCount() == 0 ? Content::NoMatch : Content::Runs;
}

RunsStack::Content RunsStack::showContent(bool isRead, const QString& logProblem)
{
    const Content content = contentOf(isRead);
    if (content == Content::Empty)
        m_empty->showLogProblem(logProblem);
    m_left->setCurrentIndex(content == Content::NoMatch ? 1 : 0);
    setCurrentIndex(content == Content::Empty ? 1 : 0);
    if (content == Content::Runs)
        m_list.selectAnyRow();
    return content;
}

} // namespace accrue
