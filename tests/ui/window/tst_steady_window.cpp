// SPDX-License-Identifier: Apache-2.0
// No field, button or chart moves while a person types or reads.
#include "tests/support/steady_geometry.h"

#include <QAction>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

#include "engine/experiment/keys.h"
#include "tests/support/waiting.h"
#include "tests/ui/window/window_test.h"
#include "ui/draft/experiment_draft.h"
#include "ui/models/message_model.h"
#include "ui/train/checks_panel.h"
#include "ui/train/experiment_form.h"
#include "ui/train/learning_rate_row.h"
#include "ui/train/live_charts.h"
#include "ui/train/next_run_column.h"
#include "ui/train/shown_run_column.h"
#include "ui/train/train_page.h"
#include "ui/widgets/folded_part.h"

using namespace accrue;

class TestSteadyWindow : public WindowTest {
    Q_OBJECT
private:
    ExperimentForm& form() const { return m_window->train().nextRun().form(); }

    QLineEdit* fieldOf(const std::string& key) const
    {
        auto* field = qobject_cast<QLineEdit*>(form().editor(key)->focusWidgetOfField());
        return field != nullptr && field->isVisible() && !field->isReadOnly() ? field : nullptr;
    }

    // The geometry after layouts are done.
    static QString movedSince(const test::SteadyGeometry& before)
    {
        QCoreApplication::processEvents();
        QCoreApplication::sendPostedEvents();
        return before.moved().join(QLatin1Char('\n')).left(400);
    }

private Q_SLOTS:
    void nothingMovesWhileANumberIsTyped_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::newRow("small") << QSize(1024, 700);
        QTest::newRow("large") << QSize(1600, 1000);
    }

    void nothingMovesWhileANumberIsTyped()
    {
        QFETCH(QSize, size);
        m_window->resize(size);
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        form().rows().setOpenParts({ QStringLiteral("data"), QStringLiteral("batch"),
            QStringLiteral("optimizer"), QStringLiteral("run") });
        QTRY_VERIFY(m_window->train().action("train.start")->isEnabled());
        QTRY_VERIFY(m_window->draft().check().resolved
            && m_window->draft().check().resolved->epoch.samples > 0); // the data was looked at
        QTest::qWait(50); // parts that opened are laid out
        const test::SteadyGeometry before(*m_window);
        QVERIFY(before.count() > 60);
        int typed = 0;
        for (const KeyInfo& key : experimentKeys()) {
            QLineEdit* field = fieldOf(key.key);
            if (field == nullptr)
                continue;
            field->setFocus();
            field->selectAll();
            const QString was = field->text();
            for (const QChar letter : QStringLiteral("0.0-5x")) {
                QTest::keyClick(field, letter.toLatin1());
                QCOMPARE(movedSince(before), QString());
                m_window->draft().showPending(); // the typing pauses
                QCOMPARE(movedSince(before), QString());
            }
            field->selectAll();
            QTest::keyClicks(field, was);
            if (was.isEmpty())
                QTest::keyClick(field, Qt::Key_Delete);
            QCOMPARE(movedSince(before), QString());
            ++typed;
        }
        QVERIFY2(typed > 20, qPrintable(QString::number(typed)));
    }

    void whatIsWrongIsShownOnlyWhenTheTypingPauses()
    {
        QTRY_VERIFY(m_window->train().action("train.start")->isEnabled());
        const auto wrong = [this] {
            return form().editor("optimizer.lr")->findChild<QLineEdit*>();
        };
        QLineEdit* field = fieldOf("optimizer.lr");
        field->setFocus();
        field->selectAll();
        for (const char* letter : { "0", ".", "0" }) {
            QTest::keyClicks(field, QString::fromLatin1(letter));
            QCOMPARE(wrong()->property("finding").toString(), QString());
            QVERIFY(m_window->train().action("train.start")->isEnabled());
        }
        QTest::keyClicks(field, QStringLiteral("5"));
        QCOMPARE(m_window->draft().experiment().optimizer.lr, 0.05);
        field->selectAll();
        QTest::keyClicks(field, QStringLiteral("0"));
        QCOMPARE(wrong()->property("finding").toString(), QString());
        QTRY_COMPARE(wrong()->property("finding").toString(), QStringLiteral("wrong"));
        QVERIFY(!m_window->train().action("train.start")->isEnabled());
        QTest::keyClicks(field, QStringLiteral(".5")); // at once, when it is correct again
        QCOMPARE(wrong()->property("finding").toString(), QString());
    }

    // The field that loses the focus by the click is wrong, and its finding would be shown above
    // the button.
    void aClickReachesTheButtonThatItWasMeantFor()
    {
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        for (const auto& [key, text] :
            { std::pair { "model.norm", "batch" }, { "batch.micro", "4" } }) {
            form().editor(key)->setText(QString::fromLatin1(text));
            Q_EMIT form().editor(key)->edited();
        }
        QLineEdit* field = fieldOf("optimizer.lr");
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, QStringLiteral("0"));
        const auto* panel = m_window->train().findChild<ChecksPanel*>();
        QTest::mouseClick(panel->findChild<QPushButton*>(), Qt::LeftButton);
        QTRY_COMPARE(m_window->draft().experiment().model.norm, Norm::Group);
        QTRY_COMPARE(field->property("finding").toString(), QStringLiteral("wrong"));
    }

    // A link to a field that cannot be edited would lead nowhere.
    void onlyFieldsInUseAreLinkedAmongTheChecks()
    {
        Experiment experiment = m_window->draft().experiment();
        experiment.model.groups = 4; // which nothing reads without GroupNorm
        m_window->draft().replace(experiment, QStringLiteral("Groups"));
        m_window->draft().showPending();
        const auto* panel = m_window->train().findChild<ChecksPanel*>();
        int seen = 0;
        for (const QLabel* label : panel->findChildren<QLabel*>())
            if (label->text().contains(QLatin1String("Groups"))) {
                QVERIFY2(!label->text().contains(QLatin1String("href")), qPrintable(label->text()));
                ++seen;
            }
        QCOMPARE(seen, 1);
    }

    void startShowsWhatIsWrongAndDoesNotTrainIt()
    {
        QTRY_VERIFY(m_window->train().action("train.start")->isEnabled());
        QLineEdit* field = fieldOf("optimizer.lr");
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, QStringLiteral("0"));
        m_window->train().action("train.start")->trigger(); // before the typing paused
        QVERIFY(!m_backend->controller.isActive());
        QCOMPARE(field->property("finding").toString(), QStringLiteral("wrong"));
    }

    void nothingMovesWhileARunStartsTrainsAndEnds()
    {
        m_window->resize(1024, 700);
        QTRY_VERIFY(m_window->train().action("train.start")->isEnabled());
        QTRY_VERIFY(m_window->draft().check().resolved
            && m_window->draft().check().resolved->epoch.samples > 0);
        engine().setOptions({ .stepTime = std::chrono::milliseconds(5) });
        const test::SteadyGeometry before(*m_window);
        m_window->train().action("train.start")->trigger();
        QCOMPARE(movedSince(before), QString());
        QTRY_VERIFY(m_window->train().runColumn().charts().learningRate().has_value());
        QCOMPARE(movedSince(before), QString());
        QTRY_VERIFY(m_window->train().runColumn().learningRate().field()->isVisible());
        for (const QChar letter : QStringLiteral("0x")) {
            QTest::keyClick(
                m_window->train().runColumn().learningRate().field(), letter.toLatin1());
            QCOMPARE(movedSince(before), QString());
        }
        m_window->messages().say(
            QStringLiteral("Something went wrong."), RunMessage::Severity::Error);
        QCOMPARE(movedSince(before), QString());
        m_window->train().action("train.stop")->trigger();
        QTRY_VERIFY(!m_backend->controller.isActive());
        QCOMPARE(movedSince(before), QString());
        QTRY_VERIFY(m_window->train().action("train.resumeShown")->isEnabled());
        QCOMPARE(movedSince(before), QString());
    }

    void nothingMovesWhileTheFormIsReplacedByTheSameKindOfRun()
    {
        train("one");
        QTRY_VERIFY(m_window->train().action("train.loadSettings")->isEnabled());
        QLineEdit* seed = fieldOf("run.seed");
        seed->setFocus();
        seed->selectAll();
        QTest::keyClicks(seed, QStringLiteral("4711"));
        const test::SteadyGeometry before(*m_window);
        m_window->train().action("train.loadSettings")->trigger(); // which offers to undo it
        QCOMPARE(movedSince(before), QString());
    }
};

QTEST_MAIN(TestSteadyWindow)
#include "tst_steady_window.moc"
