// SPDX-License-Identifier: Apache-2.0
#include "ui/window/interface_size.h"

#include <QByteArray>
#include <QSettings>
#include <QString>

#include <algorithm>

namespace accrue {

namespace {

constexpr int kUnscaled = 100;
constexpr const char* kVariable = "QT_SCALE_FACTOR";
const QString kKey = QStringLiteral("window/size");

} // namespace

const std::vector<int>& interfaceSizes()
{
    static const std::vector<int> sizes { 90, kUnscaled, 110, 125, 150, 175, 200 };
    return sizes;
}

// A person may have written another number: a window that is too large for the screen could not be
// used to correct it.
int interfaceSize(const QSettings& settings)
{
    const int stored = settings.value(kKey, kUnscaled).toInt();
    const std::vector<int>& sizes = interfaceSizes();
    return std::find(sizes.begin(), sizes.end(), stored) == sizes.end() ? kUnscaled : stored;
}

void rememberInterfaceSize(QSettings& settings, int percent)
{
    settings.setValue(kKey, percent);
    settings.sync(); // the program may be started again before this one ends
}

void applyInterfaceSize(const QSettings& settings)
{
    const int size = interfaceSize(settings);
    if (size != kUnscaled && !qEnvironmentVariableIsSet(kVariable))
        qputenv(kVariable, QByteArray::number(size / 100.0));
}

} // namespace accrue
