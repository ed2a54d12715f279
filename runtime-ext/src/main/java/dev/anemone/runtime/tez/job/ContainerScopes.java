// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.job;

import dev.anemone.ir.property.DataStore;
import dev.anemone.runtime.memory.MemoryLedger;
import dev.anemone.runtime.memory.MemoryLedger.JobMemory;
import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.pull.ContainerPulls;
import dev.anemone.runtime.pull.ServedBlocks;
import dev.anemone.runtime.push.PushWires;
import dev.anemone.runtime.push.protocol.JobSecret;
import dev.anemone.runtime.push.wires.InstalledWires;
import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockStore;
import dev.anemone.runtime.store.paged.MemoryStore;
import dev.anemone.runtime.tez.container.ContainerEnvironment;
import dev.anemone.runtime.tez.handler.ApplicationDirectories;
import dev.anemone.runtime.tez.handler.HandlerKind;
import dev.anemone.runtime.tez.handler.JobToken;
import dev.anemone.runtime.tez.handler.ServedJob;
import dev.anemone.runtime.tez.handler.ShuffleHandlerBlocks;
import dev.anemone.runtime.tez.pool.ClusterPool;
import dev.anemone.runtime.tez.pool.ContainerPool;
import dev.anemone.runtime.transfer.DataPlane;
import dev.anemone.runtime.transfer.RemoteBlocks;
import dev.anemone.runtime.transfer.TaskBudget;
import dev.anemone.runtime.transfer.announcement.BlockLocation;
import dev.anemone.runtime.transfer.fetch.BlockCopies;
import dev.anemone.runtime.transfer.fetch.FetchSettings;
import dev.anemone.runtime.transfer.fetch.HostLedger;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.apache.tez.dag.api.TezConfiguration;
import org.apache.tez.runtime.api.TaskContext;
import org.apache.tez.runtime.library.common.shuffle.ShuffleUtils;

/**
 * Opens the scopes of jobs in a container of a cluster. A container runs one task at a time, of one
 * job after the other; with the first task of a job, what was left of the one before is closed, and
 * its blocks on this node are deleted, since an application master runs one job at a time.
 */
public final class ContainerScopes {

  /** The setting of an application that says how what is pushed gets to aggregation tasks. */
  public static final String PUSH_TRANSPORT = "anemone.push.transport";

  /** The setting of an application that says whether blocks are pulled by that transport, too. */
  public static final String PULL_BY_TRANSPORT = "anemone.pull.by-transport";

  /** The last part of the name of the block that tells of a node's server. */
  private static final String SERVER_NOTICE = "server";

  /** Of the off-heap memory: what fetched blocks may take. */
  private static final double STORE_SHARE = 0.25;

  /** Of the heap: what the operators of the task may hold on to. */
  private static final double OPERATOR_SHARE = 0.3;

  /** This container's, made with its first task. */
  private static Container container;

  private ContainerScopes() {}

  /**
   * What stays from job to job.
   *
   * @param memory off the heap, of one job after the other
   * @param remoteMemory the application's pool, if it has one
   * @param pushWires what this node can speak; the application's token is the secret of its jobs
   * @param pulls how blocks are pulled by a transport; empty when over HTTP only
   * @param fetching how patiently blocks are fetched
   * @param hosts what was met with at other nodes
   */
  private record Container(
      JobMemory memory,
      Optional<ContainerPool> remoteMemory,
      PushWires pushWires,
      Optional<ContainerPulls> pulls,
      FetchSettings fetching,
      HostLedger hosts) {

    static Container of(ContainerEnvironment environment, ByteBuffer jobToken) throws IOException {
      Optional<ClusterPool> pool = ClusterPool.in(environment.configuration());
      PagePool pages = new PagePool(environment.offHeapBytes());
      FetchSettings fetching = FetchConfiguration.read(environment.configuration());
      JobSecret secret = JobSecret.of(JobToken.keyOf(jobToken).getEncoded());
      PushWires wires =
          InstalledWires.openWhatWorks(
              environment.configuration().get(PUSH_TRANSPORT, PushWires.NETTY), pages, secret);
      return new Container(
          MemoryLedger.ofOneJob(pages, taskBytes(environment.offHeapBytes())),
          pool.isPresent() ? Optional.of(ContainerPool.connect(pool.get())) : Optional.empty(),
          wires,
          environment.configuration().getBoolean(PULL_BY_TRANSPORT, false)
              ? ContainerPulls.open(wires, environment.address(), secret, fetching)
              : Optional.empty(),
          fetching,
          new HostLedger(fetching));
    }

    /** Where a job keeps blocks. */
    Map<DataStore, BlockStore> stores(String jobId, ApplicationDirectories blocks)
        throws IOException {
      Map<DataStore, BlockStore> stores = new EnumMap<>(DataStore.class);
      stores.put(DataStore.LOCAL_FILE, blocks);
      if (remoteMemory.isPresent()) {
        stores.put(DataStore.REMOTE_MEMORY, remoteMemory.get().store(jobId, blocks));
      }
      return stores;
    }
  }

