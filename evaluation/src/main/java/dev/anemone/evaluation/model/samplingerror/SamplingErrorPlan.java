// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.samplingerror;

import dev.anemone.examples.tpch.TpchSkew;
import java.nio.file.Path;
import java.util.List;

/**
 * What is measured.
 *
 * @param directory for the figures and the chart; made if missing
 * @param data where the TPC-H data is, or shall be generated
 * @param scale of that data
 * @param skew of that data
 * @param text words, separated by single spaces and line breaks
 * @param tasks that produce
 * @param consumers tasks that read
 * @param multiplier partitions for each consumer task
 * @param rates of sampling, rising, each above 0 and at most 1
 */
record SamplingErrorPlan(
    Path directory,
    Path data,
    double scale,
    TpchSkew skew,
    Path text,
    int tasks,
    int consumers,
    int multiplier,
    List<Double> rates) {}
