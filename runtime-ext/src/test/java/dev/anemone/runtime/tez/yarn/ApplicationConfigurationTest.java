// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.property.ResourcePriority;
import dev.anemone.runtime.engine.ClusterWaits;
import dev.anemone.runtime.engine.Deployment;
import dev.anemone.runtime.engine.ExecutorGroup;
import dev.anemone.runtime.tez.container.ContainerSizes;
import dev.anemone.runtime.tez.placement.PlacedTaskScheduler;
import dev.anemone.runtime.transfer.fetch.FetchSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.tez.dag.api.TezConfiguration;
import org.apache.tez.dag.app.rm.RenewingTaskScheduler;
import org.junit.jupiter.api.Test;

class ApplicationConfigurationTest {

  private static final String POLICY = "dfs.client.block.write.replace-datanode-on-failure.policy";
  private static final String BEST_EFFORT =
      "dfs.client.block.write.replace-datanode-on-failure.best-effort";

  private static final FetchSettings FETCHING =
      new FetchSettings(
          Duration.ofSeconds(1),
          Duration.ofSeconds(2),
          Duration.ofSeconds(3),
          Duration.ofSeconds(4));

  private static final ClusterWaits WAITS =
      new ClusterWaits(
          Duration.ofSeconds(1),
          Duration.ofSeconds(2),
          Duration.ofSeconds(3),
          Duration.ofSeconds(4),
          Duration.ofSeconds(5),
          Duration.ofSeconds(6),
          Duration.ofSeconds(7),
          Duration.ofSeconds(8));

  private static Configuration of(Configuration cluster) {
    Deployment.Yarn deployment =
        new Deployment.Yarn(
            java.nio.file.Path.of("conf"),
            List.of(new ExecutorGroup(ResourcePriority.NONE, 1024, 1, Optional.empty(), List.of())),
            1024,
            Optional.empty(),
            List.of(),
            new Deployment.Lifetime.Attached(Duration.ofSeconds(60)),
            WAITS,
            FETCHING,
            false,
            Map.of());
    return ApplicationConfiguration.of(
        cluster,
        deployment,
        new ShippedClassPath(Map.of(), List.of("a.jar"), 0, 0),
        new Path("hdfs://names/staging"),
        2,
        1.5,
        ContainerSizes.ofMaster(1024, 1),
        ContainerSizes.of(1024, 1, 0, Optional.empty()));
  }

  @Test
  void anApplicationWaitsAsItIsToldUnlessASettingSaysOtherwise() {
    Configuration cluster = new Configuration(false);
    Configuration told = of(cluster);
    assertThat(told.get(PlacedTaskScheduler.PATIENCE_MS)).isEqualTo("5000");
    assertThat(told.get(RenewingTaskScheduler.ROOM_PATIENCE_MS)).isEqualTo("6000");
    assertThat(told.get(TezConfiguration.TEZ_AM_CONTAINER_IDLE_RELEASE_TIMEOUT_MIN_MILLIS))
        .isEqualTo("7000");
    assertThat(told.get(TezConfiguration.TEZ_AM_CONTAINER_IDLE_RELEASE_TIMEOUT_MAX_MILLIS))
        .isEqualTo("14000");
    cluster.set(PlacedTaskScheduler.PATIENCE_MS, "1");
    assertThat(of(cluster).get(PlacedTaskScheduler.PATIENCE_MS)).isEqualTo("1");
  }

  @Test
  void aLostDataNodeOfARecoveryFileIsReplacedWhateverHdfsDoesByDefault() {
    assertThat(new HdfsConfiguration().get(POLICY)).isEqualTo("DEFAULT");

    Configuration configuration = of(new HdfsConfiguration());

    assertThat(configuration.get(POLICY)).isEqualTo("ALWAYS");
    assertThat(configuration.get(BEST_EFFORT)).isEqualTo("true");
  }

  @Test
  void whatTheUserHasSetForItStays() {
    Configuration cluster = new HdfsConfiguration();
    cluster.set(POLICY, "NEVER");
    cluster.set(BEST_EFFORT, "false");

    Configuration configuration = of(cluster);

    assertThat(configuration.get(POLICY)).isEqualTo("NEVER");
    assertThat(configuration.get(BEST_EFFORT)).isEqualTo("false");
  }

  @Test
  void aConsumerThatSaysTwiceThatANodeIsAwayIsBelieved() {
    Configuration cluster = new HdfsConfiguration();
    cluster.set(TezConfiguration.TEZ_TASK_MAX_ALLOWED_OUTPUT_FAILURES_FRACTION, "0.5");

    Configuration configuration = of(cluster);

    assertThat(configuration.getInt("tez.am.max.allowed.time-sec.for-read-error", 0)).isEqualTo(4);
    assertThat(configuration.get("tez.am.max.allowed.downstream.host.failures.fraction"))
        .isEqualTo("0.25");
    assertThat(configuration.get("tez.task.max.allowed.output.failures.fraction"))
        .as("what the user has set")
        .isEqualTo("0.5");
    assertThat(configuration.get("anemone.fetch.patience-ms")).isEqualTo("3000");
  }

  /** There is no web server on the class path: the master would not start. */
  @Test
  void theMasterHasNoWebPagesWhateverTheClusterSays() {
    Configuration cluster = new HdfsConfiguration();
    cluster.setBoolean(TezConfiguration.TEZ_AM_WEBSERVICE_ENABLE, true);

    assertThat(of(cluster).getBoolean(TezConfiguration.TEZ_AM_WEBSERVICE_ENABLE, true)).isFalse();
  }
}
