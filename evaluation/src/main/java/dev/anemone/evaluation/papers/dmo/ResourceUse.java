// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.dmo;

import dev.anemone.evaluation.lab.process.Arguments;
import dev.anemone.evaluation.papers.dmo.Kind.Size;
import dev.anemone.evaluation.papers.figure.FigureRun;
import dev.anemone.evaluation.papers.job.JobRuns;
import dev.anemone.evaluation.papers.job.Workload;
import dev.anemone.runtime.event.StagesPlanned.Stage;
import dev.anemone.runtime.event.TaskFinished;
import dev.anemone.ui.model.ExecutorView;
import dev.anemone.ui.model.JobHead;
import dev.anemone.ui.model.MemorySeries;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What a workload uses of what it has been given, in files, as its event log tells it: what Figures
 * 1 to 3 show of a cluster.
 *
 * @param workload in a sentence
 * @param memory that it has
 * @param processorShare what its JVM used of the processors, on average, from its start to its end
 * @param moments about one for each second, in their order
 * @param inputs of stages that read anything of others, in the order of the data
 */
record ResourceUse(
    Kind kind,
    String workload,
    Memory memory,
    double processorShare,
    List<Moment> moments,
    List<StageInput> inputs) {

  private static final Duration DEADLINE = Duration.ofMinutes(15);

  /**
   * Shares at a moment.
   *
   * @param seconds since the job began
   * @param slots those that have a task
   * @param memory what is in use of heap and direct memory
   */
  record Moment(double seconds, double slots, double memory) {}

  /**
   * What the tasks of a stage read.
   *
   * @param bytes of each task that succeeded
   */
  record StageInput(String stage, List<Long> bytes) {

    double meanMegabytes() {
      return bytes.stream().mapToLong(Long::longValue).average().orElse(0) / 1e6;
    }

    double mostMegabytes() {
      return bytes.stream().mapToLong(Long::longValue).max().orElse(0) / 1e6;
    }
  }

  static ResourceUse of(FigureRun figures, Kind kind) throws Exception {
    return figures.once(
        "use of " + kind,
        ResourceUse.class,
        () -> measure(figures, kind, figures.isFull() ? Size.FULL : Size.SMALL));
  }

  /** All workloads, each measured once. */
  static List<ResourceUse> all(FigureRun figures) throws Exception {
    List<ResourceUse> all = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      all.add(of(figures, kind));
    }
    return all;
  }

  static ResourceUse measure(FigureRun figures, Kind kind, Size size)
      throws IOException, InterruptedException {
    Path directory =
        Files.createDirectories(figures.directory().resolve("dmo-use-" + kind.letter()));
    JobRuns lab = new JobRuns(figures, directory, DEADLINE);
    Memory memory = size.memory().get(0);
    try (Workload workload = kind.workload(figures, directory, size)) {
      String name = Place.FILES.title();
      JobRuns.Ended ended =
          lab.observe(
                  name,
                  workload,
                  Place.FILES.jvmOptions(memory),
                  Arguments.of(
                      "--optimizationPolicy=Default", memory.runnerOptions(Place.FILES.isCached())))
              .orElseThrow(() -> lab.failure(name, workload));
      ResourceUse use = of(kind, workload, memory, ended);
      figures.progress(
          String.format(
              Locale.ROOT,
              "%s: %.1f s, %.0f %% of the processors",
              kind.paper(),
              ended.cost().seconds(),
              100 * use.processorShare()));
      return use;
    }
  }

  private static ResourceUse of(Kind kind, Workload workload, Memory memory, JobRuns.Ended ended) {
    JobHead head = ended.events().head();
    List<TaskFinished> attempts = ended.events().attempts(0);
    int slots = head.executors().stream().mapToInt(ExecutorView::slots).sum();
    int processors = head.started().orElseThrow().environment().processors();
    long begin = head.summary().startedAt();
    List<Moment> moments =
        head.memory().values().stream()
            .flatMap(List::stream)
            .map(point -> moment(point, begin, attempts, slots, memory))
            .toList();
    return new ResourceUse(
        kind,
        workload.describe(),
        memory,
        ended.process().meanProcessors() / processors,
        moments,
        head.stages().stream()
            .map(stage -> input(stage, attempts))
            .filter(input -> input.mostMegabytes() > 0)
            .toList());
  }

  private static Moment moment(
      MemorySeries.Point point, long begin, List<TaskFinished> attempts, int slots, Memory memory) {
    long running =
        attempts.stream()
            .filter(attempt -> attempt.startedAt() <= point.time() && attempt.time() > point.time())
            .count();
    return new Moment(
        (point.time() - begin) / 1e3,
        (double) running / slots,
        (point.heap() + point.offHeap() + point.nativeBytes())
            / (double) ((long) memory.megabytes() << 20));
  }

  private static StageInput input(Stage stage, List<TaskFinished> attempts) {
    return new StageInput(
        stage.name(),
        attempts.stream()
            .filter(attempt -> attempt.stage().equals(stage.stage()))
            .filter(attempt -> attempt.state() == TaskFinished.State.SUCCEEDED)
            .map(attempt -> attempt.read().bytes())
            .toList());
  }

  double meanMemory() {
    return moments.stream().mapToDouble(Moment::memory).average().orElse(0);
  }

  /** What a figure of several says of its set-up. */
  static String setUp(List<ResourceUse> uses) {
    return "In files, with the most memory of Figure 7: "
        + String.join(
            "; ",
            uses.stream()
                .map(
                    use ->
                        String.format(
                            Locale.ROOT,
                            "%s: %s, %d MB",
                            use.kind.paper(),
                            use.workload,
                            use.memory.megabytes()))
                .toList())
        + ".";
  }
}
