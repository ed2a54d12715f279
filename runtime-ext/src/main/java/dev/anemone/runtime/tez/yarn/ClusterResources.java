// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.yarn;

import dev.anemone.runtime.engine.ExecutorGroup;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.yarn.api.records.NodeReport;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.YarnException;

/**
 * What a cluster has room for beside a job's application master. Cores count as well as memory,
 * also where YARN's scheduler looks at memory only. Limits of queues do not count.
 *
 * @param hosts names of the machines that run, as YARN knows them, one of each
 * @param groups how many executors of each group there is room for, in the order of the groups
 */
public record ClusterResources(List<String> hosts, List<Room> groups) {

  /** Between two tries, which go on as long as {@code --clusterAnswerSeconds} says. */
  private static final int RETRY_MILLIS = 1000;

  public ClusterResources {
    hosts = List.copyOf(hosts);
    groups = List.copyOf(groups);
  }

  /** How many machines run. */
  public int nodes() {
    return hosts.size();
  }

  /**
   * How many executors of a group there is room for, with executors of the other groups beside
   * them, and never more than the group has.
   *
   * @param now with what else runs on the cluster; may be 0
   * @param most with nothing else on the cluster, at least 1
   */
  public record Room(int now, int most) {}

  /**
   * Asks the ResourceManager.
   *
   * @param masterMemoryMb memory in MB of the application master's container, which has one core
   * @param deadline how long the answer may take, however long the configuration lets clients wait
   * @throws IllegalArgumentException when the application master or an executor is larger than
   *     YARN's largest container, or than any of the machines that it may run on
   * @throws IOException when there is no answer
   */
  public static ClusterResources query(
      Configuration configuration,
      List<ExecutorGroup> groups,
      int masterMemoryMb,
      Duration deadline)
      throws IOException {
    Answer answer = ask(configuration, deadline);
    int step =
        configuration.getInt(
            YarnConfiguration.RM_SCHEDULER_MINIMUM_ALLOCATION_MB,
            YarnConfiguration.DEFAULT_RM_SCHEDULER_MINIMUM_ALLOCATION_MB);
    ContainerRoom room =
        new ContainerRoom(
            answer.nodes(), answer.largest(), Math.max(1, step), masterMemoryMb, groups);
    room.requireRoom();
    List<Integer> most = room.whenIdle();
    List<Integer> now = room.now();
    List<Room> rooms = new ArrayList<>();
    for (int i = 0; i < groups.size(); i++) {
      rooms.add(new Room(Math.min(now.get(i), most.get(i)), most.get(i)));
    }
    return new ClusterResources(
        answer.nodes().stream().map(node -> node.getNodeId().getHost()).toList(), rooms);
  }

  /**
   * What the ResourceManager says.
   *
   * @param nodes that run
   * @param largest container that it allows
   */
  private record Answer(List<NodeReport> nodes, Resource largest) {}

  private static Answer ask(Configuration configuration, Duration deadline) throws IOException {
    Configuration impatient = impatient(configuration, deadline);
    try (BoundedCalls calls = new BoundedCalls("anemone-resources", 1, deadline)) {
      return calls.call(() -> ask(impatient));
    } catch (TimeoutException e) {
      throw noAnswer(configuration, " within " + deadline.toMillis() + " ms", e);
    } catch (IOException e) {
      throw noAnswer(configuration, ": " + e.getMessage(), e);
    }
  }

  private static Answer ask(Configuration configuration) throws IOException {
    try (YarnClient client = YarnClient.createYarnClient()) {
      client.init(configuration);
      client.start();
      return new Answer(
          client.getNodeReports(NodeState.RUNNING),
          client.createApplication().getNewApplicationResponse().getMaximumResourceCapability());
    } catch (YarnException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private static IOException noAnswer(Configuration configuration, String how, Exception cause) {
    return new IOException(
        "YARN's ResourceManager at "
            + addresses(configuration)
            + " gives no answer"
            + how
            + ". Is the cluster up, and is the address in yarn-site.xml right?",
        cause);
  }

  private static String addresses(Configuration configuration) {
    if (!configuration.getBoolean(
        YarnConfiguration.RM_HA_ENABLED, YarnConfiguration.DEFAULT_RM_HA_ENABLED)) {
      return configuration.get(YarnConfiguration.RM_ADDRESS);
    }
    List<String> all = new ArrayList<>();
    for (String id : configuration.getTrimmedStringCollection(YarnConfiguration.RM_HA_IDS)) {
      String address = configuration.get(YarnConfiguration.RM_ADDRESS + "." + id);
      all.add(
          address == null ? configuration.get(YarnConfiguration.RM_HOSTNAME + "." + id) : address);
    }
    return String.join(" or ", all);
  }

  /**
   * Hadoop tries again on three levels, which multiply: connections, calls and addresses. Here only
   * the calls are tried again, so that a machine that is not there is known to be so in time.
   */
  private static Configuration impatient(Configuration configuration, Duration deadline) {
    Configuration copy = new YarnConfiguration(configuration);
    long millis = deadline.toMillis();
    long call = Math.max(RETRY_MILLIS, millis / 3);
    atMost(copy, YarnConfiguration.RESOURCEMANAGER_CONNECT_MAX_WAIT_MS, millis);
    atMost(copy, YarnConfiguration.RESOURCEMANAGER_CONNECT_RETRY_INTERVAL_MS, RETRY_MILLIS);
    atMost(copy, CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_KEY, 0);
    atMost(
        copy,
        CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_ON_SOCKET_TIMEOUTS_KEY,
        0);
    atMost(copy, CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_TIMEOUT_KEY, call);
    atMost(copy, CommonConfigurationKeys.IPC_CLIENT_RPC_TIMEOUT_KEY, call);
    return copy;
  }

  private static void atMost(Configuration configuration, String key, long limit) {
    long set = configuration.getTimeDuration(key, limit, TimeUnit.MILLISECONDS);
    // To Hadoop 0 is no limit where a duration is meant.
    configuration.setLong(key, set <= 0 ? limit : Math.min(set, limit));
  }
}
