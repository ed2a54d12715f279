// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.placement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.cluster.LocalCluster;
import dev.anemone.cluster.NodeAddress;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.client.ClientRMProxy;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.security.AMRMTokenIdentifier;
import org.apache.tez.dag.api.TezConfiguration;
import org.apache.tez.dag.app.rm.RenewingTaskScheduler;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * The scheduler against a real ResourceManager: an application whose master is this JVM. Three
 * nodes have room for two containers each.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class PlacedTaskSchedulerIT {

  private static final Resource SIZE = Resource.newInstance(1024, 1);
  private static final Duration DEADLINE = Duration.ofSeconds(60);

  @TempDir static Path directory;

  private static LocalCluster cluster;
  private static YarnClient yarn;
  private static YarnConfiguration conf;
  private static String reserved;
  private static VertexHosts bound;
  private static VertexHosts wish;

  private ApplicationId application;
  private RecordingContext context;
  private PlacedTaskScheduler scheduler;

  @BeforeAll
  static void startCluster() throws Exception {
    cluster =
        LocalCluster.start(
            new LocalCluster.Settings(3, directory.resolve("cluster"), 2048, 8, Map.of()));
    conf = new YarnConfiguration();
    for (String file : List.of("core-site.xml", "hdfs-site.xml", "yarn-site.xml")) {
      conf.addResource(
          new org.apache.hadoop.fs.Path(cluster.configurationDirectory().resolve(file).toUri()));
    }
    yarn = YarnClient.createYarnClient();
    yarn.init(conf);
    yarn.start();
    List<String> hosts =
        cluster.addresses().stream().map(Optional::orElseThrow).map(NodeAddress::host).toList();
    reserved = hosts.get(0);
    bound = new VertexHosts(List.of(reserved), true);
    wish = new VertexHosts(hosts.subList(1, 2), false);
  }

  @AfterAll
  static void stopCluster() {
    yarn.stop();
    cluster.close();
  }

  private void start(Map<String, String> settings) throws Exception {
    ApplicationSubmissionContext submission =
        yarn.createApplication().getApplicationSubmissionContext();
    application = submission.getApplicationId();
    submission.setUnmanagedAM(true);
    submission.setApplicationName("placement");
    submission.setResource(SIZE);
    submission.setAMContainerSpec(
        ContainerLaunchContext.newInstance(Map.of(), Map.of(), List.of(), null, null, null));
    yarn.submitApplication(submission);
    Token<AMRMTokenIdentifier> token = tokenOf(application);
    token.setService(ClientRMProxy.getAMRMTokenService(conf));
    // A user of its own, or the connection of the application before would be used again.
    UserGroupInformation master =
        UserGroupInformation.createRemoteUser(
            UserGroupInformation.getCurrentUser().getShortUserName());
    master.addToken(token);
    Configuration ofScheduler = new Configuration(conf);
    ofScheduler.setInt(TezConfiguration.TEZ_AM_RM_HEARTBEAT_INTERVAL_MS_MAX, 100);
    settings.forEach(ofScheduler::set);
    context = new RecordingContext(ofScheduler);
    scheduler = new PlacedTaskScheduler(context);
    master.doAs(
        (PrivilegedExceptionAction<Void>)
            () -> {
              scheduler.initialize();
              scheduler.start();
              return null;
            });
  }

  /** The token of an application that YARN has accepted; YARN tells only those who ask. */
  private static Token<AMRMTokenIdentifier> tokenOf(ApplicationId application) throws Exception {
    long end = System.nanoTime() + DEADLINE.toNanos();
    while (yarn.getApplicationReport(application).getYarnApplicationState()
            != YarnApplicationState.ACCEPTED
        || yarn.getAMRMToken(application) == null) {
      assertThat(System.nanoTime() - end).as("the time without a token").isNegative();
    }
    return yarn.getAMRMToken(application);
  }

  @AfterEach
  void end() throws Exception {
    scheduler.initiateStop();
    scheduler.setShouldUnregister();
    scheduler.shutdown();
  }

  private Object ask(int vertex, VertexHosts hosts) {
    Object task = context.task(vertex, hosts);
    scheduler.allocateTask(
        task, SIZE, null, null, Priority.newInstance(10 + vertex), "signature", null);
    return task;
  }

  private List<Object> ask(int vertex, VertexHosts hosts, int tasks) {
    List<Object> asked = new ArrayList<>();
    for (int i = 0; i < tasks; i++) {
      asked.add(ask(vertex, hosts));
    }
    return asked;
  }

  private void await(BooleanSupplier condition) throws InterruptedException {
    context.await(condition, DEADLINE);
  }

  private List<String> hostsOf(List<Object> tasks) {
    return tasks.stream()
        .filter(context.allocated::containsKey)
        .map(task -> context.allocated.get(task).getNodeId().getHost())
        .toList();
  }

  @Test
  @Order(1)
  void reservedTasksWaitForTheirHostsWhileOthersAreFree() throws Exception {
    start(Map.of());
    List<Object> dear = ask(0, bound, 4);
    await(() -> hostsOf(dear).size() >= 2);
    // What is asked for later is given, so YARN has had its chance to relax the first.
    List<Object> cheap = ask(1, wish, 4);
    await(() -> hostsOf(cheap).size() == 4);
    assertThat(hostsOf(dear)).hasSize(2).containsOnly(reserved);
    assertThat(hostsOf(cheap)).doesNotContain(reserved);
    // A used container of another host is not taken, one of the right host is.
    scheduler.deallocateTask(cheap.get(0), true, null, null);
    scheduler.deallocateTask(cheap.get(1), true, null, null);
    Object first = dear.stream().filter(context.allocated::containsKey).findFirst().orElseThrow();
    Container used = context.allocated.get(first);
    scheduler.deallocateTask(first, true, null, null);
    await(() -> hostsOf(dear).size() == 3);
    assertThat(hostsOf(dear)).containsOnly(reserved);
    assertThat(context.allocated.values()).filteredOn(used::equals).hasSize(2);
  }

  @Test
  @Order(2)
  void tasksThatWaitForOneThatCannotStartGiveWay() throws Exception {
    start(
        Map.of(
            TezConfiguration.TEZ_AM_PREEMPTION_MAX_WAIT_TIME_MS,
            "2000",
            RenewingTaskScheduler.ROOM_PATIENCE_MS,
            "1000"));
    List<Object> descendants = ask(1, bound, 2);
    await(() -> hostsOf(descendants).size() == 2);
    assertThat(msUntilRoomIsMadeFor(bound)).isGreaterThan(1900);
  }

  /** As one does between the end of another and its own start in that container. */
  @Test
  @Order(2)
  void noTaskGivesWayToOneThatWaitsShortly() throws Exception {
    start(Map.of(RenewingTaskScheduler.ROOM_PATIENCE_MS, "3000"));
    List<Object> descendants = ask(1, wish, 6);
    await(() -> hostsOf(descendants).size() == 6);
    assertThat(msUntilRoomIsMadeFor(wish)).isGreaterThan(2900);
  }

  private long msUntilRoomIsMadeFor(VertexHosts hosts) throws InterruptedException {
    ask(0, hosts);
    long asked = System.nanoTime();
    await(() -> !context.preempted.isEmpty());
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - asked);
  }

  /** YARN does not know that the containers of two of the three nodes are of no use. */
  @Test
  @Order(3)
  void aSpeculativeAttemptGetsAContainerOfAnotherNode() throws Exception {
    start(Map.of());
    List<NodeAddress> nodes = cluster.addresses().stream().map(Optional::orElseThrow).toList();
    List<Object> speculative = new ArrayList<>();
    for (int vertex = 0; vertex < nodes.size(); vertex++) {
      Set<NodeId> running = new HashSet<>();
      for (NodeAddress node : nodes) {
        if (!node.equals(nodes.get(vertex))) {
          running.add(NodeId.newInstance(node.host(), node.port()));
        }
      }
      Object task = context.task(vertex, new VertexHosts(List.of(), false), running);
      scheduler.allocateTask(
          task, SIZE, null, null, Priority.newInstance(10 + vertex), "signature", null);
      speculative.add(task);
    }
    await(() -> hostsOf(speculative).size() == nodes.size());
    assertThat(hostsOf(speculative))
        .containsExactlyElementsOf(nodes.stream().map(NodeAddress::host).toList());
    // Not by luck: each was refused once, and one more where a heartbeat was missed.
    assertThat(context.released).hasSizeLessThanOrEqualTo(nodes.size() + 1);
  }

  @Test
  @Order(4)
  void theJobEndsWhenTheHostIsLost() throws Exception {
    start(Map.of(PlacedTaskScheduler.PATIENCE_MS, "1000"));
    List<Object> dear = ask(0, bound, 3);
    await(() -> hostsOf(dear).size() >= 2);
    cluster.stopNode(0);
    await(() -> !context.errors.isEmpty());
    assertThat(context.errors.peek()).contains("stage0").contains(reserved);
  }
}
