// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.job;

import dev.anemone.ir.property.DataStore;
import dev.anemone.runtime.spi.RecordTable;
import dev.anemone.runtime.spi.TaskContext;
import dev.anemone.runtime.spi.TaskListener;
import dev.anemone.runtime.spi.TaskPhase;
import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.table.RecordTables;
import dev.anemone.runtime.task.FunctionProviders;
import dev.anemone.runtime.tez.container.ContainerEnvironment;
import dev.anemone.runtime.transfer.DataPlane;
import dev.anemone.runtime.transfer.PushTargets;
import dev.anemone.runtime.transfer.lineage.TaskLineage;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BinaryOperator;

/**
 * What the tasks of one job share in one JVM: the class loader, the function providers, the data
 * plane, and objects that operators made. Thread-safe.
 */
public final class JobScope implements AutoCloseable {

  private static final Map<String, JobScope> SCOPES = new ConcurrentHashMap<>();

  /** Of what the operators of one task may hold on to: chunks of tables that were looked into. */
  private static final int TABLE_CACHE_SHARES = 4;

  private final String jobId;
  private final ClassLoader classLoader;
  private final FunctionProviders providers;
  private final DataPlane dataPlane;
  private final long operatorBytes;
  private final PushTargets pushTargets = new PushTargets();
  private final SharedObjects shared;
  private final RecordTables tables;
  private final AtomicInteger tablesBegun = new AtomicInteger();
  private final List<TaskListener> listeners;
  private final BinaryOperator<String> blockPaths;
  private final Optional<HadoopUser> user;
  private final WrittenBlocks written;

  private JobScope(
      String jobId,
      ClassLoader classLoader,
      DataPlane dataPlane,
      long operatorBytes,
      BinaryOperator<String> blockPaths,
      WrittenBlocks.Neighbours neighbours,
      Optional<HadoopUser> user) {
    this.jobId = jobId;
    this.user = user;
    this.classLoader = classLoader;
    this.dataPlane = dataPlane;
    this.operatorBytes = operatorBytes;
    this.providers = FunctionProviders.load(classLoader);
    this.listeners =
        ServiceLoader.load(TaskListener.class, classLoader).stream()
            .map(ServiceLoader.Provider::get)
            .toList();
    this.blockPaths = blockPaths;
    this.written = new WrittenBlocks(jobId, dataPlane.stores(), neighbours);
    this.shared = new SharedObjects(jobId);
    this.tables =
        new RecordTables(
            dataPlane.memory(),
            dataPlane.stores().get(DataStore.LOCAL_FILE),
            dataPlane.shares().tableBytes(),
            operatorBytes / TABLE_CACHE_SHARES);
  }

  /**
   * Opens the scope of a job whose tasks run in this JVM.
   *
   * @param operatorBytes bytes of the heap that the operators of one task may hold on to
   * @param blockPaths makes the path of a block of its kind and a name that no other block of the
   *     kind has
   * @param neighbours deletes what other JVMs have written of the job
   * @param user who tasks are to Hadoop; empty for who Tez says
   */
  public static JobScope open(
      String jobId,
      ClassLoader classLoader,
      DataPlane dataPlane,
      long operatorBytes,
      BinaryOperator<String> blockPaths,
      WrittenBlocks.Neighbours neighbours,
      Optional<HadoopUser> user) {
    JobScope scope =
        new JobScope(jobId, classLoader, dataPlane, operatorBytes, blockPaths, neighbours, user);
    if (SCOPES.putIfAbsent(jobId, scope) != null) {
      throw new IllegalStateException("job " + jobId + " is already open");
    }
    return scope;
  }

  /**
   * The scope of a job: the one that its client has opened in this JVM, or that of this container.
   *
   * @param context of any task of the job
   */
  public static JobScope of(String jobId, org.apache.tez.runtime.api.TaskContext context) {
    JobScope scope = SCOPES.get(jobId);
    if (scope != null) {
      return scope;
    }
    ContainerEnvironment environment =
        ContainerEnvironment.here()
            .orElseThrow(() -> new IllegalStateException("job " + jobId + " has ended"));
    return ContainerScopes.open(environment, jobId, context);
  }

  String jobId() {
    return jobId;
  }

  public ClassLoader classLoader() {
    return classLoader;
  }

  public FunctionProviders providers() {
    return providers;
  }

  public DataPlane dataPlane() {
    return dataPlane;
  }

  /** Where aggregation tasks take what is pushed, as far as any task of this JVM knows. */
  public PushTargets pushTargets() {
    return pushTargets;
  }

  public long operatorBytes() {
    return operatorBytes;
  }

  /** Runs a part of a task as the user of the job. */
  public <T> T asUser(HadoopUser.Action<T, Exception> part) throws Exception {
    return user.isPresent() ? user.get().call(part) : part.run();
  }

  /** Tells the job's listeners that an attempt has come to a phase. */
  public void reached(TaskPhase phase, String stage, TaskContext task) throws Exception {
    for (TaskListener listener : listeners) {
      listener.reached(phase, stage, task);
    }
  }

  /** The name of a block that a task writes. */
  public BlockId blockId(String kind, String uniqueName) {
    return new BlockId(blockPaths.apply(kind, uniqueName));
  }

  /** The blocks that tasks have written here. */
  public WrittenBlocks written() {
    return written;
  }

  /** What the tasks of the job share here. */
  SharedObjects objects() {
    return shared;
  }

  /** What the tasks of the job report from here, in files of the job. */
  public ReportLog reports(JobFiles files) throws Exception {
    return shared.get("anemone.reports", files::beginReports);
  }

  /** The lineages that tasks of the job have reported from everywhere, in files of the job. */
  public TaskReportReader<TaskLineage> lineages(JobFiles files) throws Exception {
    return shared.get("anemone.lineages", () -> files.reports(JobFiles.TaskReports::lineage));
  }

  /** See {@link TaskContext#shared}. */
  public <T> T shared(String key, Callable<T> factory) throws Exception {
    return shared.get(key, factory);
  }

  /**
   * What tasks of a job share in this JVM; empty when none has made it, or there is no such job.
   */
  public static Optional<Object> findShared(String jobId, String key) {
    JobScope scope = SCOPES.get(jobId);
    return scope == null ? Optional.empty() : scope.shared.find(key);
  }

  /**
   * Begins a table.
   *
   * @param owner the name of the attempt, after which its blocks are named
   */
  public RecordTable.Builder newRecordTable(String owner) throws IOException {
    return tables.begin(blockId("table", owner + "_table" + tablesBegun.getAndIncrement()));
  }

  /** Ends the scope and closes what its tasks shared. */
  @Override
  public void close() throws Exception {
    SCOPES.remove(jobId);
    written.close();
    shared.close();
  }
}
