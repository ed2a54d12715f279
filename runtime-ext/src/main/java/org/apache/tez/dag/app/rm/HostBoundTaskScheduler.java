// SPDX-License-Identifier: Apache-2.0
package org.apache.tez.dag.app.rm;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.tez.serviceplugins.api.TaskSchedulerContext;

/**
 * Tez's YARN scheduler, with tasks that run on the hosts that they ask for and nowhere else. Tez
 * always lets YARN relax the locality of its requests; for bound tasks this one does not. Then YARN
 * gives no other container for them, and Tez finds their requests only under these hosts when it
 * hands out containers, new and used ones.
 *
 * <p>It is in this package since Tez shows the scheduler's client and requests to nobody else.
 *
 * <p>All tasks of a vertex must be bound, or none: requests of one priority, and a vertex has
 * priorities of its own, must agree in it.
 */
public abstract class HostBoundTaskScheduler extends RenewingTaskScheduler {

  private BindingClient requests;

  /** Called by Tez. */
  protected HostBoundTaskScheduler(TaskSchedulerContext context) {
    super(context);
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

  /** Asks YARN for the containers. Thread-safe, as all clients are. */
  private final class BindingClient extends AskingClient {

    @Override
    TaskRequest asked(TaskRequest request) {
      return isBound(request.getTask()) ? new BoundRequest(request) : request;
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
