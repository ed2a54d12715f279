// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.NodeReport;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.tez.dag.api.TezConfiguration;
import org.junit.jupiter.api.Test;

/** Without a ResourceManager: the test says what containers it gives. */
class PlacedTaskSchedulerTest {

  private static final String RESERVED = "127.0.0.11";
  private static final String TRANSIENT = "127.0.0.12";
  private static final VertexHosts BOUND = new VertexHosts(List.of(RESERVED), true);
  private static final VertexHosts WISH = new VertexHosts(List.of(TRANSIENT), false);
  private static final Resource SIZE = Resource.newInstance(1024, 1);

  private final Configuration conf = new Configuration(false);
  private int containers;

  private RecordingContext context;
  private PlacedTaskScheduler scheduler;

  private void start() throws Exception {
    // Without the rack level, a container that nobody wants is given back at once.
    conf.setBoolean(TezConfiguration.TEZ_AM_CONTAINER_REUSE_RACK_FALLBACK_ENABLED, false);
    context = new RecordingContext(conf);
    scheduler = new PlacedTaskScheduler(context);
    scheduler.initialize();
  }

  private Object ask(int vertex, VertexHosts hosts) {
    Object task = context.task(vertex, hosts);
    scheduler.allocateTask(task, SIZE, null, null, priority(vertex), "signature", null);
    return task;
  }

  private static Priority priority(int vertex) {
    return Priority.newInstance(10 + vertex);
  }

  private Container give(int vertex, String host) {
    ContainerId id =
        ContainerId.newContainerId(
            ApplicationAttemptId.newInstance(ApplicationId.newInstance(1, 1), 1), ++containers);
    Container container =
        Container.newInstance(
            id, NodeId.newInstance(host, 1), host + ":2", SIZE, priority(vertex), null);
    scheduler.onContainersAllocated(List.of(container));
    return container;
  }

  @Test
  void aBoundTaskTakesNoNewContainerOfAnotherHost() throws Exception {
    start();
    Object task = ask(0, BOUND);
    give(0, TRANSIENT);
    assertThat(context.allocated).isEmpty();
    assertThat(scheduler.getHeldContainersCount()).isZero();
    Container right = give(0, RESERVED);
    assertThat(context.allocated).containsOnlyKeys(task).containsValue(right);
  }

  @Test
  void hostsAreAWishOfOtherTasks() throws Exception {
    start();
    Object task = ask(0, WISH);
    give(0, RESERVED);
    assertThat(context.allocated).containsOnlyKeys(task);
  }

  @Test
  void aBoundTaskTakesUsedContainersOfItsHostsOnly() throws Exception {
    start();
    Object onTransient = ask(0, WISH);
    give(0, TRANSIENT);
    Object onReserved = ask(1, BOUND);
    Container used = give(1, RESERVED);
    Object waiting = ask(2, BOUND);
    scheduler.deallocateTask(onTransient, true, null, null);
    assertThat(context.allocated).doesNotContainKey(waiting);
    scheduler.deallocateTask(onReserved, true, null, null);
    assertThat(context.allocated).containsEntry(waiting, used);
  }

  @Test
  void aBoundTaskDoesNotFollowAnotherToItsContainer() throws Exception {
    start();
    ask(0, WISH);
    Container elsewhere = give(0, TRANSIENT);
    Object task = context.task(1, BOUND);
    scheduler.allocateTask(task, SIZE, elsewhere.getId(), priority(1), "signature", null);
    give(1, TRANSIENT);
    assertThat(context.allocated).doesNotContainKey(task);
    give(1, RESERVED);
    assertThat(context.allocated).containsKey(task);
  }

  @Test
  void aTaskThatIsWithdrawnIsAskedForNoMore() throws Exception {
    start();
    Object task = ask(0, BOUND);
    assertThat(scheduler.deallocateTask(task, false, null, null)).isFalse();
    give(0, RESERVED);
    assertThat(context.allocated).isEmpty();
    // The vertex may be of another kind in the next DAG.
    Object other = ask(0, WISH);
    give(0, TRANSIENT);
    assertThat(context.allocated).containsOnlyKeys(other);
  }

  @Test
  void waitingForLostHostsEndsWithTheReason() throws Exception {
    conf.setLong(PlacedTaskScheduler.PATIENCE_MS, 0);
    start();
    ask(0, BOUND);
    scheduler.getProgress();
    assertThat(context.errors).isEmpty();
    scheduler.onNodesUpdated(List.of(node(RESERVED, NodeState.LOST)));
    scheduler.getProgress();
    scheduler.getProgress();
    assertThat(context.errors)
        .containsExactly(
            "OTHER_FATAL: Tasks of stage0 may run on reserved executors only, which have the hosts"
                + " [127.0.0.11], and none of these could be used for 0 s. Bring one of them back,"
                + " or name others.");
  }

  @Test
  void nobodyFailsForHostsThatCameBack() throws Exception {
    conf.setLong(PlacedTaskScheduler.PATIENCE_MS, 0);
    start();
    ask(0, BOUND);
    scheduler.onNodesUpdated(List.of(node(RESERVED, NodeState.UNHEALTHY)));
    scheduler.onNodesUpdated(List.of(node(RESERVED, NodeState.RUNNING)));
    scheduler.getProgress();
    assertThat(context.errors).isEmpty();
  }

  private static NodeReport node(String host, NodeState state) {
    return NodeReport.newInstance(
        NodeId.newInstance(host, 1), state, host + ":2", "/default-rack", SIZE, SIZE, 0, "", 0);
  }

  @Test
  void usedContainersForAnybodyAreRefused() {
    conf.setBoolean(TezConfiguration.TEZ_AM_CONTAINER_REUSE_NON_LOCAL_FALLBACK_ENABLED, true);
    assertThatIllegalArgumentException()
        .isThrownBy(this::start)
        .withMessageStartingWith("tez.am.container.reuse.non-local-fallback.enabled is on");
  }
}
