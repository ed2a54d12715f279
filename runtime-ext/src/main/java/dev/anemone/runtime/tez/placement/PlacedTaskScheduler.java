// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.placement;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.Time;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.NodeReport;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.tez.common.TezUtils;
import org.apache.tez.dag.api.TezConfiguration;
import org.apache.tez.dag.app.dag.TaskAttempt;
import org.apache.tez.dag.app.rm.HostBoundTaskScheduler;
import org.apache.tez.serviceplugins.api.ServicePluginErrorDefaults;
import org.apache.tez.serviceplugins.api.TaskSchedulerContext;

/**
 * Tez's YARN scheduler, with executors of several kinds: a vertex that has the settings of a {@link
 * StagePlacement} gets containers on the hosts of its executors. RESERVED vertices get them there
 * and nowhere else; for others the hosts are a wish, which YARN waives when it cannot fulfil it
 * soon.
 *
 * <p>It is set with {@code tez.am.yarn.scheduler.class}. Used containers must not be handed to
 * tasks that asked for another host, which is how Tez is by default ({@code
 * tez.am.container.reuse.non-local-fallback.enabled}).
 *
 * <p>When YARN says of all hosts of a RESERVED vertex that they cannot be used, its tasks wait
 * {@link #PATIENCE_MS} for them; then the application fails and says so.
 */
public final class PlacedTaskScheduler extends HostBoundTaskScheduler {

  /** Setting: how long a task waits, in ms, while all hosts are lost on which it may run. */
  public static final String PATIENCE_MS = "anemone.placement.patience-ms";

  private static final Duration PATIENCE = Duration.ofMinutes(10);

  private static final Set<NodeState> LOST =
      EnumSet.of(NodeState.LOST, NodeState.UNHEALTHY, NodeState.DECOMMISSIONED, NodeState.SHUTDOWN);

  private final HostWatch watch;
  private boolean hasFailed;

  /** Called by Tez. */
  public PlacedTaskScheduler(TaskSchedulerContext context) throws Exception {
    super(context);
    Configuration conf = TezUtils.createConfFromUserPayload(context.getInitialUserPayload());
    if (conf.getBoolean(
        TezConfiguration.TEZ_AM_CONTAINER_REUSE_NON_LOCAL_FALLBACK_ENABLED,
        TezConfiguration.TEZ_AM_CONTAINER_REUSE_NON_LOCAL_FALLBACK_ENABLED_DEFAULT)) {
      throw new IllegalArgumentException(
          TezConfiguration.TEZ_AM_CONTAINER_REUSE_NON_LOCAL_FALLBACK_ENABLED
              + " is on, so that reserved tasks could get used containers of transient hosts;"
              + " switch it off");
    }
    watch =
        new HostWatch(
            Duration.ofMillis(conf.getLong(PATIENCE_MS, PATIENCE.toMillis())), Time::monotonicNow);
  }

  private static VertexHosts hosts(Object task) {
    return VertexHosts.in(((TaskAttempt) task).getTask().getVertex().getConf());
  }

  @Override
  protected boolean isBound(Object task) {
    return hosts(task).bound();
  }

  @Override
  public void allocateTask(
      Object task,
      Resource capability,
      String[] hosts,
      String[] racks,
      Priority priority,
      Object containerSignature,
      Object clientCookie) {
    VertexHosts ofVertex = hosts(task);
    super.allocateTask(
        task,
        capability,
        ofVertex.wanted(hosts),
        ofVertex.bound() ? null : racks,
        priority,
        containerSignature,
        clientCookie);
  }

  /**
   * A bound task may wait for no single container, since it would do so forever when the host of
   * that is lost.
   */
  @Override
  public void allocateTask(
      Object task,
      Resource capability,
      ContainerId containerId,
      Priority priority,
      Object containerSignature,
      Object clientCookie) {
    if (hosts(task).bound()) {
      allocateTask(task, capability, null, null, priority, containerSignature, clientCookie);
    } else {
      super.allocateTask(task, capability, containerId, priority, containerSignature, clientCookie);
    }
  }

  @Override
  public void onContainersAllocated(List<Container> containers) {
    containers.forEach(container -> watch.usable(container.getNodeId().getHost()));
    super.onContainersAllocated(containers);
  }

  @Override
  public void onNodesUpdated(List<NodeReport> updatedNodes) {
    for (NodeReport node : updatedNodes) {
      if (LOST.contains(node.getNodeState())) {
        watch.lost(node.getNodeId().getHost());
      } else {
        watch.usable(node.getNodeId().getHost());
      }
    }
    super.onNodesUpdated(updatedNodes);
  }

  @Override
  public synchronized void blacklistNode(NodeId nodeId) {
    watch.lost(nodeId.getHost());
    super.blacklistNode(nodeId);
  }

  @Override
  public synchronized void unblacklistNode(NodeId nodeId) {
    watch.usable(nodeId.getHost());
    super.unblacklistNode(nodeId);
  }

  /** Called with every heartbeat. */
  @Override
  public float getProgress() {
    if (!hasFailed) {
      for (Map.Entry<Object, List<String>> waiting : awaitedHosts().entrySet()) {
        if (watch.areGivenUp(waiting.getValue())) {
          hasFailed = true;
          fail(waiting.getKey(), waiting.getValue());
          break;
        }
      }
    }
    return super.getProgress();
  }

  private void fail(Object task, List<String> hosts) {
    getContext()
        .reportError(
            ServicePluginErrorDefaults.OTHER_FATAL,
            "Tasks of "
                + ((TaskAttempt) task).getTask().getVertex().getName()
                + " may run on reserved executors only, which have the hosts "
                + hosts
                + ", and none of these could be used for "
                + watch.patience().toSeconds()
                + " s. Bring one of them back, or name others.",
            null);
  }
}
