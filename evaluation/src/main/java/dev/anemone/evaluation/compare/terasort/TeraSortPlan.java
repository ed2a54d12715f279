// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.terasort;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * What is sorted, and within which bounds.
 *
 * @param directory for the records, the logs and the figures; made if missing
 * @param classPath with the command line of the examples
 * @param records of 100 bytes
 * @param heap largest heap of the sorting JVM, as -Xmx takes it
 * @param offHeapMegabytes direct memory of the sorting JVM in MB
 * @param jvmOptions that NemoRunner cannot do without
 * @param runnerOptions further options of the runner
 * @param deadline after which a program is killed
 */
record TeraSortPlan(
    Path directory,
    String classPath,
    long records,
    String heap,
    int offHeapMegabytes,
    List<String> jvmOptions,
    List<String> runnerOptions,
    Duration deadline) {}
