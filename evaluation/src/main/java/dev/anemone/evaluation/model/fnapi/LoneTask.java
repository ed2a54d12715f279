// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.fnapi;

import dev.anemone.runtime.event.MetricValues;
import dev.anemone.runtime.spi.AgreedFile;
import dev.anemone.runtime.spi.CommitAction;
import dev.anemone.runtime.spi.OperatorContext;
import dev.anemone.runtime.spi.Receiver;
import dev.anemone.runtime.spi.RecordTable;
import dev.anemone.runtime.spi.SizedReceiver;
import dev.anemone.runtime.spi.SpillFile;
import dev.anemone.runtime.task.LocalSpillFile;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

/**
 * The one task of a job without anything around it: an operator has its outputs, memory, local disk
 * and what tasks share, and nothing that a stage without side inputs does not ask for. Used by one
 * thread.
 *
 * @param output takes all outputs
 */
record LoneTask(
    Path directory, long memoryBudgetBytes, Receiver output, Map<String, AutoCloseable> shared)
    implements OperatorContext, AutoCloseable {

  static LoneTask of(Path directory, long memoryBudgetBytes, Receiver output) {
    return new LoneTask(directory, memoryBudgetBytes, output, new HashMap<>());
  }

  @Override
  public String vertexId() {
    return "stage";
  }

  @Override
  public String vertexName() {
    return "stage";
  }

  @Override
  public Receiver output(String name) {
    return output;
  }

  @Override
  public Set<String> sideInputs() {
    return Set.of();
  }

  @Override
  public void readSideInput(String name, SizedReceiver receiver) {
    throw new UnsupportedOperationException("the stage has no side inputs");
  }

  @Override
  public SpillFile newSpillFile() {
    return new LocalSpillFile(directory);
  }

  @Override
  public void report(byte[] report) {
    // Nobody asks for counters.
  }

  @Override
  public String jobId() {
    return "lone";
  }

  @Override
  public InputStream jobFile(String name) {
    throw new UnsupportedOperationException("the stage's harness has no staged files");
  }

  @Override
  public byte[] jobPayload() {
    return new byte[0];
  }

  @Override
  public int taskIndex() {
    return 0;
  }

  @Override
  public int parallelism() {
    return 1;
  }

  @Override
  public int attempt() {
    return 0;
  }

  @Override
  public ClassLoader classLoader() {
    return LoneTask.class.getClassLoader();
  }

  @Override
  @SuppressWarnings("unchecked") // each key has one type
  public <T> T shared(String key, Callable<T> factory) throws Exception {
    if (!shared.containsKey(key)) {
      shared.put(key, (AutoCloseable) factory.call());
    }
    return (T) shared.get(key);
  }

  @Override
  public RecordTable.Builder newRecordTable() {
    throw new UnsupportedOperationException("the stage has no side inputs");
  }

  @Override
  public AgreedFile agreedFile(String name) {
    throw new UnsupportedOperationException("the stage needs no stable input");
  }

  @Override
  public void counts(Supplier<MetricValues> counted) {
    // Nobody asks for counters.
  }

  @Override
  public void afterCommit(CommitAction action) {
    // The stage finalizes no bundles.
  }

  /** Ends the job. */
  @Override
  public void close() throws Exception {
    for (AutoCloseable each : shared.values()) {
      each.close();
    }
  }
}
