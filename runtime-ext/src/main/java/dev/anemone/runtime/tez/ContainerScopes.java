package dev.anemone.runtime.tez;

import dev.anemone.ir.property.DataStore;
import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.store.MemoryStore;
import dev.anemone.runtime.tez.handler.ApplicationDirectories;
import dev.anemone.runtime.tez.handler.HandlerSettings;
import dev.anemone.runtime.tez.handler.ShuffleHandlerBlocks;
import dev.anemone.runtime.transfer.BlockLocation;
import dev.anemone.runtime.transfer.DataPlane;
import dev.anemone.runtime.transfer.TaskBudget;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.tez.dag.api.TezConfiguration;
import org.apache.tez.runtime.api.TaskContext;
import org.apache.tez.runtime.library.common.shuffle.ShuffleUtils;

/**
 * Opens the scopes of jobs in a container of a cluster. A container runs one task at a time, of one
 * job after the other; with the first task of a job, what was left of the one before is closed, and
 * its blocks on this node are deleted, since an application master runs one job at a time.
 */
final class ContainerScopes {

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
   * @param pool off-heap pages
   * @param directories the blocks of the application on this node
   */
  private record Container(PagePool pool, ApplicationDirectories directories) {}

  /** What is open. */
  private static JobScope current;

  private static ShuffleHandlerBlocks currentRemote;

  /** The scope of a job, opened unless it is the current one. */
  static synchronized JobScope open(
      ContainerEnvironment environment, String jobId, TaskContext context) {
    if (current != null && current.jobId().equals(jobId)) {
      return current;
    }
    try {
      closeCurrent();
      if (container == null) {
        container =
            new Container(
                new PagePool(environment.offHeapBytes()),
                new ApplicationDirectories(environment.localDirectories()));
      }
      // Tez names what tasks write after their attempts, whose names begin so.
      String ofThisJob =
          "attempt_"
              + environment.applicationId().substring("application_".length())
              + "_"
              + context.getDagIdentifier()
              + "_";
      container.directories().deleteAllBut(ofThisJob);
      currentRemote = remote(environment, context);
      current =
          JobScope.open(
              jobId,
              Thread.currentThread().getContextClassLoader(),
              dataPlane(environment, context),
              (long) (Runtime.getRuntime().maxMemory() * OPERATOR_SHARE),
              (kind, name) -> name);
      return current;
    } catch (IOException e) {
      throw new UncheckedIOException("job " + jobId + " cannot begin in this container", e);
    }
  }

  /** What a task may have of the off-heap memory of its container, which it has for itself. */
  static TaskBudget budget(long offHeapBytes) {
    long taskBytes = (long) (offHeapBytes * (1 - STORE_SHARE));
    return TaskBudget.of(taskBytes, taskBytes);
  }

  private static void closeCurrent() throws IOException {
    try (ShuffleHandlerBlocks closed = currentRemote;
        JobScope closedFirst = current) {
      current = null;
      currentRemote = null;
    } catch (IOException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException("what tasks of an earlier job shared cannot be closed", e);
    }
  }

  private static ShuffleHandlerBlocks remote(
      ContainerEnvironment environment, TaskContext context) {
    long storeBytes = (long) (environment.offHeapBytes() * STORE_SHARE);
    return new ShuffleHandlerBlocks(
        environment.applicationId(),
        context.getServiceConsumerMetaData(handler(environment.configuration())),
        new MemoryStore(container.pool(), storeBytes, container.directories()),
        HandlerSettings.DEFAULT);
  }

  private static DataPlane dataPlane(ContainerEnvironment environment, TaskContext context)
      throws IOException {
    ByteBuffer provider = context.getServiceProviderMetaData(handler(environment.configuration()));
    int port = ShuffleUtils.deserializeShuffleProviderMetaData(provider.duplicate());
    return new DataPlane(
        container.pool(),
        budget(environment.offHeapBytes()),
        Map.of(DataStore.LOCAL_FILE, container.directories()),
        environment.address(),
        Optional.of(
            new DataPlane.Cluster(new BlockLocation(environment.host(), port), currentRemote)));
  }

  private static String handler(Configuration configuration) {
    return configuration.get(
        TezConfiguration.TEZ_AM_SHUFFLE_AUXILIARY_SERVICE_ID,
        TezConfiguration.TEZ_AM_SHUFFLE_AUXILIARY_SERVICE_ID_DEFAULT);
  }
}