  /** What is open. */
  private static JobScope current;

  private static ShuffleHandlerBlocks currentHandlers;

  private static Optional<ServedBlocks> currentServed = Optional.empty();

  /** The scope of a job, opened unless it is the current one. */
  static synchronized JobScope open(
      ContainerEnvironment environment, String jobId, TaskContext context) {
    if (current != null && current.jobId().equals(jobId)) {
      return current;
    }
    try {
      closeCurrent();
      if (container == null) {
        container = Container.of(environment, jobToken(context, handler(environment)));
      }
      ServedJob job =
          ServedJob.of(
              handler(environment), environment.applicationId(), context.getDagIdentifier());
      ApplicationDirectories blocks =
          new ApplicationDirectories(environment.localDirectories(), job);
      // Tez names what tasks write after their attempts, whose names begin so.
      String ofThisJob =
          "attempt_"
              + environment.applicationId().substring("application_".length())
              + "_"
              + context.getDagIdentifier()
              + "_";
      blocks.deleteAllBut(ofThisJob);
      openRemote(environment, jobId, context, blocks, job, new BlockId(ofThisJob + SERVER_NOTICE));
      current =
          JobScope.open(
              jobId,
              Thread.currentThread().getContextClassLoader(),
              dataPlane(environment, jobId, context, blocks),
              (long) (Runtime.getRuntime().maxMemory() * OPERATOR_SHARE),
              (kind, name) -> name,
              blocks::deleteIf,
              Optional.empty());
      return current;
    } catch (IOException e) {
      throw new UncheckedIOException("job " + jobId + " cannot begin in this container", e);
    }
  }

  /** What a task may have of the off-heap memory of its container, which it has for itself. */
  public static TaskBudget budget(long offHeapBytes) {
    return TaskBudget.of(taskBytes(offHeapBytes), taskBytes(offHeapBytes));
  }

  private static long taskBytes(long offHeapBytes) {
    return (long) (offHeapBytes * (1 - STORE_SHARE));
  }

  private static void closeCurrent() throws IOException {
    try (ShuffleHandlerBlocks closed = currentHandlers;
        ServedBlocks closedBefore = currentServed.orElse(null);
        JobScope closedFirst = current) {
      current = null;
      currentServed = Optional.empty();
      currentHandlers = null;
    } catch (IOException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException("what tasks of an earlier job shared cannot be closed", e);
    }
  }

  private static void openRemote(
      ContainerEnvironment environment,
      String jobId,
      TaskContext context,
      ApplicationDirectories blocks,
      ServedJob job,
      BlockId notice)
      throws IOException {
    long storeBytes = (long) (environment.offHeapBytes() * STORE_SHARE);
    BlockCopies copies =
        new BlockCopies(new MemoryStore(container.memory().pool(), storeBytes, blocks));
    currentHandlers =
        new ShuffleHandlerBlocks(
            job, jobToken(context, job.handler()), copies, container.fetching());
    if (container.pulls().isPresent()) {
      currentServed =
          Optional.of(
              container.pulls().get().begin(jobId, blocks, notice, currentHandlers, copies));
    }
  }

  private static RemoteBlocks remote() {
    return currentServed.<RemoteBlocks>map(served -> served).orElse(currentHandlers);
  }

  private static ByteBuffer jobToken(TaskContext context, HandlerKind handler) {
    return context.getServiceConsumerMetaData(handler.service());
  }

  private static DataPlane dataPlane(
      ContainerEnvironment environment,
      String jobId,
      TaskContext context,
      ApplicationDirectories blocks)
      throws IOException {
    ByteBuffer provider = context.getServiceProviderMetaData(handler(environment).service());
    int port = ShuffleUtils.deserializeShuffleProviderMetaData(provider.duplicate());
    return new DataPlane(
        container.memory(),
        budget(environment.offHeapBytes()),
        container.stores(jobId, blocks),
        environment.address(),
        container.pushWires(),
        Optional.of(
            new DataPlane.Cluster(
                new BlockLocation(environment.host(), port), remote(), container.hosts())));
  }

  /** Which handler serves the blocks; the client has checked that it is one. */
  private static HandlerKind handler(ContainerEnvironment environment) {
    String service =
        environment
            .configuration()
            .get(
                TezConfiguration.TEZ_AM_SHUFFLE_AUXILIARY_SERVICE_ID,
                TezConfiguration.TEZ_AM_SHUFFLE_AUXILIARY_SERVICE_ID_DEFAULT)
            .trim();
    return HandlerKind.of(service)
        .orElseThrow(() -> new IllegalStateException("blocks cannot be fetched from " + service));
  }
}
