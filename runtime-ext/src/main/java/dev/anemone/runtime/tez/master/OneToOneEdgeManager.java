// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.master;

import org.apache.tez.dag.api.EdgeManagerPluginContext;
import org.apache.tez.dag.api.EdgeManagerPluginOnDemand;

/**
 * Routes what task i produces to task i. Tez has one of its own, but that tells every consumer task
 * when one producer task's output is withdrawn, and a consumer could take it for its own
 * producer's.
 */
public final class OneToOneEdgeManager extends EdgeManagerPluginOnDemand {

  private static final EventRouteMetadata TO_INPUT_0 =
      EventRouteMetadata.create(1, new int[] {0}, new int[] {0});
  private static final CompositeEventRouteMetadata ALL_TO_INPUT_0 =
      CompositeEventRouteMetadata.create(1, 0, 0);

  /** Called by Tez. */
  public OneToOneEdgeManager(EdgeManagerPluginContext context) {
    super(context);
  }

  @Override
  public void initialize() {
    // There is nothing to set up.
  }

  @Override
  public void prepareForRouting() {
    int sources = getContext().getSourceVertexNumTasks();
    int destinations = getContext().getDestinationVertexNumTasks();
    if (sources != destinations) {
      throw new IllegalStateException(
          "a one-to-one link joins "
              + getContext().getSourceVertexName()
              + " with "
              + sources
              + " tasks and "
              + getContext().getDestinationVertexName()
              + " with "
              + destinations);
    }
  }

  @Override
  public int getNumDestinationTaskPhysicalInputs(int destinationTask) {
    return 1;
  }

  @Override
  public int getNumSourceTaskPhysicalOutputs(int sourceTask) {
    return 1;
  }

  @Override
  public int getNumDestinationConsumerTasks(int sourceTask) {
    return 1;
  }

  @Override
  public int routeInputErrorEventToSource(int destinationTask, int failedInput) {
    return destinationTask;
  }

  @Override
  public EventRouteMetadata routeDataMovementEventToDestination(
      int sourceTask, int sourceOutput, int destinationTask) {
    return sourceTask == destinationTask ? TO_INPUT_0 : null;
  }

  @Override
  public CompositeEventRouteMetadata routeCompositeDataMovementEventToDestination(
      int sourceTask, int destinationTask) {
    return sourceTask == destinationTask ? ALL_TO_INPUT_0 : null;
  }

  @Override
  public EventRouteMetadata routeInputSourceTaskFailedEventToDestination(
      int sourceTask, int destinationTask) {
    return sourceTask == destinationTask ? TO_INPUT_0 : null;
  }
}
