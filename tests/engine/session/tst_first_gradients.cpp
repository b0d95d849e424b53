// SPDX-License-Identifier: Apache-2.0
// The gradient of the first window, before rounding has grown over updates: in float32 and bfloat16
// it tells a micro-batch that was left out, and one sample that weighs 1 % too much, from rounding.
// docs/exactness.md.

#include <algorithm>
#include <array>
#include <map>

#include <QTemporaryDir>
#include <QTest>

#include <ATen/ATen.h>

#include "engine/experiment/recipe.h"
#include "tests/engine/session/pythons_torch.h"
#include "tests/engine/session/reference_rows.h"

using namespace accrue;
using namespace accrue::test;

namespace {

// A gradient may differ by so many times what rounding does to it in Python on this machine.
constexpr double kOfTheMachine = 10;
// The share of a mistake that a gradient has in it: 0 where it is right, 1 where the mistake was
// made. Rounding has no direction, so little of it points the mistake's way.
constexpr double kRight = 0.25;
constexpr double kWrong = 0.75;

constexpr std::array kMistakes { "a slice is left out", "one sample weighs 1 % more" };

// One update that is the gradient and nothing else: so large that the parameters vanish beside it.
constexpr double kRate = 1e4;

Experiment firstGradientOf(Experiment experiment)
{
    const OptimizerSettings asked = experiment.optimizer;
    experiment.optimizer = { .lr = kRate, .momentum = 0 };
    experiment.optimizer.clipNorm = asked.clipNorm;
    experiment.optimizer.clipValue = asked.clipValue;
    experiment.schedule = {};
    experiment.run.limitSteps = 1;
    return experiment;
}

std::vector<Training> roundedOnes()
{
    std::vector<Training> all = combinationsInEachPrecision();
    std::erase_if(all, [](const Training& training) {
        return training.settings.find("run.precision=float64") != std::string::npos;
    });
    return all;
}

at::Tensor flat(NamedTensors tensors)
{
    std::sort(tensors.begin(), tensors.end(),
        [](const auto& left, const auto& right) { return left.first < right.first; });
    std::vector<at::Tensor> parts;
    for (const auto& [name, tensor] : tensors)
        parts.push_back(tensor.flatten().to(at::kDouble));
    return at::cat(parts);
}

at::Tensor gradientOf(const Trained& trained, const Trained& start)
{
    return (flat(start.parameters) - flat(trained.parameters)) / kRate;
}

double apart(const at::Tensor& gradient, const at::Tensor& reference)
{
    return (gradient - reference).norm().item<double>() / reference.norm().item<double>();
}

// Of what a recipe's first window makes: the gradients of the engine, of Python, of Python where it
// only rounds otherwise, and of Python with each mistake.
struct Gradients {
    std::string failure;
    at::Tensor session;
    at::Tensor right;
    double machine = 0;
    struct Mistake {
        at::Tensor made; // by the mistake
        at::Tensor direction; // in float64: what it changes
    };
    std::vector<Mistake> mistakes;
};

double shareOf(
    const Gradients::Mistake& mistake, const at::Tensor& gradient, const at::Tensor& right)
{
    const at::Tensor& way = mistake.direction;
    return at::dot(gradient - right, way).item<double>() / at::dot(way, way).item<double>();
}

} // namespace

class TestFirstGradients : public QObject {
    Q_OBJECT

private:
    const std::vector<Training> m_rows = roundedOnes();
    QTemporaryDir m_folder;
    PythonsTorch m_python;
    std::map<std::string, Gradients> m_known; // by recipe: many rows differ in later updates only
    double m_farthestFromRight = 0;
    double m_nearestToMistake = 1;

    Gradients compute(const Experiment& experiment)
    {
        const std::filesystem::path here = m_folder.filePath("gradient").toStdString();
        const Trained start = writeStart(here, experiment);
        const auto python = [&](const std::string& defect, const std::string& variant) {
            const Trained trained =
                m_python.train(here, start, { .defect = defect, .variant = variant });
            return trained.failure.empty() ? gradientOf(trained, start) : at::Tensor();
        };
        const Trained session = trainBySession(here, experiment, start);
        Gradients gradients;
        gradients.failure = session.failure;
        gradients.right = python({}, {});
        const at::Tensor exact = python({}, "float64");
        if (!gradients.failure.empty() || !gradients.right.defined() || !exact.defined()) {
            gradients.failure += " or Python's training did not complete";
            return gradients;
        }
        gradients.session = gradientOf(session, start);
        gradients.machine =
            std::max(apart(exact, gradients.right), apart(python({}, "reversed"), gradients.right));
        for (const char* mistake : kMistakes)
            gradients.mistakes.push_back(
                { python(mistake, {}), python(mistake, "float64") - exact });
        std::filesystem::remove_all(here);
        return gradients;
    }

    const Gradients& gradientsOf(std::size_t row)
    {
        const Experiment experiment =
            firstGradientOf(experimentOf(m_rows[row], m_folder.path().toStdString()));
        const std::string key = writeRecipe(experiment);
        const auto found = m_known.find(key);
        return found != m_known.end() ? found->second
                                      : m_known.emplace(key, compute(experiment)).first->second;
    }

private Q_SLOTS:
    void initTestCase()
    {
        const QString why = m_python.start();
        if (!why.isEmpty())
            QSKIP(qPrintable(why));
    }

    void everyFirstGradientIsPythons_data() { addRows(m_rows); }

    void everyFirstGradientIsPythons()
    {
        QFETCH(std::size_t, row);
        const Gradients& gradients = gradientsOf(row);
        QVERIFY2(gradients.failure.empty(), gradients.failure.c_str());
        const double difference = apart(gradients.session, gradients.right);
        const QByteArray text = "apart by " + QByteArray::number(difference) + ", on this machine "
            + QByteArray::number(gradients.machine);
        QVERIFY2(difference <= kOfTheMachine * gradients.machine, text.constData());
        m_farthestFromRight = std::max(m_farthestFromRight, difference);
        for (const Gradients::Mistake& mistake : gradients.mistakes) {
            const double share = shareOf(mistake, gradients.session, gradients.right);
            QVERIFY2(std::abs(share) <= kRight, QByteArray::number(share).constData());
        }
    }

    void everyMistakeIsSeen_data() { addRows(m_rows); }

    void everyMistakeIsSeen()
    {
        QFETCH(std::size_t, row);
        const Gradients& gradients = gradientsOf(row);
        QCOMPARE(gradients.mistakes.size(), kMistakes.size());
        for (const Gradients::Mistake& mistake : gradients.mistakes) {
            const double share = shareOf(mistake, mistake.made, gradients.right);
            QVERIFY2(share >= kWrong, QByteArray::number(share).constData());
            m_nearestToMistake = std::min(m_nearestToMistake, share);
        }
    }

    void cleanupTestCase()
    {
        m_python.end();
        qInfo("%zu recipes; farthest from Python's gradient: %.1e; least share of a mistake that "
              "was made: %.2f",
            m_known.size(), m_farthestFromRight, m_nearestToMistake);
    }
};

QTEST_GUILESS_MAIN(TestFirstGradients)
#include "tst_first_gradients.moc"
