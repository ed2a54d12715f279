// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.terasort;

import dev.anemone.evaluation.lab.report.Machine;
import java.util.List;

/**
 * The raw figures of the experiment, as they are written to a file.
 *
 * @param started when, in ISO 8601
 * @param machine that was measured on
 * @param loadBefore programs that ran or waited in the minute before; negative if not known
 * @param bytes that were sorted
 * @param jvmOptions of the sorting JVM
 * @param runnerOptions of the sorting pipeline
 * @param steps in the order in which they ran
 * @param summary what went over the edges of the sorting pipeline, as the runner prints it
 * @param validation what the validator printed
 */
record TeraSortFigures(
    String started,
    Machine machine,
    double loadBefore,
    long bytes,
    List<String> jvmOptions,
    List<String> runnerOptions,
    List<TeraSortStep> steps,
    String summary,
    String validation) {}
