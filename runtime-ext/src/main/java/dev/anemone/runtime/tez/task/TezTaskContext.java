// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.task;

import dev.anemone.runtime.event.MetricValues;
import dev.anemone.runtime.spi.AgreedFile;
import dev.anemone.runtime.spi.CommitAction;
import dev.anemone.runtime.spi.RecordTable;
import dev.anemone.runtime.spi.TaskContext;
import dev.anemone.runtime.stage.StagePlan;
import dev.anemone.runtime.tez.job.HadoopUser;
import dev.anemone.runtime.tez.job.JobFiles;
import dev.anemone.runtime.tez.job.JobScope;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.tez.runtime.api.ProcessorContext;

/**
 * What a task knows of itself, from Tez.
 *
 * @param plan the stage's plan
 * @param context Tez's context of the task's processor
 * @param scope what the tasks of the job share in this JVM
 * @param steps what they count
 * @param user who the task is to Hadoop; threads that are not the task's own do not know
 * @param commitActions takes what is to be done after the commit
 */
record TezTaskContext(
    StagePlan plan,
    ProcessorContext context,
    JobScope scope,
    CountedSteps steps,
    HadoopUser user,
    Consumer<CommitAction> commitActions)
    implements TaskContext {

  @Override
  public String jobId() {
    return plan.job().id();
  }

  @Override
  public byte[] jobPayload() {
    return plan.job().payload();
  }

  @Override
  public InputStream jobFile(String name) throws IOException {
    try {
      return user.<InputStream, IOException>call(
          () -> JobFiles.of(plan.job().reportDirectory()).openGiven(name));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      InterruptedIOException interrupted =
          new InterruptedIOException("interrupted while a file of the job was opened: " + name);
      interrupted.initCause(e);
      throw interrupted;
    }
  }

  @Override
  public int taskIndex() {
    return context.getTaskIndex();
  }

  @Override
  public int parallelism() {
    // The plan's number may have been lowered while the job runs.
    return context.getVertexParallelism();
  }

  @Override
  public int attempt() {
    return context.getTaskAttemptNumber();
  }

  @Override
  public long memoryBudgetBytes() {
    return scope.operatorBytes();
  }

  @Override
  public ClassLoader classLoader() {
    return scope.classLoader();
  }

  @Override
  public <T> T shared(String key, Callable<T> factory) throws Exception {
    return scope.shared(key, factory);
  }

  @Override
  public RecordTable.Builder newRecordTable() throws IOException {
    return scope.newRecordTable(context.getUniqueIdentifier());
  }

  @Override
  public AgreedFile agreedFile(String name) throws IOException {
    return JobFiles.of(plan.job().reportDirectory())
        .agreedFile(plan.stage().name(), context.getTaskIndex(), name);
  }

  @Override
  public void counts(Supplier<MetricValues> counted) {
    steps.add(counted);
  }

  @Override
  public void afterCommit(CommitAction action) {
    commitActions.accept(action);
  }
}
