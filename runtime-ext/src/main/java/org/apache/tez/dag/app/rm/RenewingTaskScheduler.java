// SPDX-License-Identifier: Apache-2.0
package org.apache.tez.dag.app.rm;

import dev.anemone.runtime.tez.history.YarnListing;
import dev.anemone.runtime.tez.master.AggregationTasks;
import dev.anemone.runtime.tez.master.LostNodes;
import dev.anemone.runtime.tez.master.NodeAddresses;
import dev.anemone.runtime.tez.pool.MasterLease;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.protocolrecords.RegisterApplicationMasterResponse;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.NodeReport;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.api.resource.PlacementConstraint;
import org.apache.hadoop.yarn.client.api.impl.AMRMClientImpl;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.util.resource.Resources;
import org.apache.tez.common.TezUtils;
import org.apache.tez.dag.app.dag.DAG;
import org.apache.tez.dag.app.dag.TaskAttempt;
import org.apache.tez.dag.app.dag.impl.RecoveredAttempts;
import org.apache.tez.serviceplugins.api.TaskAttemptEndReason;
import org.apache.tez.serviceplugins.api.TaskSchedulerContext;

/**
 * Tez's YARN scheduler, which asks YARN again when a container was of no use. Tez does not run a
 * speculative attempt on the node of the attempt that it is to overtake. When YARN gives a
 * container on just that node, Tez lets the container go; but YARN has done its part, and the
 * speculative attempt would wait for as long as the slow one runs.
 *
 * <p>A request is renewed with the heartbeat after the container, and from then on after pauses
 * that double, so that a cluster that has room on that node only is not kept busy. It is not
 * renewed on a cluster of one node.
 *
 * <p>YARN gives a container on the node whose heartbeat comes first after the request, which may
 * well be the same node again and again. So while a renewed request waits, the hosts that it must
 * not have are on the application's blacklist, for three heartbeats of a node at most. One request
 * has that turn at a time, since the blacklist is for all of them.
 *
 * <p>Tez ends tasks that depend on one that waits for a container, to make room for it, with the
 * first heartbeat that finds it waiting; and between the end of one task and the start of the next
 * in its container there is always a moment in which one waits. An aggregation task that is ended
 * so loses all that was pushed to it. This one lets a task wait for {@link #ROOM_PATIENCE_MS}
 * before; and while aggregation tasks run, for half of the time that it took to gather what they
 * have, up to twelve times that setting, since it would be gathered again.
 *
 * <p>It is told of every attempt that a second application master recovers, and has it get its
 * container back ({@link RecoveredAttempts}).
 *
 * <p>It has blocks made again that were on a node that YARN says is lost ({@link LostNodes}).
 *
 * <p>It has nodes without names called by their addresses ({@link NodeAddresses}).
 *
 * <p>It tells YARN where the page of the application's jobs is, and at the end what has come of
 * them ({@link YarnListing}), since it has the only client of YARN.
 *
 * <p>It also holds the lease of the application on its pool of remote memory, since every attempt
 * of an application master has a scheduler, from before its first task until it ends.
 *
 * <p>It is in this package since Tez shows the scheduler's client and requests to nobody else.
 */
public class RenewingTaskScheduler extends DagAwareYarnTaskScheduler {

  /**
   * Setting: how long a task waits for a container, in ms, before tasks that depend on it are ended
   * to make room for it.
   */
  public static final String ROOM_PATIENCE_MS = "anemone.room-patience-ms";

  private static final Duration ROOM_PATIENCE = Duration.ofSeconds(5);

  /** Whoever sets the patience sets its limit. */
  private static final int MOST_ROOM_PATIENCES = 12;

  /** Until Tez sets the client's interval from the configuration. */
  private static final int HEARTBEAT_MS = 1000;

  /** Requests that are renewed go on until they are answered, so pauses are no options. */
  private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  private static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(4);

  /** A master that waits for its page for longer does without. */
  private static final Duration PAGE_PATIENCE = Duration.ofSeconds(10);

  /** How long a turn lasts, in heartbeats of a node. */
  private static final int TURN_HEARTBEATS = 3;

  private final LostNodes lostNodes = new LostNodes();
  private AskingClient requests;
  private MasterLease lease;
  private long roomPatienceNanos;

  /** The thread that looks for containers to preempt, while it does. */
  private volatile Thread preempting;

  /** Called by Tez. */
  public RenewingTaskScheduler(TaskSchedulerContext context) {
    super(context);
  }

  /** Makes the client; called once. */
  AskingClient newClient() {
    return new AskingClient();
  }

  @Override
  public void initialize() throws Exception {
    Configuration conf = TezUtils.createConfFromUserPayload(getContext().getInitialUserPayload());
    roomPatienceNanos =
        TimeUnit.MILLISECONDS.toNanos(conf.getLong(ROOM_PATIENCE_MS, ROOM_PATIENCE.toMillis()));
    lease = MasterLease.take(conf);
    requests = newClient();
    initialize(new AMRMClientAsyncWrapper(requests, HEARTBEAT_MS, this));
  }

