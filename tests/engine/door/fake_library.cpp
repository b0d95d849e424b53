// SPDX-License-Identifier: Apache-2.0
// A library that offers an engine of interface FAKE_ABI under the name that the loader asks for. It
// is built once for each case of tst_loader.
#include "engine/door/loader.h"

#ifdef FAKE_NEEDS
int whatAnotherLibraryHas();
#endif

namespace {

class TinyEngine : public accrue::Engine {
public:
    accrue::EngineVersions versions() override
    {
        accrue::EngineVersions versions;
        versions.torch = "tiny";
        return versions;
    }
    std::vector<accrue::DeviceInfo> devices() override { return {}; }
    void warmUp() override { }
    accrue::RunEnded train(
        const accrue::TrainRequest&, accrue::RunControl&, accrue::EventSink&) override
    {
        return {};
    }
    accrue::RunEnded join(
        const accrue::JoinRequest&, accrue::RunControl&, accrue::EventSink&) override
    {
        return {};
    }
    accrue::MemoryFit fit(
        const accrue::FitRequest&, accrue::RunControl&, const accrue::FitProgressSink&) override
    {
        return {};
    }
    accrue::SavedCheckpoint inspect(const std::filesystem::path& checkpoint) override
    {
        return { .folder = checkpoint };
    }
    accrue::Message resumeProblem(const accrue::DataIdentity&, const accrue::TrainRequest&) override
    {
        return {};
    }
    std::vector<accrue::SelfTestRow> selfTest(
        const std::string&, const std::filesystem::path&) override
    {
        return {};
    }
    accrue::CheckpointFigures evaluate(const accrue::EvaluationRequest&) override { return {}; }
    accrue::ParameterDistance distance(
        const std::filesystem::path&, const std::filesystem::path&) override
    {
        return {};
    }
};

} // namespace

extern "C" __attribute__((visibility("default"))) accrue::Engine* accrueEngine(int abi)
{
    static TinyEngine engine;
#ifdef FAKE_NEEDS
    whatAnotherLibraryHas();
#endif
    return abi == FAKE_ABI ? &engine : nullptr;
}
