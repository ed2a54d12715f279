// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.spi;

import dev.anemone.runtime.event.MetricValues;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

/** What a task knows of itself and its job. */
public interface TaskContext {

  /** Unique for the job among all jobs of this JVM and cluster. */
  String jobId();

  /** What the front end gave with the job, see {@link dev.anemone.runtime.engine.Job#payload()}. */
  byte[] jobPayload();

  /**
   * A file that the front end gave with the job, see {@link
   * dev.anemone.runtime.engine.Job#files()}. May be called as long as the job runs, by any thread.
   *
   * @return belongs to the caller
   * @throws IOException when there is no such file, or it cannot be read
   */
  InputStream jobFile(String name) throws IOException;

  /** The index of this task in its stage, from 0. */
  int taskIndex();

  /** The number of tasks of the stage. */
  int parallelism();

  /** Which attempt of the task this is, from 0. */
  int attempt();

  /** Bytes of memory that the operators of this task may hold on to in all. */
  long memoryBudgetBytes();

  /** The class loader of the user's code. */
  ClassLoader classLoader();

  /**
   * An object that all tasks of the job in this JVM share. The first caller of a key makes it; it
   * is dropped when the job ends, and closed if it is {@link AutoCloseable}. Others who ask for the
   * key meanwhile wait for it; when the factory fails, the next of them tries.
   */
  <T> T shared(String key, Callable<T> factory) throws Exception;

  /**
   * Begins a table of records on local disk. The table may outlive the task: it goes with the job.
   */
  RecordTable.Builder newRecordTable() throws IOException;

  /**
   * A file that all attempts of this task agree on.
   *
   * @param name without the names of the job, the stage and the task, which are added
   */
  AgreedFile agreedFile(String name) throws IOException;

  /**
   * Has those who watch the job from elsewhere told what this attempt has counted, while it runs
   * and whatever becomes of it. Where all of them are in this JVM nothing is done.
   *
   * @param counted metrics that nothing else of this attempt counts; another thread asks for them
   *     again and again, until a while after the attempt's operators have been closed
   */
  void counts(Supplier<MetricValues> counted);

  /**
   * Has something done when this attempt has committed: its outputs are whole, no other attempt of
   * the task commits beside it, and its operators are closed. It is done in the order in which this
   * was called, by the task's thread. Nothing is done where the attempt fails or another one
   * commits; nor where its process ends meanwhile, so others must be able to do without it.
   */
  void afterCommit(CommitAction action);
}
