// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.sampling;

import java.util.Objects;

/**
 * What a sampled task has written over one link.
 *
 * @param messageId the message that it is for
 * @param stage name of the task's stage
 * @param peer name of the stage at the other end of the link
 * @param task index of the task
 * @param sampledTasks how many tasks of the stage are sampled
 * @param tasks how many tasks the stage has
 * @param startedMillis when the attempt started, in milliseconds since 1970
 * @param tookMillis how long it has run since, in milliseconds
 * @param sizes bytes per partition, as {@link dev.anemone.ir.message.SizeHistogram#toBytes()} codes
 *     them; must not be modified
 */
@SuppressWarnings("ArrayRecordComponent") // handed through, never compared
public record MeasuredSizes(
    String messageId,
    String stage,
    String peer,
    int task,
    int sampledTasks,
    int tasks,
    long startedMillis,
    long tookMillis,
    byte[] sizes) {

  public MeasuredSizes {
    Objects.requireNonNull(messageId, "messageId");
    Objects.requireNonNull(stage, "stage");
    Objects.requireNonNull(peer, "peer");
    Objects.requireNonNull(sizes, "sizes");
  }
}
