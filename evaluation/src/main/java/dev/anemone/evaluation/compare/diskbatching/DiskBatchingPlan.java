// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.diskbatching;

import dev.anemone.evaluation.lab.workload.ShuffleShape;
import dev.anemone.evaluation.lab.workload.Side;
import java.nio.file.Path;
import java.util.List;

/**
 * What is compared, and how.
 *
 * @param results directory for the figures; made if missing
 * @param disk directory on the disk that is throttled, where the shuffles have their files; made if
 *     missing
 * @param classPath with the programs of this module
 * @param sides to compare; the others are compared with the first one
 * @param shape of the shuffle
 * @param rounds how often each side runs under each condition
 * @param readsPerSecond that the disk allows when it is throttled
 * @param proofSeconds how long random reads are measured
 * @param jvmOptions that every JVM gets, to be reported
 */
record DiskBatchingPlan(
    Path results,
    Path disk,
    String classPath,
    List<Side> sides,
    ShuffleShape shape,
    int rounds,
    int readsPerSecond,
    int proofSeconds,
    List<String> jvmOptions) {}
