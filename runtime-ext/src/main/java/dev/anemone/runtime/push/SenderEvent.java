// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push;

import dev.anemone.runtime.push.protocol.Reply;

/** What the threads of the network tell a {@link PushSender}. */
public sealed interface SenderEvent {

  /** A target has answered a batch. */
  record Answered(int target, Reply reply, int number) implements SenderEvent {}

  /** The connection to a target cannot be used, or not any more. */
  record Disconnected(int target, String reason) implements SenderEvent {}

  /**
   * The pages of a batch may be used again: what the network still reads of them counts for
   * nothing.
   */
  record Released(OutgoingBatch batch) implements SenderEvent {}
}
