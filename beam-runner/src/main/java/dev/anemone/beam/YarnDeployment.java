// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam;

import dev.anemone.beam.hdfs.ClusterDirectory;
import dev.anemone.beam.options.ClusterOptions;
import dev.anemone.beam.options.ExecutorFile;
import dev.anemone.beam.options.InvalidPipelineException;
import dev.anemone.beam.options.OptionCheck;
import dev.anemone.beam.options.ViewOptions;
import dev.anemone.ir.property.ResourcePriority;
import dev.anemone.runtime.engine.ClusterWaits;
import dev.anemone.runtime.engine.Deployment;
import dev.anemone.runtime.engine.ExecutorGroup;
import dev.anemone.runtime.event.MasterPage;
import dev.anemone.runtime.tez.yarn.ClientClassPath;
import dev.anemone.runtime.transfer.fetch.FetchSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import org.apache.beam.sdk.util.common.ReflectHelpers;

/** What the options say of the cluster. */
final class YarnDeployment {

  /** Whoever waits for more than an hour waits for nothing. */
  private static final int MOST_FETCH_SECONDS = 3600;

  private static final long MB = 1L << 20;

  private YarnDeployment() {}

  /**
   * The deployment on YARN that the options ask for.
   *
   * @throws InvalidPipelineException names the option, the value, and what would be right
   */
  static Deployment.Yarn of(ClusterOptions options, Map<String, String> environment) {
    ClusterDirectory directory =
        ClusterDirectory.of(options, environment)
            .orElseThrow(
                () ->
                    new InvalidPipelineException(
                        "--deployMode=yarn needs the configuration of a cluster. Give"
                            + " --hadoopConfDir=DIRECTORY, or set the environment variable"
                            + " HADOOP_CONF_DIR: the directory with its core-site.xml,"
                            + " hdfs-site.xml and yarn-site.xml."));
    return new Deployment.Yarn(
        directory.path(),
        executors(options),
        OptionCheck.atLeast(
            ExecutorGroup.LEAST_MEMORY_MB,
            "masterMemoryMb",
            options.getMasterMemoryMb(),
            "MB of the application master's memory"),
        Optional.ofNullable(options.getQueue()).filter(queue -> !queue.isBlank()),
        classPath(options),
        lifetime(options),
        waits(options),
        fetching(options),
        hasPage(options.as(ViewOptions.class)),
        ClusterDirectory.settings(options));
  }

  /** What shows a job here also shows it there, as it goes there with the class path. */
  private static boolean hasPage(ViewOptions options) {
    return !options.getUi().equals("off")
        && ServiceLoader.load(MasterPage.class, ReflectHelpers.findClassLoader())
            .findFirst()
            .isPresent();
  }

  private static ClusterWaits waits(ClusterOptions options) {
    return new ClusterWaits(
        Duration.ofSeconds(
            OptionCheck.atLeast(
                1,
                "clusterAnswerSeconds",
                options.getClusterAnswerSeconds(),
                "seconds that the cluster may take to answer")),
        Duration.ofMinutes(
            OptionCheck.atLeast(
                1,
                "shippingTimeoutMinutes",
                options.getShippingTimeoutMinutes(),
                "minutes that the class path may take to the cluster")),
        Duration.ofSeconds(
            OptionCheck.atLeast(
                1,
                "clusterStartTimeoutSeconds",
                options.getClusterStartTimeoutSeconds(),
                "seconds that the cluster may take to start")),
        Duration.ofSeconds(
            OptionCheck.atLeast(
                1,
                "clusterStopSeconds",
                options.getClusterStopSeconds(),
                "seconds that an application may take to end")),
        Duration.ofMinutes(
            OptionCheck.atLeast(
                1,
                "lostHostsMinutes",
                options.getLostHostsMinutes(),
                "minutes that tasks wait for lost hosts")),
        Duration.ofSeconds(
            OptionCheck.atLeast(
                1,
                "roomPatienceSeconds",
                options.getRoomPatienceSeconds(),
                "seconds that a task waits for an executor")),
        Duration.ofSeconds(
            OptionCheck.atLeast(
                1,
                "idleExecutorSeconds",
                options.getIdleExecutorSeconds(),
                "seconds that an idle executor is kept")),
        Duration.ofDays(
            OptionCheck.atLeast(
                2,
                "unusedJarsDays",
                options.getUnusedJarsDays(),
                "days that a jar is kept that no job uses")));
  }

