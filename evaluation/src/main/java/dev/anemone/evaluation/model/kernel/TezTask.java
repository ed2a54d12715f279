// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.kernel;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.tez.common.counters.TezCounters;
import org.apache.tez.dag.api.UserPayload;
import org.apache.tez.runtime.api.Event;
import org.apache.tez.runtime.api.ExecutionContext;
import org.apache.tez.runtime.api.MemoryUpdateCallback;
import org.apache.tez.runtime.api.ObjectRegistry;
import org.apache.tez.runtime.api.TaskContext;
import org.apache.tez.runtime.api.TaskFailureType;

/**
 * A task as Tez's inputs and outputs see it, without the rest of Tez: it gets the memory that it
 * asks for, and a failure that it reports is kept. Thread-safe.
 */
abstract class TezTask implements TaskContext {
  private static final String HOST = "localhost";
  private static final int VERTEX_INDEX = 0;

  private final TezSetup setup;
  private final String vertex;
  private final TezCounters counters = new TezCounters();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  /**
   * @param setup of the kernel
   * @param vertex name of the task's vertex
   */
  TezTask(TezSetup setup, String vertex) {
    this.setup = setup;
    this.vertex = vertex;
  }

  /**
   * Checks that no failure was reported.
   *
   * @throws IllegalStateException if one was
   */
  void requireHealthy() {
    if (failure.get() != null) {
      throw new IllegalStateException("A task of Tez failed.", failure.get());
    }
  }

  private void keep(Throwable exception, String message) {
    failure.compareAndSet(null, new IllegalStateException(message, exception));
  }

  @Override
  public ApplicationId getApplicationId() {
    return ApplicationId.newInstance(0, 1);
  }

  @Override
  public int getDAGAttemptNumber() {
    return 1;
  }

  @Override
  public int getTaskIndex() {
    return 0;
  }

  @Override
  public int getTaskAttemptNumber() {
    return 0;
  }

  @Override
  public Configuration getContainerConfiguration() {
    return setup.configuration();
  }

  @Override
  public String getDAGName() {
    return "kernel";
  }

  @Override
  public String getTaskVertexName() {
    return vertex;
  }

  @Override
  public int getTaskVertexIndex() {
    return VERTEX_INDEX;
  }

  @Override
  public int getDagIdentifier() {
    return 1;
  }

  @Override
  public TezCounters getCounters() {
    return counters;
  }

  @Override
  public void sendEvents(List<Event> events) {
    keep(null, "Tez has sent events on the way: " + events);
  }

  @Override
  public UserPayload getUserPayload() {
    return setup.payload();
  }

  @Override
  public String[] getWorkDirs() {
    return new String[] {setup.directory().toString()};
  }

  @Override
  public String getUniqueIdentifier() {
    return "attempt_" + vertex;
  }

  @Override
  public ObjectRegistry getObjectRegistry() {
    throw new UnsupportedOperationException("Inputs and outputs keep nothing between tasks.");
  }

  @Override
  public void notifyProgress() {}

  @Override
  @Deprecated
  public void fatalError(Throwable exception, String message) {
    keep(exception, message);
  }

  @Override
  public void reportFailure(TaskFailureType type, Throwable exception, String message) {
    keep(exception, message);
  }

  @Override
  public void killSelf(Throwable exception, String message) {
    keep(exception, message);
  }

  @Override
  public ByteBuffer getServiceConsumerMetaData(String serviceName) {
    return setup.jobToken();
  }

  @Override
  public ByteBuffer getServiceProviderMetaData(String serviceName) {
    return setup.shufflePort();
  }

  @Override
  public void requestInitialMemory(long size, MemoryUpdateCallback callback) {
    if (callback != null) {
      callback.memoryAssigned(size);
    }
  }

  @Override
  public long getTotalMemoryAvailableToTask() {
    return setup.taskMemoryBytes();
  }

  @Override
  public int getVertexParallelism() {
    return 1;
  }

  @Override
  public ExecutionContext getExecutionContext() {
    return () -> HOST;
  }

  @Override
  public ExecutorService createTezFrameworkExecutorService(
      int parallelism, String threadNameFormat) {
    return Executors.newFixedThreadPool(
        parallelism,
        task -> {
          Thread thread = new Thread(task, vertex);
          thread.setDaemon(true);
          return thread;
        });
  }

  /** Both vertices, as Tez names them in its logs. */
  public String getInputOutputVertexNames() {
    return "writer -> reader";
  }
}
