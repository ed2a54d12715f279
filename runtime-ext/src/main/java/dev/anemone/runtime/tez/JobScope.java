package dev.anemone.runtime.tez;

import dev.anemone.runtime.sampling.RunTimeOptimizer;
import dev.anemone.runtime.sampling.RunTimePlan;
import dev.anemone.runtime.task.FunctionProviders;
import dev.anemone.runtime.transfer.DataPlane;
import dev.anemone.runtime.transfer.PushTargets;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What the tasks of one job share in one JVM: the class loader, the function providers, the data
 * plane, and objects that operators made. Thread-safe.
 */
final class JobScope implements AutoCloseable {

  private static final Map<String, JobScope> SCOPES = new ConcurrentHashMap<>();

  private final String jobId;
  private final ClassLoader classLoader;
  private final FunctionProviders providers;
  private final DataPlane dataPlane;
  private final long operatorBytes;
  private final PushTargets pushTargets = new PushTargets();
  private final Map<String, Object> shared = new HashMap<>();
  private final Set<String> startedVertices = ConcurrentHashMap.newKeySet();
  private RunTimeOptimizer optimizer;

  private JobScope(String jobId, ClassLoader classLoader, DataPlane dataPlane, long operatorBytes) {
    this.jobId = jobId;
    this.classLoader = classLoader;
    this.dataPlane = dataPlane;
    this.operatorBytes = operatorBytes;
    this.providers = FunctionProviders.load(classLoader);
  }

  /**
   * Opens the scope of a job whose tasks run in this JVM.
   *
   * @param operatorBytes bytes of the heap that the operators of one task may hold on to
   */
  static JobScope open(
      String jobId, ClassLoader classLoader, DataPlane dataPlane, long operatorBytes) {
    JobScope scope = new JobScope(jobId, classLoader, dataPlane, operatorBytes);
    if (SCOPES.putIfAbsent(jobId, scope) != null) {
      throw new IllegalStateException("job " + jobId + " is already open");
    }
    return scope;
  }

  /** The scope of a job that was opened in this JVM. */
  static JobScope of(String jobId) {
    JobScope scope = SCOPES.get(jobId);
    if (scope == null) {
      throw new IllegalStateException("job " + jobId + " has ended");
    }
    return scope;
  }

  ClassLoader classLoader() {
    return classLoader;
  }

  FunctionProviders providers() {
    return providers;
  }

  DataPlane dataPlane() {
    return dataPlane;
  }

  /** Where aggregation tasks take what is pushed, as far as any task of this JVM knows. */
  PushTargets pushTargets() {
    return pushTargets;
  }

  long operatorBytes() {
    return operatorBytes;
  }

  /** Notes that tasks of these vertices have been asked for. */
  void started(Set<String> vertexIds) {
    startedVertices.addAll(vertexIds);
  }

  /** Ids of the vertices of which tasks have been asked for. */
  Set<String> startedVertices() {
    return Set.copyOf(startedVertices);
  }

  /** The job's optimizer; the plan is read when it is first needed. */
  synchronized RunTimeOptimizer optimizer(byte[] runTimePlan) {
    if (optimizer == null) {
      optimizer =
          new RunTimeOptimizer(
              PlanCodec.read(ByteBuffer.wrap(runTimePlan), RunTimePlan.class), classLoader);
    }
    return optimizer;
  }

  @SuppressWarnings("unchecked") // one key stands for one type, by contract with the callers
  <T> T shared(String key, Callable<T> factory) throws Exception {
    synchronized (shared) {
      Object existing = shared.get(key);
      if (existing == null) {
        existing = factory.call();
        shared.put(key, existing);
      }
      return (T) existing;
    }
  }

  /** Ends the scope and closes what its tasks shared. */
  @Override
  public void close() throws Exception {
    SCOPES.remove(jobId);
    Exception failure = null;
    synchronized (shared) {
      for (Object object : shared.values()) {
        if (object instanceof AutoCloseable closeable) {
          try {
            closeable.close();
          } catch (Exception e) {
            if (failure == null) {
              failure = e;
            } else {
              failure.addSuppressed(e);
            }
          }
        }
      }
      shared.clear();
    }
    if (failure != null) {
      throw failure;
    }
  }
}
