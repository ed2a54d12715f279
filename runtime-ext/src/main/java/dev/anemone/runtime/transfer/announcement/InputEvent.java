// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer.announcement;

/** Something that a task learns while it waits for its producers. */
public sealed interface InputEvent {

  /**
   * An attempt of a producer task has succeeded.
   *
   * @param source the task
   * @param version the attempt, as it has to be named when its data turns out to be lost
   * @param announcement what it tells
   */
  record Announced(Source source, int version, BlockAnnouncement announcement)
      implements InputEvent {}

  /**
   * An attempt that had succeeded counts no longer; another one follows.
   *
   * @param source the task
   * @param version the attempt
   */
  record Withdrawn(Source source, int version) implements InputEvent {}

  /**
   * What came of fetching an announced block from its node, for whoever began that.
   *
   * @param announced names the block
   * @param outcome what came of it
   */
  record Fetched(Announced announced, FetchOutcome outcome) implements InputEvent {}

  /** Memory is short: what can be let go should be. */
  record MemoryShort() implements InputEvent {}
}
