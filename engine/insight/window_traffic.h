// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace accrue {

// What the ranks of a run exchange in one window, from the formulas of the algorithms. Pure.
//
// Everything consists of *phases*: a reduce-scatter, after which each of W ranks has its part of a
// sum, or an all-gather, after which all have all parts. By a ring, a phase of G bytes is W − 1
// messages, one after the other, in which each rank sends (W − 1)/W · G bytes; an all-reduce is
// both (Patarasuk and Yuan 2009, doi 10.1016/j.jpdc.2008.09.002; Thakur, Rabenseifner and Gropp
// 2005, doi 10.1177/1094342005051521).
//
// Hierarchical, with L ranks on each of W/L machines, a phase is one of G bytes among the ranks of
// a machine and, between the machines, L at once of G/L bytes each (Jia et al. 2018, arXiv
// 1807.11205, section 3.3; Mikami et al. 2018, arXiv 1811.05233). So a rank sends (L − 1)/L · G
// bytes within its machine and (W/L − 1)/(W/L) · G/L to others, in L − 1 and W/L − 1 messages.
// With L = 1 this is the ring.

// What each rank has a part of.
enum class Sharding { None, Optimizer, Parameters };

struct ScalingPoint {
    std::int64_t ranks = 1; // W
    std::int64_t steps = 1; // N
    bool everyMicroBatch = false; // gradients are added up N times in a window, not once
    double gradientBytes = 0; // G, also the bytes of the parameters
    double windowSeconds = 0; // measured
    Sharding sharding = Sharding::None;
    std::int64_t chunks = 2; // in which sharded parameters are gathered, one after the other
    std::int64_t buckets = 1; // in which whole gradients are summed, several at once
    double keptBytes = 0; // of the last chunk, which the backward pass finds gathered
    std::size_t link = 0; // between machines: one of those that were measured
    std::int64_t perMachine = 1; // L; divides W
    std::size_t linkWithin = 0; // between ranks of one machine, if L > 1
};

// Phases of all gradients or parameters in a window: by the all-reduce of gradients 2, once or N
// times. With the optimizer's state in parts (ZeRO-1, Rajbhandari et al. 2020, arXiv 1910.02054,
// section 7) the all-reduce falls apart into a reduce-scatter before and an all-gather after the
// update: 2, or 2 N + 1 if each micro-batch is added up. With the parameters in parts (ZeRO-3, the
// same, section 7.2.2) each micro-batch gathers them twice, for the forward and the backward pass,
// and reduces its gradients to the parts: 3 N. This program spares the second gather of the last
// chunk (keptBytes), with which the backward pass begins.
double largePhases(const ScalingPoint& point);
// Sums and gathers of a window as this program counts them, with those of few bytes: the window's
// figures, its verdict and, in parts, the gradient's norm.
std::int64_t collectives(const ScalingPoint& point);
// That a rank sends in the large phases of a window, in a ring.
double bytesSent(const ScalingPoint& point);

struct LinkTraffic {
    double messages = 0; // one after the other
    double bytes = 0; // that each rank sends
};

// In a window, with all that is small: what the ranks request at its end, figures and verdict go to
// one rank and from there down a binomial tree, which is 1 + log2 W messages, one after the other;
// that rank gets kAgreementBytes of each other one. If slices exchange something, the ranks agree
// before each of them, too. Otherwise these agreements are not counted: they take a hundredth of
// the time at most (engine/distributed/agreement_pace.h). Neither is the one before a slice whose
// sums go on while it computes, or the time that these sums save.
struct WindowTraffic {
    LinkTraffic between; // machines
    LinkTraffic within; // a machine
};
WindowTraffic trafficOf(const ScalingPoint& point);
constexpr double kAgreementBytes = 144; // 18 numbers (engine/distributed/process_world.cpp)

} // namespace accrue
