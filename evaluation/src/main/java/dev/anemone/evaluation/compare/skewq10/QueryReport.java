// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.skewq10;

import dev.anemone.evaluation.lab.edges.EdgeFigures;

/**
 * What a {@link QueryProgram} reports when it ends.
 *
 * @param jobMilliseconds from when the runner got the pipeline until that was done
 * @param rows the answer, as a table
 * @param edges what went over the edges
 */
public record QueryReport(long jobMilliseconds, String rows, EdgeFigures edges) {}