  @Override
  public void shutdown() throws Exception {
    try (MasterLease closedLast = lease) {
      super.shutdown();
    }
  }

  @Override
  public void onContainersAllocated(List<Container> containers) {
    containers.forEach(NodeAddresses::takeForNames);
    super.onContainersAllocated(containers);
    containers.forEach(requests::refused);
  }

  /** Called when YARN says so, which is some time after nodes have fallen silent. */
  @Override
  public void onNodesUpdated(List<NodeReport> updatedNodes) {
    super.onNodesUpdated(updatedNodes);
    lostNodes.update(updatedNodes, runningDag());
  }

  private Optional<DAG> runningDag() {
    return getContext().getCurrentDagInfo() instanceof DAG dag
        ? Optional.of(dag)
        : Optional.empty();
  }

  /** Called once for each attempt that ends, and for each that has been recovered. */
  @Override
  public boolean deallocateTask(
      Object task, boolean taskSucceeded, TaskAttemptEndReason endReason, String diagnostics) {
    if (taskSucceeded && task instanceof TaskAttempt attempt) {
      RecoveredAttempts.giveContainer(attempt);
      lostNodes.succeeded(attempt);
    }
    return super.deallocateTask(task, taskSucceeded, endReason, diagnostics);
  }

  /** Called with every heartbeat. */
  @Override
  public float getProgress() {
    if (getClusterNodeCount() > 1) {
      requests.renew(System.nanoTime());
    }
    runningDag().ifPresent(lostNodes::makeAgain);
    preempting = Thread.currentThread();
    try {
      return super.getProgress();
    } finally {
      preempting = null;
    }
  }

  /** How long a task waits for a container before others are ended for it, ns. */
  private long roomPatience() {
    long now = System.currentTimeMillis();
    long gathered = runningDag().map(dag -> AggregationTasks.mostGathered(dag, now)).orElse(0L);
    long half = TimeUnit.MILLISECONDS.toNanos(gathered / 2);
    return Math.max(roomPatienceNanos, Math.min(half, MOST_ROOM_PATIENCES * roomPatienceNanos));
  }

  /** The nodes on which a task must not run: those of its other attempts. */
  private static Set<NodeId> avoided(TaskRequest request) {
    Set<NodeId> nodes =
        request.getTask() instanceof TaskAttempt attempt
            ? attempt.getTask().getNodesWithRunningAttempts()
            : null;
    return nodes == null ? Set.of() : nodes;
  }

  /** Asks YARN for the containers. Thread-safe, as all clients are. */
  class AskingClient extends AMRMClientImpl<TaskRequest> {

    /** What YARN was asked for, for each request of Tez's that has no container yet. */
    private final IdentityHashMap<TaskRequest, Asked> waiting = new IdentityHashMap<>();

    private final IdentityHashMap<TaskRequest, Renewal> refused = new IdentityHashMap<>();

    /**
     * What YARN was asked for.
     *
     * @param atNanos by the clock of {@link System#nanoTime}
     */
    private record Asked(TaskRequest request, long atNanos) {}

    /**
     * When to ask again.
     *
     * @param atNanos by the clock of {@link System#nanoTime}
     * @param pauseNanos how long after the next refusal
     * @param due whether the last container was refused, so that nothing is asked for
     */
    private record Renewal(long atNanos, long pauseNanos, boolean due) {}

    /** The hosts that Tez has on the blacklist. */
    private final Set<String> listedByTez = new HashSet<>();

    private Turn turn;

    /**
     * The hosts that are on the blacklist for one request, but for those that Tez has there.
     *
     * @param untilNanos by the clock of {@link System#nanoTime}
     */
    private record Turn(TaskRequest request, List<String> hosts, long untilNanos) {}

    /** Tez knows of no page: it would serve one of its own. */
    @Override
    public RegisterApplicationMasterResponse registerApplicationMaster(
        String host,
        int port,
        String trackingUrl,
        Map<Set<String>, PlacementConstraint> placementConstraints)
        throws YarnException, IOException {
      return super.registerApplicationMaster(
          host,
          port,
          YarnListing.page(getConfig(), PAGE_PATIENCE).map(URI::toString).orElse(trackingUrl),
          placementConstraints);
    }

    /** YARN shows the message with the application, where people come who look for its page. */
    @Override
    public void unregisterApplicationMaster(
        FinalApplicationStatus status, String message, String trackingUrl)
        throws YarnException, IOException {
      super.unregisterApplicationMaster(status, YarnListing.ends() + message, trackingUrl);
    }

