// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.task;

import dev.anemone.ir.IRVertex;
import dev.anemone.runtime.event.MetricValues;
import dev.anemone.runtime.spi.AgreedFile;
import dev.anemone.runtime.spi.CommitAction;
import dev.anemone.runtime.spi.OperatorContext;
import dev.anemone.runtime.spi.Receiver;
import dev.anemone.runtime.spi.RecordTable;
import dev.anemone.runtime.spi.SizedReceiver;
import dev.anemone.runtime.spi.SpillFile;
import dev.anemone.runtime.spi.TaskContext;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The task's context, as the operator of one vertex sees it. */
record VertexContext(
    TaskContext task,
    IRVertex vertex,
    Map<String, Receiver> outputs,
    SideInputs.OfVertex sides,
    Path spillDirectory,
    Consumer<byte[]> reportSink)
    implements OperatorContext {

  @Override
  public String vertexId() {
    return vertex.id();
  }

  @Override
  public String vertexName() {
    return vertex.name();
  }

  @Override
  public Receiver output(String name) {
    return outputs.getOrDefault(name, FanOut.to(List.of()));
  }

  @Override
  public Set<String> sideInputs() {
    return sides.names();
  }

  @Override
  public void readSideInput(String name, SizedReceiver receiver) throws Exception {
    sides.read(name, receiver);
  }

  @Override
  public SpillFile newSpillFile() {
    return new LocalSpillFile(spillDirectory);
  }

  @Override
  public void report(byte[] report) {
    reportSink.accept(report);
  }

  @Override
  public String jobId() {
    return task.jobId();
  }

  @Override
  public byte[] jobPayload() {
    return task.jobPayload();
  }

  @Override
  public InputStream jobFile(String name) throws IOException {
    return task.jobFile(name);
  }

  @Override
  public int taskIndex() {
    return task.taskIndex();
  }

  @Override
  public int parallelism() {
    return task.parallelism();
  }

  @Override
  public int attempt() {
    return task.attempt();
  }

  @Override
  public long memoryBudgetBytes() {
    return task.memoryBudgetBytes();
  }

  @Override
  public ClassLoader classLoader() {
    return task.classLoader();
  }

  @Override
  public <T> T shared(String key, Callable<T> factory) throws Exception {
    return task.shared(key, factory);
  }

  @Override
  public RecordTable.Builder newRecordTable() throws IOException {
    return task.newRecordTable();
  }

  @Override
  public AgreedFile agreedFile(String name) throws IOException {
    return task.agreedFile(name);
  }

  @Override
  public void counts(Supplier<MetricValues> counted) {
    task.counts(counted);
  }

  @Override
  public void afterCommit(CommitAction action) {
    task.afterCommit(action);
  }
}
