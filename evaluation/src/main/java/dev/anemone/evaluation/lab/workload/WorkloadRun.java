// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.workload;

import dev.anemone.evaluation.lab.process.ProcessFigures;

/**
 * A run of the workload that brought every record where it belongs.
 *
 * @param figures what the process cost
 * @param report what it counted
 */
public record WorkloadRun(ProcessFigures figures, WorkloadReport report) {}
