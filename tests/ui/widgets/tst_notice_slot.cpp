// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/notice_slot.h"

#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QTest>
#include <QTimer>
#include <QVBoxLayout>

#include "ui/widgets/icons.h"
#include "ui/widgets/theme.h"

#include <memory>

using namespace accrue;

class TestNoticeSlot : public QObject {
    Q_OBJECT
private:
    NoticeSlot& notice() const { return NoticeSlot::of(*m_page); }
    QTimer& timer() const { return *notice().findChild<QTimer*>(); }

    Theme m_theme;
    std::unique_ptr<QWidget> m_window;
    QWidget* m_page = nullptr;
    QWidget* m_below = nullptr;

private Q_SLOTS:
    void init()
    {
        QCursor::setPos(0, 0); // not over the notice
        m_theme.apply(ThemeChoice::Light);
        m_window = std::make_unique<QWidget>();
        m_page = new QWidget;
        m_below = new QLabel(QStringLiteral("Messages"));
        auto* layout = new QVBoxLayout(m_window.get());
        layout->addWidget(m_page, 1);
        layout->addWidget(m_below);
        new NoticeSlot(*m_page);
        m_window->resize(900, 500);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
    }

    void aWindowHasOneWhoeverAsks()
    {
        QCOMPARE(&NoticeSlot::of(*m_below), &NoticeSlot::of(*m_page));
        QCOMPARE(&NoticeSlot::of(*m_window), &NoticeSlot::of(*m_page));
    }

    void itFloatsOverTheBottomOfThePageAndMovesNothing()
    {
        const QRect page = m_page->geometry();
        const QRect below = m_below->geometry();
        notice().tell(QStringLiteral("Archived “first-run” #8."), QStringLiteral("Undo"), [] {});
        QCoreApplication::processEvents();
        QCOMPARE(m_page->geometry(), page);
        QCOMPARE(m_below->geometry(), below);
        QVERIFY(page.contains(notice().geometry()));
        QVERIFY(page.bottom() - notice().geometry().bottom() < 40);
        m_window->resize(700, 400);
        QCoreApplication::processEvents();
        QVERIFY(m_page->geometry().contains(notice().geometry()));
        notice().reportProblem(QString(QStringLiteral("It cannot be written. ")).repeated(12));
        QCoreApplication::processEvents();
        QVERIFY(m_page->geometry().contains(notice().geometry()));
    }

    void aNoteGoesByItselfAlsoWithAnOffer()
    {
        notice().tell(QStringLiteral("Archived."), QStringLiteral("Undo"), [] {});
        QVERIFY(timer().isActive());
        QCOMPARE(timer().interval(), 10'000);
        timer().start(0);
        QTRY_VERIFY(notice().isHidden());
    }

    void aProblemStaysUntilItIsClosed()
    {
        notice().tell(QStringLiteral("Archived."));
        notice().reportProblem(QStringLiteral("The log cannot be written."));
        QVERIFY(!timer().isActive());
        QCOMPARE(notice().text(), QStringLiteral("The log cannot be written."));
    }

    void itStaysWhileTheMouseIsOverIt()
    {
        notice().tell(QStringLiteral("Archived."));
        QEnterEvent enter({}, {}, {});
        QCoreApplication::sendEvent(&notice(), &enter);
        QVERIFY(!timer().isActive());
        QEvent leave(QEvent::Leave);
        QCoreApplication::sendEvent(&notice(), &leave);
        QVERIFY(timer().isActive());
    }

    void itStaysWhileTheKeyboardIsOnItsButton()
    {
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        notice().tell(QStringLiteral("Wrote runs.csv"), QStringLiteral("Show file"), [] {});
        notice().button()->setFocus();
        timer().start(0);
        QTest::qWait(10);
        QVERIFY(!notice().isHidden());
        QVERIFY(timer().isActive());
        m_below->setFocusPolicy(Qt::TabFocus);
        m_below->setFocus();
        timer().start(0);
        QTRY_VERIFY(notice().isHidden());
    }

    void itGoesWhereThePageHasRoomForIt()
    {
        notice().tell(QStringLiteral("Archived."));
        notice().setArea(*m_below);
        const QRect below = m_below->geometry();
        QCOMPARE(notice().geometry().center().x(), below.center().x());
        QVERIFY(notice().geometry().bottom() < below.bottom());
        m_window->resize(760, 520); // only the new place is followed
        QCoreApplication::processEvents();
        QVERIFY(notice().geometry().bottom() < m_below->geometry().bottom());
    }

    void aLaterNoticeReplacesTheFormer()
    {
        notice().reportProblem(QStringLiteral("One."));
        notice().tell(QStringLiteral("Two."));
        QCOMPARE(notice().text(), QStringLiteral("Two."));
        QCOMPARE(m_window->findChildren<NoticeSlot*>().size(), 1);
        notice().withdraw(QStringLiteral("One."));
        QCOMPARE(notice().text(), QStringLiteral("Two."));
        notice().withdraw(QStringLiteral("Two."));
        QVERIFY(notice().isHidden());
    }

    void workIsShownAgainWhenWhatReplacedItGoes()
    {
        const QObject work;
        int cancelled = 0;
        notice().begin(work, QStringLiteral("Writing runs.csv …"), [&cancelled] { ++cancelled; });
        notice().tell(QStringLiteral("Archived."));
        notice().advance(work, 0.5);
        notice().hide();
        QTRY_COMPARE(notice().text(), QStringLiteral("Writing runs.csv …"));
        const auto* bar = notice().findChild<QProgressBar*>();
        QCOMPARE(2 * bar->value(), bar->maximum());
        notice().button()->click();
        QCOMPARE(cancelled, 1);
        QTest::qWait(10);
        QVERIFY(notice().isHidden()); // it has ended
    }

    void whatBecameOfWorkReplacesIt()
    {
        const QObject work;
        notice().begin(work, QStringLiteral("Writing runs.csv …"), [] {});
        notice().tell(QStringLiteral("Wrote runs.csv"));
        notice().end(work);
        QCOMPARE(notice().text(), QStringLiteral("Wrote runs.csv"));
    }

    void itsIconFollowsTheTheme()
    {
        notice().tell(QStringLiteral("Archived."));
        const auto* icon = notice().findChild<QLabel*>();
        const QImage light = icon->pixmap().toImage();
        m_theme.apply(ThemeChoice::Dark);
        QVERIFY(icon->pixmap().toImage() != light);
        const QColor accent = themeColors().accent;
        const QImage dark = icon->pixmap().toImage();
        const QPixmap wanted =
            iconPixmap(QLatin1String("info"), accent, 16, notice().devicePixelRatioF());
        QCOMPARE(dark, wanted.toImage());
    }
};

QTEST_MAIN(TestNoticeSlot)
#include "tst_notice_slot.moc"
