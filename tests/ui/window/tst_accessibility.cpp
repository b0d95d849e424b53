// SPDX-License-Identifier: Apache-2.0
// What a screen reader announces, and that texts from elsewhere are shown literally.
#include "ui/charts/live_description.h"

#include <QAccessible>
#include <QAction>
#include <QElapsedTimer>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QTemporaryDir>
#include <QTest>
#include <QToolTip>

#include <algorithm>
#include <memory>

#include "engine/base/language.h"
#include "tests/support/fake_engine.h"
#include "tests/support/waiting.h"
#include "ui/charts/metric_chart.h"
#include "ui/compare/compare_page.h"
#include "ui/draft/experiment_draft.h"
#include "ui/memory/memory_page.h"
#include "ui/models/message_model.h"
#include "ui/runs/runs_page.h"
#include "ui/train/batch_bar.h"
#include "ui/train/experiment_form.h"
#include "ui/train/live_charts.h"
#include "ui/train/next_run_column.h"
#include "ui/train/step_parts_bar.h"
#include "ui/train/train_page.h"
#include "ui/train/window_view.h"
#include "ui/widgets/empty_page.h"
#include "ui/widgets/folded_part.h"
#include "ui/widgets/inline_message.h"
#include "ui/widgets/theme.h"
#include "ui/window/main_window.h"
#include "ui/window/message_delegate.h"
#include "ui/window/message_panel.h"

using namespace accrue;

namespace {

QString nameOf(QWidget* widget)
{
    return QAccessible::queryAccessibleInterface(widget)->text(QAccessible::Name);
}

const QString kTag = QStringLiteral("<b>x");

using PageOf = Page& (*)(MainWindow&);

} // namespace

Q_DECLARE_METATYPE(PageOf)

class TestAccessibility : public QObject {
    Q_OBJECT
private:
    void openWindow()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        qputenv("XDG_DATA_HOME", m_folder->path().toLocal8Bit());
        qputenv("XDG_CONFIG_HOME", m_folder->path().toLocal8Bit());
        setEngineForTesting(&m_engine);
        m_backend = std::make_unique<Backend>(m_folder->path().toStdString() + "/runs.db");
        m_window = std::make_unique<MainWindow>(*m_backend, m_theme);
        m_window->show();
    }

    void type(const char* key, const QString& text)
    {
        SettingEditor* editor = m_window->train().nextRun().form().editor(key);
        editor->setText(text);
        Q_EMIT editor->edited();
    }

    void trainRunNamedLikeATag()
    {
        type("name", kTag);
        type("run.limit_steps", QStringLiteral("2"));
        QTRY_VERIFY(m_window->train().action("train.start")->isEnabled());
        m_window->train().action("train.start")->trigger();
        QTRY_VERIFY(!m_backend->controller.isActive());
    }

    // The picture of a widget and of what is drawn around it.
    QImage aroundOf(const QWidget& widget) const
    {
        const QPoint corner = widget.mapTo(m_window.get(), QPoint());
        return m_window->grab(QRect(corner, widget.size()).adjusted(-4, -4, 4, 4)).toImage();
    }

    // Of the widgets in sight, those that the Tab key reaches without a visible change.
    QStringList stopsWithoutFocus() const
    {
        QStringList hidden;
        QList<QWidget*> stops;
        for (QWidget* widget = m_window->nextInFocusChain(); widget != m_window.get();
             widget = widget->nextInFocusChain())
            if ((widget->focusPolicy() & Qt::TabFocus) == Qt::TabFocus && widget->isEnabled()
                && widget->focusProxy() == nullptr && !widget->visibleRegion().isEmpty())
                stops << widget;
        for (QWidget* widget : stops) {
            m_window->setFocus();
            const QImage without = aroundOf(*widget);
            widget->setFocus(Qt::TabFocusReason);
            if (widget->hasFocus() && aroundOf(*widget) == without)
                hidden << QStringLiteral("%1 “%2”").arg(
                    QLatin1String(widget->metaObject()->className()), nameOf(widget));
        }
        return hidden;
    }

    Theme m_theme;
    FakeEngine m_engine;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Backend> m_backend;
    std::unique_ptr<MainWindow> m_window;