    /** What to ask YARN for in place of a request of Tez's. */
    TaskRequest asked(TaskRequest request) {
      return request;
    }

    @Override
    public synchronized void addContainerRequest(TaskRequest request) {
      TaskRequest asked = asked(request);
      super.addContainerRequest(asked);
      waiting.put(request, new Asked(asked, System.nanoTime()));
    }

    @Override
    public synchronized void removeContainerRequest(TaskRequest request) {
      Asked asked = waiting.remove(request);
      refused.remove(request);
      super.removeContainerRequest(asked == null ? request : asked.request());
      if (turn != null && turn.request() == request) {
        endTurn();
      }
    }

    @Override
    public synchronized void updateBlacklist(List<String> additions, List<String> removals) {
      if (turn != null) {
        endTurn();
      }
      if (additions != null) {
        listedByTez.addAll(additions);
      }
      if (removals != null) {
        listedByTez.removeAll(removals);
      }
      super.updateBlacklist(additions, removals);
    }

    /**
     * Requests that are bound to hosts are not found under no host in particular, so that their
     * tasks get no container of any host. But where tasks are sought that are to be ended, those
     * are found that have waited for long, bound or not, and no others.
     */
    @Override
    public synchronized List<? extends Collection<TaskRequest>> getMatchingRequests(
        Priority priority, String resourceName, Resource capability) {
      if (Thread.currentThread() != preempting || !ResourceRequest.ANY.equals(resourceName)) {
        return super.getMatchingRequests(priority, resourceName, capability);
      }
      List<TaskRequest> fitting =
          waitingFor(roomPatience()).stream()
              .filter(request -> request.getPriority().equals(priority))
              .filter(request -> Resources.fitsIn(request.getCapability(), capability))
              .toList();
      return fitting.isEmpty() ? List.of() : List.of(fitting);
    }

    /** Whether no other request has its turn, or it serves this one too. */
    private boolean hasTurn(TaskRequest request) {
      return turn == null
          || turn.request() == request
          || avoided(request).stream()
              .map(NodeId::getHost)
              .allMatch(host -> turn.hosts().contains(host) || listedByTez.contains(host));
    }

    private void beginTurn(TaskRequest request, long nowNanos) {
      List<String> hosts =
          avoided(request).stream()
              .map(NodeId::getHost)
              .distinct()
              .filter(host -> !listedByTez.contains(host))
              .toList();
      long heartbeatMs =
          getConfig()
              .getLong(
                  YarnConfiguration.RM_NM_HEARTBEAT_INTERVAL_MS,
                  YarnConfiguration.DEFAULT_RM_NM_HEARTBEAT_INTERVAL_MS);
      turn =
          new Turn(
              request,
              hosts,
              nowNanos + TURN_HEARTBEATS * TimeUnit.MILLISECONDS.toNanos(heartbeatMs));
      super.updateBlacklist(hosts, null);
    }

    private void endTurn() {
      super.updateBlacklist(null, turn.hosts());
      turn = null;
    }

    /** What YARN was asked for and has not given. */
    final List<TaskRequest> waiting() {
      return waitingFor(0);
    }

    /** What YARN was asked for as long ago, and has not given. */
    final synchronized List<TaskRequest> waitingFor(long nanos) {
      long now = System.nanoTime();
      return waiting.values().stream()
          .filter(asked -> now - asked.atNanos() >= nanos)
          .map(Asked::request)
          .toList();
    }

    /** Notes the requests that a container was for and that could not take it. */
    final synchronized void refused(Container container) {
      for (TaskRequest request : waiting.keySet()) {
        if (request.getPriority().equals(container.getPriority())
            && avoided(request).contains(container.getNodeId())) {
          refused.compute(
              request,
              (key, last) ->
                  last == null
                      ? new Renewal(System.nanoTime(), FIRST_PAUSE_NANOS, true)
                      : new Renewal(last.atNanos(), last.pauseNanos(), true));
        }
      }
    }

    /** Asks again for what was refused, unless that was done a short while ago. */
    final synchronized void renew(long nowNanos) {
      if (turn != null && nowNanos - turn.untilNanos() >= 0) {
        endTurn();
      }
      for (TaskRequest request : new ArrayList<>(refused.keySet())) {
        Renewal renewal = refused.get(request);
        if (renewal.due() && nowNanos - renewal.atNanos() >= 0 && hasTurn(request)) {
          TaskRequest asked = waiting.get(request).request();
          // The client tells YARN again how many containers it wants where that has changed.
          super.removeContainerRequest(asked);
          super.addContainerRequest(asked);
          if (turn == null) {
            beginTurn(request, nowNanos);
          }
          refused.put(
              request,
              new Renewal(
                  nowNanos + renewal.pauseNanos(),
                  Math.min(2 * renewal.pauseNanos(), LONGEST_PAUSE_NANOS),
                  false));
        }
      }
    }
  }
}
