package dev.anemone.runtime.task;

import dev.anemone.runtime.record.GroupReader;
import dev.anemone.runtime.record.RecordReader;
import dev.anemone.runtime.record.RecordWriter;
import java.io.IOException;

/** What an engine gives a task to reach other stages. Used by the task's thread. */
public interface TaskLinks {

  /** The reader of an input link that is not grouped; waits until its data is there. */
  RecordReader reader(String peer) throws IOException, InterruptedException;

  /** The reader of a grouped input link; waits until its data is there. */
  GroupReader groupReader(String peer) throws IOException, InterruptedException;

  /** The writer of an output link. */
  RecordWriter writer(String peer) throws IOException, InterruptedException;
}
