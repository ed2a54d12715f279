// SPDX-License-Identifier: Apache-2.0
package org.apache.tez.dag.app.rm;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.util.resource.Resources;
import org.apache.tez.serviceplugins.api.TaskSchedulerContext;

/**
 * Tez's YARN scheduler, with tasks that run on the hosts that they ask for and nowhere else. Tez
 * always lets YARN relax the locality of its requests; for bound tasks this one does not. Then YARN
 * gives no other container for them, and Tez finds their requests only under these hosts when it
 * hands out containers, new and used ones.
 *
 * <p>Tez ends tasks that depend on one that waits for a container, to make room for it, with the
 * first heartbeat that finds it waiting; and between the end of one task and the start of the next
 * in its container there is always a moment in which one waits. An aggregation task that is ended
 * so loses all that was pushed to it. This one lets a task wait for a while before.
 *
 * <p>It is in this package since Tez shows the scheduler's client and requests to nobody else.
 *
 * <p>All tasks of a vertex must be bound, or none: requests of one priority, and a vertex has
 * priorities of its own, must agree in it.
 */
public abstract class HostBoundTaskScheduler extends RenewingTaskScheduler {

  private final long patienceNanos;
  private BindingClient requests;

  /** The thread that looks for containers to preempt, while it does. */
  private volatile Thread preempting;

  /**
   * Called by Tez.
   *
   * @param patience how long a task waits before others are ended for it
   */
  protected HostBoundTaskScheduler(TaskSchedulerContext context, Duration patience) {
    super(context);
    this.patienceNanos = patience.toNanos();
  }

  @Override
  AskingClient newClient() {
    requests = new BindingClient();
    return requests;
  }

  /**
   * Whether a task must not run elsewhere than on the hosts that it asks for, of which there must
   * be one at least.
   */
  protected abstract boolean isBound(Object task);

  /** The bound tasks that have no container yet, and the hosts that each of them asks for. */
  protected final Map<Object, List<String>> awaitedHosts() {
    return requests.awaitedHosts();
  }

  @Override
  public float getProgress() {
    preempting = Thread.currentThread();
    try {
      return super.getProgress();
    } finally {
      preempting = null;
    }
  }

  /** Asks YARN for the containers. Thread-safe, as all clients are. */
  private final class BindingClient extends AskingClient {

    @Override
    TaskRequest asked(TaskRequest request) {
      return isBound(request.getTask()) ? new BoundRequest(request) : request;
    }

    /**
     * Under no host in particular bound requests are not found, so that their tasks get no
     * container of any host. But for a task that waits for long, containers of tasks that depend on
     * it are to be preempted, bound or not: they may wait for it themselves. For one that does not
     * wait for long, nothing is preempted.
     */
    @Override
    public synchronized List<? extends Collection<TaskRequest>> getMatchingRequests(
        Priority priority, String resourceName, Resource capability) {
      if (Thread.currentThread() != preempting || !ResourceRequest.ANY.equals(resourceName)) {
        return super.getMatchingRequests(priority, resourceName, capability);
      }
      List<TaskRequest> fitting =
          waitingFor(patienceNanos).stream()
              .filter(request -> request.getPriority().equals(priority))
              .filter(request -> Resources.fitsIn(request.getCapability(), capability))
              .toList();
      return fitting.isEmpty() ? List.of() : List.of(fitting);
    }

    private List<TaskRequest> bound() {
      return waiting().stream().filter(BoundRequest.class::isInstance).toList();
    }

    Map<Object, List<String>> awaitedHosts() {
      Map<Object, List<String>> hosts = new HashMap<>();
      bound().forEach(request -> hosts.put(request.getTask(), request.getNodes()));
      return hosts;
    }
  }

  /** A request that only containers of its hosts meet. */
  private static final class BoundRequest extends TaskRequest {

    BoundRequest(TaskRequest request) {
      super(
          request.getTask(),
          request.getVertexIndex(),
          request.getCapability(),
          request.getNodes().toArray(String[]::new),
          null,
          request.getPriority(),
          request.getContainerSignature(),
          request.getCookie(),
          request.getAffinity());
    }

    @Override
    public boolean getRelaxLocality() {
      return false;
    }
  }
}
