// SPDX-License-Identifier: Apache-2.0
// Whether the maps of histograms follow the hand: what the painting of another step takes, and that
// of new data. Without a display: QT_QPA_PLATFORM=offscreen. `--smoke` takes few runs and judges
// nothing. Exit 1 when a target is missed.
#include "tests/benchmarks/figures.h"
#include "tests/ui/histograms/histogram_examples.h"
#include "ui/histograms/histogram_maps.h"
#include "ui/widgets/theme.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QImage>

#include <algorithm>
#include <vector>

using namespace accrue;

namespace {

constexpr double kFrame = 16.7; // ms, at 60 Hz
constexpr int kRounds = 21;

double median(std::vector<double> values)
{
    std::nth_element(values.begin(),
        values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
    return values[values.size() / 2];
}

double milliseconds(HistogramMaps& maps, QImage& image)
{
    QElapsedTimer timer;
    timer.start();
    maps.render(&image);
    return static_cast<double>(timer.nsecsElapsed()) / 1e6;
}

} // namespace

int main(int argc, char** argv)
{
    const QApplication application(argc, argv);
    Theme theme;
    theme.apply(ThemeChoice::Light);
    const bool smoke = application.arguments().contains(QStringLiteral("--smoke"));
    const HistogramPanels panels = smoke ? bells(3, 20) : bells(20, 200);
    HistogramMaps maps;
    maps.resize(1300, 700);
    QImage image(maps.size(), QImage::Format_RGB32);
    std::vector<double> made;
    std::vector<double> pointed;
    for (int i = 0; i < kRounds; ++i) {
        maps.setPanels({});
        maps.setPanels(panels);
        made.push_back(milliseconds(maps, image));
        maps.chooseStep(10 + 10 * (i % 2));
        pointed.push_back(milliseconds(maps, image));
    }
    const std::vector<Figure> figures {
        { "maps of 20 runs x 200 steps x 64 bins, new data", median(made), "ms", 2 * kFrame },
        { "the same, another step", median(pointed), "ms", kFrame },
    };
    return report(figures, !smoke) ? 0 : 1;
}
