package dev.anemone.runtime.push;

/** What the threads of the network tell a {@link PushSender}. */
sealed interface SenderEvent {

  /** A target has answered a batch. */
  record Answered(int target, Reply reply, int number) implements SenderEvent {}

  /** The connection to a target cannot be used, or not any more. */
  record Disconnected(int target, String reason) implements SenderEvent {}

  /** The network does not read the pages of a batch any more. */
  record Released(OutgoingBatch batch) implements SenderEvent {}
}
