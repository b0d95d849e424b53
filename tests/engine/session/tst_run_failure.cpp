// SPDX-License-Identifier: Apache-2.0
#include "engine/session/run_failure.h"

#include <new>
#include <stdexcept>

#include <QTest>

#include <ATen/ATen.h>

#include "engine/base/error.h"

using namespace accrue;

namespace {

template <typename Call>
RunFailure failureOf(const Call& call, const MemoryNeed& need = { .micro = 32 })
{
    try {
        call();
    } catch (...) {
        return describeFailure(std::current_exception(), at::kCPU, need);
    }
    return {};
}

} // namespace

class TestRunFailure : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void ownSentencesPassUnchanged()
    {
        const RunFailure failure =
            failureOf([] { throw Error(Message("test.as_it_stands", "As it stands.")); });
        QVERIFY(failure.outcome == RunOutcome::Failed);
        QCOMPARE(failure.message.english(), std::string("As it stands."));
    }

    void torchErrorsLoseTheirBackTrace()
    {
        const RunFailure failure = failureOf([] {
            at::zeros({ 2, 3 }).matmul(at::zeros({ 2, 3 }));
        });
        QVERIFY(failure.outcome == RunOutcome::Failed);
        QVERIFY(failure.message.english().find('\n') == std::string::npos);
        QVERIFY2(failure.message.english().find("shapes") != std::string::npos,
            failure.message.english().c_str());
    }

    void memoryThatIsNotThereSaysWhatToDo()
    {
        const RunFailure failure = failureOf([] { at::empty({ std::int64_t { 1 } << 55 }); });
        QVERIFY2(failure.outcome == RunOutcome::OutOfMemory, failure.message.english().c_str());
        QVERIFY2(failure.message.english().find("batch.micro to 16") != std::string::npos,
            failure.message.english().c_str());
        QVERIFY(failureOf([] { throw std::bad_alloc(); }).outcome == RunOutcome::OutOfMemory);
        QVERIFY(failureOf([] {
            TORCH_CHECK(
                false, "CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate`");
        }).outcome
            == RunOutcome::OutOfMemory);
    }

    // The allocator's count decides about words of libraries that also mean something else.
    void wordsWithTwoMeaningsAreNoOutOfMemoryErrorByThemselves()
    {
        const FailureWatch watch(at::kCPU); // whose allocator has counted none
        for (const char* words :
            { "GET was unable to find an engine to execute this computation",
                "CUDA error: CUBLAS_STATUS_NOT_INITIALIZED when calling `cublasCreate(handle)`" }) {
            const auto failure = std::make_exception_ptr(std::runtime_error(words));
            QVERIFY(!isOutOfMemory(failure, watch));
        }
        const auto ours = std::make_exception_ptr(
            std::runtime_error("CUDA error: out of memory (launch of a kernel at a.cu:1)"));
        QVERIFY(isOutOfMemory(ours, watch));
    }

    void whatIsKnownToBeOutOfMemoryEndsTheRunAsThat()
    {
        const MemoryNeed need { .micro = 32, .isCertain = true };
        const auto failure = failureOf(
            [] { TORCH_CHECK(false, "GET was unable to find an engine to execute this"); }, need);
        QVERIFY(failure.outcome == RunOutcome::OutOfMemory);
    }

    void atOneSampleThereIsOtherAdvice()
    {
        const MemoryNeed need { .micro = 1, .smallest = true, .inUse = 3 << 20 };
        const RunFailure failure = failureOf([] { throw std::bad_alloc(); }, need);
        QCOMPARE(failure.message.english(),
            std::string("Out of memory on cpu, even with micro-batches of 1 sample, the smallest "
                        "possible. 3.00 MiB were in use when more was requested. Choose a smaller "
                        "model or data set, or free memory that other programs hold."));
    }

    void aBudgetIsNamed()
    {
        const MemoryNeed need {
            .micro = 2, .smallest = true, .inUse = 3 << 20, .budget = Bytes { 4 << 20 }
        };
        const RunFailure failure = failureOf([] { throw std::bad_alloc(); }, need);
        QCOMPARE(failure.message.english(),
            std::string("Out of memory on cpu, even with micro-batches of 2 samples, the smallest "
                        "possible. 3.00 MiB were in use when more was requested; memory.budget "
                        "allows 4.00 MiB. Choose a smaller model or data set, or a larger "
                        "memory.budget."));
    }

    void strangersAreASentenceToo()
    {
        QVERIFY(!failureOf([] { throw 42; }).message.empty());
    }
};

QTEST_GUILESS_MAIN(TestRunFailure)
#include "tst_run_failure.moc"