  private static FetchSettings fetching(ClusterOptions options) {
    return new FetchSettings(
        seconds("fetchConnectSeconds", options.getFetchConnectSeconds(), "to connect to a node"),
        seconds("fetchReadSeconds", options.getFetchReadSeconds(), "that a node sends nothing"),
        seconds("fetchPatienceSeconds", options.getFetchPatienceSeconds(), "of trying a node"),
        seconds("fetchPenaltySeconds", options.getFetchPenaltySeconds(), "until the next try"),
        OptionCheck.atLeast(
            1,
            "fetchNodesAtOnce",
            options.getFetchNodesAtOnce(),
            "nodes that a task fetches from at the same time"),
        OptionCheck.atLeast(
            1,
            "fetchBlocksAtOnce",
            options.getFetchBlocksAtOnce(),
            "blocks that a task asks for together"),
        OptionCheck.atLeast(
                1, "fetchAheadMb", options.getFetchAheadMb(), "MB that are fetched ahead")
            * MB);
  }

  private static Duration seconds(String option, int value, String what) {
    if (value > MOST_FETCH_SECONDS) {
      throw new InvalidPipelineException(
          "--"
              + option
              + "="
              + value
              + " is too long: at most "
              + MOST_FETCH_SECONDS
              + " seconds.");
    }
    return Duration.ofSeconds(OptionCheck.atLeast(1, option, value, "seconds " + what));
  }

  /** The program's own, then what is to be staged beside it, each once. */
  private static List<Path> classPath(ClusterOptions options) {
    Set<Path> paths = new LinkedHashSet<>(ClientClassPath.of(ReflectHelpers.findClassLoader()));
    paths.addAll(StagedFiles.of(options));
    return List.copyOf(paths);
  }

  private static List<ExecutorGroup> executors(ClusterOptions options) {
    if (options.getExecutorJson() != null) {
      requireAlone(options);
      return ExecutorFile.read(OptionCheck.path("executorJson", options.getExecutorJson()))
          .groups();
    }
    return List.of(
        new ExecutorGroup(
            ResourcePriority.NONE,
            atLeast(
                    ExecutorGroup.LEAST_MEMORY_MB,
                    "executorMemoryMb",
                    options.getExecutorMemoryMb(),
                    "MB of an executor's memory")
                .orElse(ClusterOptions.DEFAULT_EXECUTOR_MEMORY_MB),
            atLeast(1, "taskCores", options.getTaskCores(), "virtual cores of an executor")
                .orElse(1),
            atLeast(1, "executors", options.getExecutors(), "executors at a time"),
            List.of()));
  }

  private static Optional<Integer> atLeast(int min, String option, Integer value, String what) {
    return Optional.ofNullable(value).map(given -> OptionCheck.atLeast(min, option, given, what));
  }

  private static void requireAlone(ClusterOptions options) {
    Map<String, Integer> others = new LinkedHashMap<>();
    others.put("executorMemoryMb", options.getExecutorMemoryMb());
    others.put("taskCores", options.getTaskCores());
    others.put("executors", options.getExecutors());
    others.forEach(
        (option, value) -> {
          if (value != null) {
            throw new InvalidPipelineException(
                "--executorJson="
                    + options.getExecutorJson()
                    + " and --"
                    + option
                    + "="
                    + value
                    + " exclude each other: the file says it for each kind of executor. Give one"
                    + " of the two.");
          }
        });
  }

  private static Deployment.Lifetime lifetime(ClusterOptions options) {
    Optional<Integer> minutes =
        atLeast(1, "deadlineMinutes", options.getDeadlineMinutes(), "minutes that a job may take");
    if (!options.getDetached()) {
      minutes.ifPresent(
          given -> {
            throw new InvalidPipelineException(
                "--deadlineMinutes="
                    + given
                    + " is for detached jobs; any other ends with this program. Give --detached"
                    + " too, or leave it out.");
          });
      return new Deployment.Lifetime.Attached(
          Duration.ofSeconds(
              OptionCheck.atLeast(
                  1,
                  "clientTimeoutSeconds",
                  options.getClientTimeoutSeconds(),
                  "seconds without news of the program")));
    }
    return new Deployment.Lifetime.Detached(
        minutes
            .map(Duration::ofMinutes)
            .orElseThrow(
                () ->
                    new InvalidPipelineException(
                        "--detached needs --deadlineMinutes=N: nobody watches a detached job, so"
                            + " it is ended after that time if it has not ended by itself.")));
  }
}
