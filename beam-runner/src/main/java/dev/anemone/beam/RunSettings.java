// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam;

import dev.anemone.beam.hdfs.ClusterDirectory;
import dev.anemone.beam.options.DeployMode;
import dev.anemone.beam.options.ExecutorFile;
import dev.anemone.beam.options.ExplainFormat;
import dev.anemone.beam.options.InvalidPipelineException;
import dev.anemone.beam.options.NemoPipelineOptions;
import dev.anemone.beam.options.OptionCheck;
import dev.anemone.beam.options.WaitOptions;
import dev.anemone.beam.view.ViewSettings;
import dev.anemone.passes.PassContext;
import dev.anemone.runtime.engine.Deployment;
import dev.anemone.runtime.engine.ExecutorGroup;
import dev.anemone.runtime.engine.JobEngineOptions;
import dev.anemone.runtime.engine.TransportOptions;
import dev.anemone.runtime.push.PushWires;
import dev.anemone.runtime.push.wires.InstalledWires;
import dev.anemone.runtime.stage.TaskWaits;
import dev.anemone.runtime.tez.client.TezEngine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.beam.sdk.options.PipelineOptions;

/**
 * The options of one run, checked and complete.
 *
 * @param policy name of the policy; not used when {@code passes} are given
 * @param passes names of the passes to run instead of a policy; empty for the policy
 * @param passContext what passes get to know
 * @param engine how the engine runs the job
 * @param explain how the plans are printed
 * @param explainOnly whether to stop before the job runs
 * @param dagDirectory where the plans are written, if they are
 * @param summary whether what went over the edges, and came of samples, is printed at the end
 * @param progress whether standard error shows how far the job is
 * @param view how the job is shown
 * @param cancel how long a job may take to end that was cancelled
 */
