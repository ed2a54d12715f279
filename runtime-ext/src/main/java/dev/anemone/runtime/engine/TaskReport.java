// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.engine;

/**
 * What an operator reported at the end of a successful task attempt.
 *
 * @param vertexId the operator's vertex in the IR
 * @param taskIndex which task of the vertex
 * @param report the report, as given to {@link dev.anemone.runtime.spi.OperatorContext#report};
 *     must not be modified
 */
@SuppressWarnings("ArrayRecordComponent") // handed through, never compared
public record TaskReport(String vertexId, int taskIndex, byte[] report) {}
