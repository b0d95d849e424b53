// SPDX-License-Identifier: Apache-2.0
#include "ui/runs/runs_stack.h"

#include "ui/runs/run_details_pane.h"
#include "ui/runs/run_list_view.h"
#include "ui/widgets/empty_page.h"

#include <QPushButton>
#include <QSplitter>

#include <initializer_list>

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
    auto* archived = new EmptyPage(QLatin1String("archive"), tr("All runs are archived"),
        tr("Archived runs stay in the log and can be restored."), tr("Show archived runs"), this);
    m_empty->setObjectName(QStringLiteral("noRuns"));
    connect(m_empty->button(), &QPushButton::clicked, this, &RunsStack::trainRequested);
    connect(noMatch->button(), &QPushButton::clicked, this, &RunsStack::searchCleared);
    connect(archived->button(), &QPushButton::clicked, this, &RunsStack::archivedRequested);
    for (QWidget* page : std::initializer_list<QWidget*> { &list, noMatch, archived })
        m_left->addWidget(page);
    m_splitter->setChildrenCollapsible(false); // only their action closes the details
    m_splitter->setHandleWidth(8);
    m_splitter->addWidget(m_left);
    m_splitter->addWidget(&details);
    m_splitter->setStretchFactor(0, 1);
    m_splitter->setSizes({ 900, 300 });
    addWidget(m_splitter);
    addWidget(m_empty);
}

bool RunsStack::areAllArchived() const
{
    for (int row = 0; row < m_list.runs().rowCount(); ++row)
        if (!m_list.runs().run(row).archived)
            return false;
    return true;
}

// A log that was not read yet shows the table, so that “No runs yet” does not flash at the start.
RunsStack::Content RunsStack::contentOf(bool isRead) const
{
    if (m_list.runs().rowCount() == 0)
        return isRead ? Content::Empty : Content::Runs;
    if (m_list.shown().rowCount() > 0)
        return Content::Runs;
    return !m_list.shown().isArchivedShown() && areAllArchived() ? Content::Archived
                                                                 : Content::NoMatch;
}

RunsStack::Content RunsStack::showContent(bool isRead, const QString& logProblem)
{
    const Content content = contentOf(isRead);
    if (content == Content::Empty)
        m_empty->showLogProblem(logProblem);
    if (content != Content::Empty)
        m_left->setCurrentIndex(static_cast<int>(content));
    setCurrentIndex(content == Content::Empty ? 1 : 0);
    if (content == Content::Runs)
        m_list.selectAnyRow();
    return content;
}

} // namespace accrue
