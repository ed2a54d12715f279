package dev.anemone.runtime.transfer;

/** Something that a task learns while it waits for its producers. */
public sealed interface Change {

  /**
   * An attempt of a producer task has succeeded.
   *
   * @param source the task
   * @param version the attempt, as it has to be named when its data turns out to be lost
   * @param announcement what it tells
   */
  record Announced(Source source, int version, BlockAnnouncement announcement) implements Change {}

  /**
   * An attempt that had succeeded counts no longer; another one follows.
   *
   * @param source the task
   * @param version the attempt
   */
  record Withdrawn(Source source, int version) implements Change {}

  /** Memory is short: what can be let go should be. */
  record MemoryShort() implements Change {}
}
