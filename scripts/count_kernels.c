// SPDX-License-Identifier: Apache-2.0
// Counts what an unchanged program does on the GPU: kernels by name, copies, memsets, and waits of the host.
//   build: cc -shared -fPIC -O2 -I$CUDA/include count_kernels.c -o libcount.so $CUDA/lib/libcupti.so.13
//   use:   CUDA_INJECTION64_PATH=$PWD/libcount.so COUNT_TO=counts.tsv ./accrue train …
// Writes a line COUNT, MILLISECONDS, NAME for each, the most frequent first, with tabs between; TOTAL is of all but the waits.
#include <cupti.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kMostNames = 4096, kNameLength = 160, kBufferBytes = 8 << 20 };
struct Tally {
    char name[kNameLength];
    unsigned long long count, nanoseconds;
};
static struct Tally tallies[kMostNames];
static int tallyCount;
static volatile int isLocked;

static void add(const char* name, unsigned long long nanoseconds)
{
    int i = 0;
    while (__sync_lock_test_and_set(&isLocked, 1))
        ;
    while (i < tallyCount && strncmp(tallies[i].name, name, kNameLength - 1) != 0)
        ++i;
    if (i == tallyCount && tallyCount < kMostNames)
        strncpy(tallies[tallyCount++].name, name, kNameLength - 1);
    if (i < kMostNames) {
        tallies[i].count += 1;
        tallies[i].nanoseconds += nanoseconds;
    }
    __sync_lock_release(&isLocked);
}

static void addKind(const char* what, const char* const* kinds, unsigned kindCount, unsigned kind,
    unsigned long long nanoseconds)
{
    char name[64];
    snprintf(name, sizeof name, "[%s %s]", what, kind < kindCount ? kinds[kind] : "?");
    add(name, nanoseconds);
}

static void CUPTIAPI bufferRequested(uint8_t** buffer, size_t* size, size_t* mostRecords)
{
    *buffer = aligned_alloc(8, kBufferBytes);
    *size = kBufferBytes;
    *mostRecords = 0;
}

static void addRecord(const CUpti_Activity* record)
{
    static const char* const copyKinds[]
        = { "?", "HtoD", "DtoH", "HtoA", "AtoH", "AtoA", "AtoD", "DtoA", "DtoD", "HtoH", "PtoP" };
    static const char* const waitKinds[] = { "?", "event", "stream for event", "stream", "context" };
    if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) {
        const CUpti_ActivityKernel10* kernel = (const CUpti_ActivityKernel10*)record;
        add(kernel->name, kernel->end - kernel->start);
    } else if (record->kind == CUPTI_ACTIVITY_KIND_MEMCPY) {
        const CUpti_ActivityMemcpy6* copy = (const CUpti_ActivityMemcpy6*)record;
        addKind("copy", copyKinds, 11, copy->copyKind, copy->end - copy->start);
    } else if (record->kind == CUPTI_ACTIVITY_KIND_MEMSET) {
        const CUpti_ActivityMemset4* set = (const CUpti_ActivityMemset4*)record;
        add("[memset]", set->end - set->start);
    } else if (record->kind == CUPTI_ACTIVITY_KIND_SYNCHRONIZATION) {
        const CUpti_ActivitySynchronization2* wait = (const CUpti_ActivitySynchronization2*)record;
        addKind("wait", waitKinds, 5, wait->type, wait->end - wait->start);
    }
}

static void CUPTIAPI bufferCompleted(
    CUcontext context, uint32_t stream, uint8_t* buffer, size_t size, size_t validBytes)
{
    CUpti_Activity* record = NULL;
    (void)context, (void)stream, (void)size;
    while (cuptiActivityGetNextRecord(buffer, validBytes, &record) == CUPTI_SUCCESS)
        addRecord(record);
    free(buffer);
}

static int byCount(const void* left, const void* right)
{
    const unsigned long long a = ((const struct Tally*)left)->count;
    const unsigned long long b = ((const struct Tally*)right)->count;
    return a < b ? 1 : a > b ? -1 : 0;
}

static void writeTallies(void)
{
    unsigned long long launches = 0, nanoseconds = 0;
    const char* to = getenv("COUNT_TO");
    FILE* out = to ? fopen(to, "w") : stderr;
    if (out == NULL)
        return;
    cuptiActivityFlushAll(1);
    qsort(tallies, (size_t)tallyCount, sizeof tallies[0], byCount);
    for (int i = 0; i < tallyCount; ++i)
        if (strncmp(tallies[i].name, "[wait", 5) != 0) {
            launches += tallies[i].count;
            nanoseconds += tallies[i].nanoseconds;
        }
    fprintf(out, "%llu\t%.3f\tTOTAL\n", launches, (double)nanoseconds / 1e6);
    for (int i = 0; i < tallyCount; ++i)
        fprintf(out, "%llu\t%.3f\t%s\n", tallies[i].count, (double)tallies[i].nanoseconds / 1e6,
            tallies[i].name);
    if (out != stderr)
        fclose(out);
}

// The CUDA driver calls it in each process that it is named for.
__attribute__((visibility("default"))) int InitializeInjection(void)
{
    cuptiActivityRegisterCallbacks(bufferRequested, bufferCompleted);
    cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
    cuptiActivityEnable(CUPTI_ACTIVITY_KIND_MEMCPY);
    cuptiActivityEnable(CUPTI_ACTIVITY_KIND_MEMSET);
    cuptiActivityEnable(CUPTI_ACTIVITY_KIND_SYNCHRONIZATION);
    atexit(writeTallies);
    return 1;
}
