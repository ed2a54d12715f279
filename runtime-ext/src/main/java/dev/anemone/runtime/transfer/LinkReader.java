package dev.anemone.runtime.transfer;

import dev.anemone.runtime.engine.EdgeCounters;
import java.io.Closeable;

/** The reader of one input link of a task. Used by the task's thread. */
interface LinkReader extends Closeable {

  /** What was read. */
  EdgeCounters counters();
}
