// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.poolgroupby;

import dev.anemone.evaluation.lab.workload.ShuffleShape;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * What is grouped and broadcast, and how often.
 *
 * @param directory for logs and figures; made if missing
 * @param classPath with the programs and NemoRunner
 * @param groupBy records that are grouped, and tasks
 * @param broadcastPairs values of 1,000 bytes in the side input, an even number
 * @param lookups in it
 * @param transport to the pool, and of what is pushed over a transport
 * @param poolMegabytes DRAM that the pool lends
 * @param jvmOptions of the JVMs that are measured
 * @param runs of each program on each side
 * @param deadline after which a program is killed
 */
record GroupByPlan(
    Path directory,
    String classPath,
    ShuffleShape groupBy,
    long broadcastPairs,
    long lookups,
    String transport,
    int poolMegabytes,
    List<String> jvmOptions,
    int runs,
    Duration deadline) {}