public record RunSettings(
    String policy,
    List<String> passes,
    PassContext passContext,
    JobEngineOptions engine,
    ExplainFormat explain,
    boolean explainOnly,
    Optional<Path> dagDirectory,
    boolean summary,
    boolean progress,
    ViewSettings view,
    Duration cancel) {

  /** Executors of a group for which the cluster says how many there are, until it is asked. */
  private static final int UNKNOWN_EXECUTORS = 1;

  /**
   * The settings that the options ask for. No cluster is asked.
   *
   * @throws InvalidPipelineException names the option, the value, and what would be right
   */
  static RunSettings of(PipelineOptions pipelineOptions) {
    return of(pipelineOptions, System.getenv());
  }

  static RunSettings of(PipelineOptions pipelineOptions, Map<String, String> environment) {
    NemoPipelineOptions options = pipelineOptions.as(NemoPipelineOptions.class);
    List<String> passes = options.getPasses() == null ? List.of() : options.getPasses();
    if (!passes.isEmpty()
        && !options.getOptimizationPolicy().equals(NemoPipelineOptions.DEFAULT_POLICY)) {
      throw new InvalidPipelineException(
          "--passes="
              + String.join(",", passes)
              + " and --optimizationPolicy="
              + options.getOptimizationPolicy()
              + " exclude each other: a policy is itself a list of passes. Give one of the two.");
    }
    checkPercent(options.getCombineAlonePercent());
    Place place = place(options, environment);
    JobEngineOptions engine =
        new JobEngineOptions(
            place.slots(),
            OptionCheck.atLeast(
                1, "maxTaskAttempts", options.getMaxTaskAttempts(), "attempts of a failing task"),
            place.memory().offHeapBytes(),
            place.memory().nativeBytes(),
            tempDirectory(options.getTempDirectory()),
            place.deployment(),
            StoreSettings.of(options),
            transport(options, place.deployment()),
            OptionCheck.atLeast(1, "jobAttempts", options.getJobAttempts(), "runs of a job"),
            waits(options),
            EventLogSetting.of(options));
    ExplainFormat explain = explainFormat(options.getExplain());
    return new RunSettings(
        options.getOptimizationPolicy(),
        List.copyOf(passes),
        PassContext.of(place.slots(), place.memory().taskBytes(), passOptions(options)),
        engine,
        explain == ExplainFormat.NONE && options.getExplainOnly() ? ExplainFormat.TREE : explain,
        options.getExplainOnly(),
        Optional.ofNullable(options.getDagDirectory())
            .map(d -> OptionCheck.directory("dagDirectory", d)),
        options.getSummary(),
        progress(options.getProgress()),
        view(options),
        Duration.ofSeconds(
            OptionCheck.atLeast(
                1,
                "cancelSeconds",
                options.getCancelSeconds(),
                "seconds that a cancelled job may take to end")));
  }

  private static ViewSettings view(NemoPipelineOptions options) {
    ViewSettings view = ViewSettings.of(options, Terminal.isInteractive());
    if (options.getDetached() && view.report().isPresent()) {
      throw new InvalidPipelineException(
          "--report="
              + options.getReport()
              + " and --detached exclude each other: a program that does not wait for its job does"
              + " not see how it ends. Leave one of the two out.");
    }
    return view;
  }

  /** Where tasks run, how many at a time, and with how much memory. */
  private record Place(Deployment deployment, int slots, MemorySettings memory) {}

  private static Place place(NemoPipelineOptions options, Map<String, String> environment) {
    return switch (DeployMode.of(options)) {
      case LOCAL -> {
        if (options.getDetached()) {
          throw new InvalidPipelineException(
              "--detached is for jobs on a cluster: a job in this JVM ends with it. Give"
                  + " --deployMode=yarn too, or leave it out.");
        }
        ClusterDirectory.of(options, Map.of()).ifPresent(ClusterDirectory::path);
        int slots = localSlots(options);
        yield new Place(
            new Deployment.InProcess(), slots, MemorySettings.inProcess(options, slots));
      }
      case YARN -> {
        Deployment.Yarn deployment = YarnDeployment.of(options, environment);
        yield new Place(
            deployment,
            clusterSlots(deployment.executors()),
            MemorySettings.inExecutors(options, deployment.executors(), 0));
      }
    };
  }

  private static int localSlots(NemoPipelineOptions options) {
    if (options.getExecutorJson() != null) {
      return ExecutorFile.read(OptionCheck.path("executorJson", options.getExecutorJson())).slots();
    }
    return OptionCheck.atLeast(1, "slots", options.getSlots(), "tasks that run at the same time");
  }

  /** How many executors are asked for; the cluster may have room for fewer. */
  private static int clusterSlots(List<ExecutorGroup> executors) {
    return executors.stream()
        .mapToInt(group -> group.count().orElse(UNKNOWN_EXECUTORS))
        .reduce(0, Math::addExact);
  }

  /**
   * These settings, with as many slots on a cluster as that has room for. Asks the cluster.
   *
   * @throws IllegalArgumentException when the cluster's configuration is no good, or it has no room
   *     for an executor
   * @throws UncheckedIOException when the cluster gives no answer
   */
  RunSettings withRoomOfCluster() {
    if (!(engine.deployment() instanceof Deployment.Yarn yarn)) {
      return this;
    }
    int slots;
    try {
      slots = TezEngine.slots(yarn);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return with(
        slots,
        new MemorySettings(
            passContext.memoryPerTaskBytes(), engine.offHeapBytes(), engine.nativeBytes()));
  }

  /**
   * These settings, with so much less for heap and data in executors of a cluster, or more where
   * executors wait that have it. In this JVM nobody ends a process that takes more.
   *
   * @param options of which these are the settings
   * @param nativeBytes that a task takes besides
   * @throws IllegalArgumentException when an executor has no room for that
   */
  RunSettings withNativeMemory(PipelineOptions options, long nativeBytes) {
    if (!(engine.deployment() instanceof Deployment.Yarn yarn)) {
      return this;
    }
    // What the user has divided stays as it is, and of a detached job no other has the containers.
    boolean spare =
        options.as(NemoPipelineOptions.class).getOffHeapMemoryMb() == 0
            && StoreSettings.cacheBytes(options.as(NemoPipelineOptions.class)) == 0
            && detachedFor().isEmpty();
    long bytes = TezEngine.nativeBytes(yarn, nativeBytes, spare);
    return bytes == 0
        ? this
        : with(
            engine.slots(),
            MemorySettings.inExecutors(
                options.as(NemoPipelineOptions.class), yarn.executors(), bytes));
  }

  private static TaskWaits waits(WaitOptions options) {
    return new TaskWaits(
        millis("pushConnectMs", options.getPushConnectMs()),
        millis("pushReplyMs", options.getPushReplyMs()),
        millis("pushMemoryMs", options.getPushMemoryMs()),
        millis("pushCloseMs", options.getPushCloseMs()),
        millis("commitMs", options.getCommitMs()));
  }

  private static int millis(String option, int value) {
    return OptionCheck.atLeast(1, option, value, "milliseconds");
  }

  private RunSettings with(int slots, MemorySettings memory) {
    return new RunSettings(
        policy,
        passes,
        PassContext.of(slots, memory.taskBytes(), passContext.options()),
        new JobEngineOptions(
            slots,
            engine.maxTaskAttempts(),
            memory.offHeapBytes(),
            memory.nativeBytes(),
            engine.tempDirectory(),
            engine.deployment(),
            engine.stores(),
            engine.transport(),
            engine.jobAttempts(),
            engine.waits(),
            engine.eventLog()),
        explain,
        explainOnly,
        dagDirectory,
        summary,
        progress,
        view,
        cancel);
  }

  /** How long a detached job may take; empty for one that ends with this program. */
  Optional<Duration> detachedFor() {
    return engine.deployment() instanceof Deployment.Yarn yarn
            && yarn.lifetime() instanceof Deployment.Lifetime.Detached detached
        ? Optional.of(detached.deadline())
        : Optional.empty();
  }

  private static Map<String, String> passOptions(NemoPipelineOptions options) {
    Map<String, String> values = new LinkedHashMap<>();
    if (options.getParallelism() > 0) {
      values.put("parallelism", options.getParallelism().toString());
    }
    if (options.getMaxParallelism() > 0) {
      values.put("maxParallelism", options.getMaxParallelism().toString());
    }
    if (options.getCompression() != null) {
      values.put("compression", options.getCompression());
    }
    if (options.getSpeculation()) {
      values.put("speculation", "true");
    }
    values.putAll(
        OptionCheck.settings(
            "passOptions", options.getPassOptions(), "parallelism=8,compression=lz4"));
    return values;
  }

  private static boolean progress(String value) {
    return switch (value.toLowerCase(Locale.ROOT)) {
      case "auto" -> true;
      case "off" -> false;
      default ->
          throw new InvalidPipelineException(
              "--progress=" + value + " is not known. Use auto or off.");
    };
  }

  /** Whether it works here is found out by the engine, since on YARN other machines decide. */
  private static TransportOptions transport(NemoPipelineOptions options, Deployment deployment) {
    boolean inProcess = deployment instanceof Deployment.InProcess;
    String value =
        Optional.ofNullable(options.getPushTransport())
            .orElse(inProcess ? PushWires.DIRECT : PushWires.NETTY);
    if (!InstalledWires.names().contains(value)) {
      throw new InvalidPipelineException(
          "--pushTransport="
              + value
              + " is not known. Use one of "
              + String.join(", ", InstalledWires.names())
              + ".");
    }
    if (!inProcess && value.equals(PushWires.DIRECT)) {
      throw new InvalidPipelineException(
          "--pushTransport=direct goes from memory to memory of one JVM, and tasks on YARN run in"
              + " several. Use netty, tcp, ucx or auto there, or leave it out.");
    }
    if (options.getPullByTransport()
        && (value.equals(PushWires.NETTY) || value.equals(PushWires.DIRECT))) {
      throw new InvalidPipelineException(
          "--pullByTransport wants a transport of one-sided reads. Give --pushTransport=tcp, ucx or"
              + " auto, too.");
    }
    return new TransportOptions(value, options.getPullByTransport());
  }

  private static void checkPercent(int combineAlonePercent) {
    if (combineAlonePercent < 0 || combineAlonePercent > 100) {
      throw new InvalidPipelineException(
          "--combineAlonePercent="
              + combineAlonePercent
              + " is a percentage of values. Give a number from 0 to 100.");
    }
  }

  private static Path tempDirectory(String value) {
    Path directory = OptionCheck.directory("tempDirectory", value);
    if (Files.exists(directory) && !Files.isWritable(directory)) {
      throw new InvalidPipelineException(
          "--tempDirectory="
              + value
              + " cannot be written by this user. Name a local directory that can.");
    }
    return directory;
  }

  private static ExplainFormat explainFormat(String value) {
    return Arrays.stream(ExplainFormat.values())
        .filter(format -> format.name().equalsIgnoreCase(value))
        .findFirst()
        .orElseThrow(
            () ->
                new InvalidPipelineException(
                    "--explain="
                        + value
                        + " is not known. Use none, tree, text, json, dot or svg."));
  }
}
