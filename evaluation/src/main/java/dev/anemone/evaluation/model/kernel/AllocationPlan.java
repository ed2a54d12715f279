// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.kernel;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * What is shuffled, and how often.
 *
 * @param directory for logs, figures and the files of shuffles; made if missing
 * @param classPath with the program
 * @param few records of {@link KernelRecords#RECORD_BYTES} bytes
 * @param many records, more than {@code few}
 * @param partitions that they go to
 * @param memoryMegabytes of writer and readers
 * @param transports of the pool
 * @param runs JVMs for each path
 * @param deadline for each JVM
 */
record AllocationPlan(
    Path directory,
    String classPath,
    long few,
    long many,
    int partitions,
    int memoryMegabytes,
    List<String> transports,
    int runs,
    Duration deadline) {}
