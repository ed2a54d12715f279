// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.pushwires;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * What is pushed, and how often.
 *
 * @param directory for logs and figures; made if missing
 * @param classPath with the program
 * @param bytes that a task pushes
 * @param wires in the order of the table
 * @param runs tasks of each wire that count
 * @param deadline for each task
 */
record PushWiresPlan(
    Path directory,
    String classPath,
    long bytes,
    List<String> wires,
    int runs,
    Duration deadline) {}
