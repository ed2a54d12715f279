// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.kernel;

import dev.anemone.evaluation.model.kernel.ShuffleKernel.KernelShape;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.compress.Lz4Codec;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.tez.common.TezCommonUtils;
import org.apache.tez.common.TezUtils;
import org.apache.tez.common.counters.TezCounters;
import org.apache.tez.common.security.JobTokenIdentifier;
import org.apache.tez.dag.api.UserPayload;
import org.apache.tez.runtime.api.ExecutionContext;
import org.apache.tez.runtime.api.MemoryUpdateCallback;
import org.apache.tez.runtime.api.TaskContext;
import org.apache.tez.runtime.library.api.Partitioner;
import org.apache.tez.runtime.library.api.TezRuntimeConfiguration;

/** Answers what Tez's inputs and outputs ask of a task, and keeps a failure. Thread-safe. */
final class TezTask implements InvocationHandler {
  static final String WRITER = "writer";
  static final String READER = "reader";

  private final TezSetup setup;
  private final String vertex;
  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  /** Answers that are always the same, by the names of the questions. */
  private final Map<String, Object> answers;

  TezTask(TezSetup setup, String vertex) {
    this.setup = setup;
    this.vertex = vertex;
    ExecutionContext execution = () -> "localhost";
    answers =
        Map.ofEntries(
            Map.entry("getApplicationId", ApplicationId.newInstance(0, 1)),
            Map.entry("getDAGName", "kernel"),
            Map.entry("getDagIdentifier", 1),
            Map.entry("getDAGAttemptNumber", 1),
            Map.entry("getTaskVertexName", vertex),
            Map.entry("getTaskVertexIndex", 0),
            Map.entry("getVertexParallelism", 1),
            Map.entry("getTaskIndex", 0),
            Map.entry("getTaskAttemptNumber", 0),
            Map.entry("getUniqueIdentifier", "attempt_" + vertex),
            Map.entry("getSourceVertexName", WRITER),
            Map.entry("getDestinationVertexName", READER),
            Map.entry("getInputOutputVertexNames", WRITER + " -> " + READER),
            Map.entry("getInputIndex", 0),
            Map.entry("getOutputIndex", 0),
            Map.entry("getContainerConfiguration", setup.configuration()),
            Map.entry("getUserPayload", setup.payload()),
            Map.entry("getCounters", new TezCounters()),
            Map.entry("getTotalMemoryAvailableToTask", setup.taskMemoryBytes()),
            Map.entry("getExecutionContext", execution),
            Map.entry("toString", vertex),
            Map.entry("hashCode", vertex.hashCode()));
  }

  <T extends TaskContext> T as(Class<T> context) {
    return context.cast(proxy(context));
  }

  private Object proxy(Class<?> type) {
    return Proxy.newProxyInstance(TezTask.class.getClassLoader(), new Class<?>[] {type}, this);
  }

  @Override
  public Object invoke(Object proxy, Method method, Object[] arguments) {
    return switch (method.getName()) {
      case "notifyProgress", "inputIsReady", "reportDataSize", "reportItemsProcessed" -> null;
      case "sendEvents" -> keep(null, "Tez has sent events on the way: " + arguments[0]);
      case "fatalError", "killSelf" -> keep((Throwable) arguments[0], (String) arguments[1]);
      case "reportFailure" -> keep((Throwable) arguments[1], (String) arguments[2]);
      case "getWorkDirs" -> new String[] {setup.shape().directory().toString()};
      case "getServiceConsumerMetaData" -> setup.jobToken();
      case "getServiceProviderMetaData" -> setup.shufflePort();
      case "getStatisticsReporter" -> proxy(method.getReturnType());
      case "requestInitialMemory" -> {
        if (arguments[1] != null) {
          ((MemoryUpdateCallback) arguments[1]).memoryAssigned((Long) arguments[0]);
        }
        yield null;
      }
      case "createTezFrameworkExecutorService" ->
          Executors.newFixedThreadPool((Integer) arguments[0], this::thread);
      case "equals" -> proxy == arguments[0];
      default -> {
        Object answer = answers.get(method.getName());
        if (answer == null) {
          throw new UnsupportedOperationException("There is no Tez around for " + method + ".");
        }
        yield answer;
      }
    };
  }

  private Thread thread(Runnable work) {
    Thread thread = new Thread(work, vertex);
    thread.setDaemon(true);
    return thread;
  }

  private Object keep(Throwable exception, String message) {
    failure.compareAndSet(null, new IllegalStateException(message, exception));
    return null;
  }

  /** Throws an exception if a failure was reported. */
  void requireHealthy() {
    if (failure.get() != null) {
      throw new IllegalStateException("A task of Tez failed.", failure.get());
    }
  }

  /** Tez's defaults but for the shape of the shuffle, with local files read directly. Immutable. */
  record TezSetup(KernelShape shape, Configuration configuration, UserPayload payload) {
    private static final int PASSWORD_BYTES = 20;

    /** Nobody listens: the reader finds the files in its own directory. */
    private static final int SHUFFLE_PORT = 1;

    /** A task must have more memory than the sorter asks for. */
    private static final int TASK_TO_SORT_MEMORY = 2;

    static TezSetup of(KernelShape shape) throws IOException {
      Configuration configuration = configuration(shape);
      return new TezSetup(shape, configuration, TezUtils.createUserPayloadFromConf(configuration));
    }

    private static Configuration configuration(KernelShape shape) {
      Configuration configuration = new Configuration();
      configuration.set(
          TezRuntimeConfiguration.TEZ_RUNTIME_KEY_CLASS, BytesWritable.class.getName());
      configuration.set(
          TezRuntimeConfiguration.TEZ_RUNTIME_VALUE_CLASS, BytesWritable.class.getName());
      configuration.set(
          TezRuntimeConfiguration.TEZ_RUNTIME_PARTITIONER_CLASS, TezPartitioner.class.getName());
      configuration.setInt(
          TezRuntimeConfiguration.TEZ_RUNTIME_IO_SORT_MB, (int) (shape.memoryBytes() >> 20));
      configuration.setBoolean(TezRuntimeConfiguration.TEZ_RUNTIME_OPTIMIZE_LOCAL_FETCH, true);
      configuration.setBoolean(TezRuntimeConfiguration.TEZ_RUNTIME_COMPRESS, shape.compressed());
      configuration.set(
          TezRuntimeConfiguration.TEZ_RUNTIME_COMPRESS_CODEC, Lz4Codec.class.getName());
      return configuration;
    }

    long taskMemoryBytes() {
      return shape.memoryBytes() * TASK_TO_SORT_MEMORY;
    }

    /** What the shuffle service of a node would have announced. */
    ByteBuffer shufflePort() {
      return ByteBuffer.allocate(Integer.BYTES).putInt(SHUFFLE_PORT).flip();
    }

    /** The secret that a job's tasks share. */
    ByteBuffer jobToken() {
      Token<JobTokenIdentifier> token =
          new Token<>(new byte[0], new byte[PASSWORD_BYTES], new Text("kernel"), new Text());
      try {
        return TezCommonUtils.serializeServiceData(token);
      } catch (IOException impossible) {
        throw new IllegalStateException(impossible);
      }
    }

    /** {@link KernelRecords#partition} for Tez, which makes it by its name. */
    public static final class TezPartitioner implements Partitioner {
      @Override
      public int getPartition(Object key, Object value, int partitions) {
        return KernelRecords.partition(((BytesWritable) key).getBytes(), partitions);
      }
    }
  }
}
