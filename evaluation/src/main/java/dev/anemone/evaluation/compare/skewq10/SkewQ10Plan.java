// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.skewq10;

import dev.anemone.evaluation.lab.workload.Side;
import dev.anemone.examples.tpch.TpchSkew;
import java.nio.file.Path;
import java.util.List;

/**
 * What is compared, and how.
 *
 * @param directory for the figures and the chart; made if missing
 * @param data where the data is, or shall be generated
 * @param scale of the data
 * @param skew of the data
 * @param sides to compare; the others are compared with the first one
 * @param parallelism consumer tasks of every stage
 * @param conditions under which all sides run
 * @param rounds how often each side runs under each condition
 * @param jvmOptions that every JVM gets, to be reported
 */
record SkewQ10Plan(
    Path directory,
    Path data,
    double scale,
    TpchSkew skew,
    List<Side> sides,
    int parallelism,
    List<Condition> conditions,
    int rounds,
    List<String> jvmOptions) {}
