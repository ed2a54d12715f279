// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.master;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.tez.dag.api.EdgeManagerPluginContext;
import org.apache.tez.dag.api.EdgeManagerPluginDescriptor;
import org.apache.tez.dag.api.EdgeManagerPluginOnDemand;
import org.apache.tez.dag.api.UserPayload;

/**
 * Routes a link whose consumer awaits all producers. What these announce is gathered by the
 * consumer's vertex manager, which sends it to each task as one message, so there is nothing to be
 * routed: else the master would send producers times consumers events. Two things still go to all
 * consumer tasks, as over Tez's own broadcast edges: that an output is withdrawn, and what the
 * producer announces that runs again for it. Each task is told events in the order in which they
 * came to the master, so it meets the one before the other.
 *
 * <p>A master that is run again after a failure lets Tez take the place of vertex managers whose
 * tasks had begun. Nobody gathers then, and all is routed to all.
 */
public final class GatheringEdgeManager extends EdgeManagerPluginOnDemand {

  private final Set<Integer> withdrawn = ConcurrentHashMap.newKeySet();
  private GatheredLinks gatheredLinks;
  private volatile boolean anyWithdrawn;
  private volatile boolean gathered;

  /** Called by Tez. */
  public GatheringEdgeManager(EdgeManagerPluginContext context) {
    super(context);
  }

  /** A descriptor of a manager. */
  public static EdgeManagerPluginDescriptor descriptor(String jobId) {
    return EdgeManagerPluginDescriptor.create(GatheringEdgeManager.class.getName())
        .setUserPayload(
            UserPayload.create(ByteBuffer.wrap(jobId.getBytes(StandardCharsets.UTF_8))));
  }

  @Override
  public void initialize() {
    // Kept, since tasks may ask when the job has ended and its master is forgotten.
    gatheredLinks =
        JobMaster.of(
                StandardCharsets.UTF_8
                    .decode(getContext().getUserPayload().getPayload().duplicate())
                    .toString())
            .gatheredLinks();
  }

  @Override
  public void prepareForRouting() {
    // How many tasks there are is asked when it is needed.
  }

  @Override
  public int getNumDestinationTaskPhysicalInputs(int destinationTask) {
    return getContext().getSourceVertexNumTasks();
  }

  @Override
  public int getNumSourceTaskPhysicalOutputs(int sourceTask) {
    return 1;
  }

  @Override
  public int getNumDestinationConsumerTasks(int sourceTask) {
    return getContext().getDestinationVertexNumTasks();
  }

  @Override
  public int routeInputErrorEventToSource(int destinationTask, int failedInput) {
    return failedInput;
  }

  @Override
  public EventRouteMetadata routeDataMovementEventToDestination(
      int sourceTask, int sourceOutput, int destinationTask) {
    return isRouted(sourceTask) ? toInputOf(sourceTask) : null;
  }

  @Override
  public CompositeEventRouteMetadata routeCompositeDataMovementEventToDestination(
      int sourceTask, int destinationTask) {
    return isRouted(sourceTask) ? CompositeEventRouteMetadata.create(1, sourceTask, 0) : null;
  }

  @Override
  public EventRouteMetadata routeInputSourceTaskFailedEventToDestination(
      int sourceTask, int destinationTask) {
    withdrawn.add(sourceTask);
    anyWithdrawn = true;
    return toInputOf(sourceTask);
  }

  private boolean isRouted(int sourceTask) {
    return (anyWithdrawn && withdrawn.contains(sourceTask)) || !isGathered();
  }

  /** Once that is so, it stays so; it is asked for each event and each task. */
  private boolean isGathered() {
    if (!gathered) {
      gathered =
          gatheredLinks.contains(
              getContext().getSourceVertexName(), getContext().getDestinationVertexName());
    }
    return gathered;
  }

  private static EventRouteMetadata toInputOf(int sourceTask) {
    return EventRouteMetadata.create(1, new int[] {sourceTask}, new int[] {0});
  }
}
