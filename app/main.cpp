// SPDX-License-Identifier: Apache-2.0
#include "app/command_line.h"

#include "engine/base/language.h"
#include "engine/door/loader.h"

#include <iostream>

int main(int argc, char** argv)
{
    // First: it must precede any thread and any file (loader.h).
    accrue::prepareProcessForEngine();
    accrue::setLanguage(accrue::languageOfEnvironment());
    // The program uses no C streams, and tied streams would flush before each read or message: one
    // pipe that nobody reads would block another.
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);
    std::cerr.tie(nullptr);
    return accrue::runCommandLine(argc, argv, std::cin, std::cout, std::cerr);
}