private Q_SLOTS:
    void cleanup()
    {
        QAccessible::setActive(false);
        m_window.reset();
        m_backend.reset();
    }

    void everyWidgetThatTakesTheKeyboardHasAName()
    {
        openWindow();
        int walked = 0;
        for (QWidget* widget : m_window->findChildren<QWidget*>()) {
            const bool takesKeys = (widget->focusPolicy() & Qt::TabFocus) != 0
                && widget->focusProxy() == nullptr && widget->window() == m_window.get();
            const auto* message = qobject_cast<InlineMessage*>(widget->parentWidget());
            if (!takesKeys || (message != nullptr && message->isHidden())) // it has no text yet
                continue;
            ++walked;
            QVERIFY2(!nameOf(widget).isEmpty(),
                qPrintable(
                    QStringLiteral("%1 in %2")
                        .arg(QLatin1String(widget->metaObject()->className()),
                            QLatin1String(widget->parentWidget()->metaObject()->className()))));
        }
        QVERIFY(walked > 60);
    }

    void everyStopOfTheTabKeyShowsTheFocus_data()
    {
        QTest::addColumn<PageOf>("page");
        QTest::newRow("train") << PageOf([](MainWindow& w) -> Page& { return w.train(); });
        QTest::newRow("runs") << PageOf([](MainWindow& w) -> Page& { return w.runs(); });
        QTest::newRow("compare") << PageOf([](MainWindow& w) -> Page& { return w.compare(); });
        QTest::newRow("memory") << PageOf([](MainWindow& w) -> Page& { return w.memory(); });
    }

    void everyStopOfTheTabKeyShowsTheFocus()
    {
        QFETCH(PageOf, page);
        openWindow();
        m_theme.apply(ThemeChoice::Light);
        trainRunNamedLikeATag();
        QTRY_COMPARE(m_window->runs().model().rowCount(), 1);
        m_window->showPage(page(*m_window));
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        QTest::qWait(200);
        const QStringList hidden = stopsWithoutFocus();
        QVERIFY2(hidden.isEmpty(), qPrintable(hidden.join(QLatin1Char('\n'))));
    }

    void whatAnEmptyFieldSuggestsIsReadToItsEnd_data()
    {
        QTest::addColumn<QByteArray>("language");
        QTest::newRow("English") << QByteArray("en");
        QTest::newRow("Chinese") << QByteArray("zh_CN");
    }

    void whatAnEmptyFieldSuggestsIsReadToItsEnd()
    {
        QFETCH(QByteArray, language);
        setLanguage(*findLanguage(language.toStdString()));
        openWindow();
        m_theme.apply(ThemeChoice::Light);
        m_window->resize(1024, 700);
        for (auto* part : m_window->train().findChildren<FoldedPart*>())
            part->setOpen(true);
        m_window->train().nextRun().form().editor("data.name")->setText(QStringLiteral("images"));
        QTest::qWait(200);
        QStringList clipped;
        int seen = 0;
        for (const auto* field : m_window->findChildren<QLineEdit*>()) {
            if (!field->isVisible() || field->placeholderText().isEmpty())
                continue;
            ++seen;
            const int room = field->contentsRect().width() - 20; // padding and margins
            if (field->fontMetrics().horizontalAdvance(field->placeholderText()) > room)
                clipped << field->placeholderText();
        }
        setLanguage(languages().front());
        QVERIFY2(clipped.isEmpty(), qPrintable(clipped.join(QLatin1Char('\n'))));
        QVERIFY2(seen >= 8, qPrintable(QString::number(seen)));
    }

    void eachSolveButtonNamesItsNumber()
    {
        ExperimentDraft draft;
        ExperimentForm form(draft);
        const auto* effective =
            static_cast<BatchNumberEditor*>(form.editor("batch.effective"))->button();
        QCOMPARE(effective->accessibleName(),
            QStringLiteral("Compute Effective batch B from the other values"));
    }

    void aFieldSaysWhatIsWrongWithIt()
    {
        ExperimentDraft draft;
        ExperimentForm form(draft);
        SettingEditor* rate = form.editor("optimizer.lr");
        QVERIFY(!rate->focusWidgetOfField()->accessibleDescription().contains(kTag));
        rate->setText(kTag);
        Q_EMIT rate->edited();
        QVERIFY(rate->focusWidgetOfField()->accessibleDescription().startsWith(
            form.row("optimizer.lr")->message()));
    }

    void theBatchBarSaysWindowAndEpoch()
    {
        ExperimentDraft draft;
        ExperimentForm form(draft);
        DataSetStatus data;
        data.trainSamples = 1000;
        draft.setDataStatus(data);
        const QString said = form.findChild<BatchBar*>()->accessibleDescription();
        QCOMPARE(said, QStringLiteral("128 = 32 × 4; 8 updates per epoch, the last one of 104"));
    }

    void aWidgetSaysWhatItShowsWhileSomebodyListens()
    {
        QAccessible::setActive(true);
        WindowView view;
        StepPartsBar parts;
        QAccessible::setActive(true); // announced to the widgets that exist by now
        view.setProgress({ .phase = Phase::Backward, .microBatch = 3, .ofMicroBatches = 4 });
        parts.setParts({ .data = 1, .forward = 2, .backward = 3, .optimizer = 4, .other = 0 });
        QTRY_COMPARE(view.accessibleDescription(), QStringLiteral("micro-batch 3 of 4, backward"));
        QTRY_VERIFY(parts.accessibleDescription().startsWith(
            QStringLiteral("One step takes 10 ms\ndata: 1 ms")));
    }

    void aChartSaysItsLastValues()
    {
        MetricChart chart;
        chart.setTitle(QStringLiteral("Loss"));
        chart.setAxisTitles(QStringLiteral("step"), {});
        chart.setEmptyText(QStringLiteral("Nothing yet."));
        QAccessible::setActive(true);
        QTRY_COMPARE(chart.accessibleDescription(), QStringLiteral("Nothing yet."));
        ChartCurve train;
        train.title = QStringLiteral("train");
        train.points = { { 1, 2.5 }, { 2, 0.5 } };
        ChartCurve original = train;
        original.title.clear();
        chart.setCurves({ original, train });
        QTRY_COMPARE(chart.accessibleDescription(), QStringLiteral("train: 0.5 at step 2"));
        QCOMPARE(nameOf(&chart), QStringLiteral("Loss"));
    }

    void nobodyIsToldWhileNobodyListens()
    {
        QWidget widget;
        int made = 0;
        LiveDescription description(&widget, [&made] {
            ++made;
            return QString::number(made);
        });
        description.refresh();
        QTest::qWait(600);
        QCOMPARE(made, 0);
        QAccessible::setActive(true); // what is shown already is announced then
        QTRY_COMPARE(widget.accessibleDescription(), QStringLiteral("1"));
    }

    void whatChangesOftenIsToldAFewTimesASecond()
    {
        QWidget widget;
        int made = 0;
        LiveDescription description(&widget, [&made] { return QString::number(++made); });
        QAccessible::setActive(true);
        QElapsedTimer clock;
        clock.start();
        while (clock.elapsed() < 1000) {
            description.refresh();
            QTest::qWait(10);
        }
        QVERIFY2(made >= 1 && made <= clock.elapsed() / 300, qPrintable(QString::number(made)));
    }

    void aMessageBesideThePageSaysItself()
    {
        InlineMessage message;
        message.reportProblem(QStringLiteral("It could not be written."));
        QCOMPARE(nameOf(&message), QStringLiteral("It could not be written."));
        message.tellProgress(QStringLiteral("Writing runs.csv …"), [] {});
        QCOMPARE(nameOf(message.findChild<QProgressBar*>()), QStringLiteral("Writing runs.csv …"));
    }

    void theClosedMessagesShowAndSayHowBadTheNewestIs()
    {
        MessageModel model;
        QAction action;
        MessagePanel panel(model, &action);
        model.say(QStringLiteral("No room."), RunMessage::Severity::Error);
        const QList<QLabel*> labels = panel.findChildren<QLabel*>();
        const auto holds = [&](const auto& condition) {
            return std::any_of(labels.begin(), labels.end(), condition);
        };
        QVERIFY(holds([](QLabel* label) {
            return label->pixmap().cacheKey()
                == severitySign(RunMessage::Severity::Error).cacheKey();
        }));
        QVERIFY(holds([](QLabel* label) {
            return label->accessibleName() == QStringLiteral("Error: No room.");
        }));
    }

    void whatOthersNamedIsShownAsTheyNamedIt()
    {
        openWindow();
        trainRunNamedLikeATag();
        m_window->showPage(m_window->runs());
        auto* runs = m_window->findChild<RunsPage*>();
        QTRY_COMPARE(runs->model().rowCount(), 1);
        runs->showFailedChange(kTag);
        runs->findChild<QLineEdit*>()->setText(QStringLiteral("b<") + kTag);
        m_window->findChild<QLabel*>(QStringLiteral("engine"))->setText(kTag);
        for (EmptyPage* page : m_window->findChildren<EmptyPage*>())
            page->showLogProblem(kTag);
        type("data.name", QStringLiteral("idx"));
        type("data.path", QStringLiteral("/") + kTag);
        type("optimizer.lr", kTag);
        const auto isMissing = [&] {
            return findingFor(m_window->draft().check().findings, "data.name") != nullptr;
        };
        QTRY_VERIFY(isMissing());
        int shown = 0;
        for (const QLabel* label : m_window->findChildren<QLabel*>()) {
            const bool escaped = label->text().contains(kTag.toHtmlEscaped());
            if (!escaped && !label->text().contains(kTag))
                continue;
            ++shown;
            QVERIFY2(label->textFormat() == (escaped ? Qt::RichText : Qt::PlainText),
                qPrintable(label->text()));
        }
        QVERIFY2(shown >= 10, qPrintable(QString::number(shown)));
    }

    void aTooltipIsPlainText()
    {
        QToolTip::showText({ 10, 10 }, kTag + QStringLiteral("</b> #1"));
        const QWidgetList all = QApplication::topLevelWidgets();
        const auto tip = std::find_if(all.begin(), all.end(),
            [](const QWidget* widget) { return widget->inherits("QTipLabel"); });
        QVERIFY(tip != all.end());
        QCOMPARE(static_cast<QLabel*>(*tip)->textFormat(), Qt::PlainText);
    }
};

QTEST_MAIN(TestAccessibility)
#include "tst_accessibility.moc"
