// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.scale;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.anemone.evaluation.lab.ExperimentFailure;
import dev.anemone.evaluation.lab.peer.InterleavedRuns.RunnerSetup;
import dev.anemone.evaluation.lab.peer.PeerClassPath;
import dev.anemone.evaluation.lab.peer.PeerClassPath.Peer;
import dev.anemone.evaluation.lab.process.Arguments;
import dev.anemone.evaluation.lab.process.MeasuredProcess;
import dev.anemone.evaluation.lab.process.ProcessFigures;
import dev.anemone.evaluation.lab.report.Summary;
import dev.anemone.evaluation.lab.workload.PolicyOptions.Side;
import dev.anemone.evaluation.lab.workload.RecordGrouping;
import dev.anemone.evaluation.lab.workload.RecordGrouping.GroupingReport;
import dev.anemone.evaluation.lab.workload.SyntheticRecords.RecordTotals;
import dev.anemone.evaluation.papers.figure.FigureRun;
import dev.anemone.evaluation.papers.scale.Axis.Jobs;
import dev.anemone.runtime.resource.FileTrees;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * The times of jobs on all sides, in the order in which they ran.
 *
 * @param sides their names
 */
record GroupingTimes(List<String> sides, List<Run> runs) {
  static final String SPARK = "Spark";
  static final String DATA_SKEW = "DataSkew";
  static final List<String> POLICIES = List.of(Side.DEFAULT, Side.LARGE_SHUFFLE, DATA_SKEW);

  private static final Duration DEADLINE = Duration.ofMinutes(30);

  /**
   * @param seconds of the job; empty when it did not finish in its memory or time
   */
  record Run(String side, GroupedRecords job, OptionalDouble seconds) {}

  static GroupingTimes measure(FigureRun figures, String name, Jobs jobs)
      throws IOException, InterruptedException {
    Path directory = Files.createDirectories(figures.directory().resolve(name));
    List<RunnerSetup> setups = setups(figures, jobs.spark());
    List<Run> runs = new ArrayList<>();
    for (GroupedRecords job : jobs.jobs()) {
      RecordTotals right = job.records().totals();
      for (int round = 0; round < jobs.rounds(); round++) {
        List<RunnerSetup> order = new ArrayList<>(setups);
        Collections.rotate(order, round);
        for (RunnerSetup setup : order) {
          OptionalDouble seconds = run(setup, job, right, directory);
          runs.add(new Run(setup.name(), job, seconds));
          figures.progress(
              String.format(
                  Locale.ROOT,
                  "%,d MB, %d tasks, exponent %s, round %d, %s: %s",
                  job.bytes() >> 20,
                  job.tasks(),
                  job.exponent(),
                  round + 1,
                  setup.name(),
                  seconds.isPresent()
                      ? String.format(Locale.ROOT, "%.1f s", seconds.getAsDouble())
                      : "did not finish"));
        }
      }
    }
    return new GroupingTimes(setups.stream().map(RunnerSetup::name).toList(), List.copyOf(runs));
  }

  private static List<RunnerSetup> setups(FigureRun figures, boolean spark)
      throws IOException, InterruptedException {
    List<RunnerSetup> setups = new ArrayList<>();
    for (String policy : POLICIES) {
      RunnerSetup nemo =
          RunnerSetup.nemo(
              policy,
              figures.evaluation(),
              List.of("--optimizationPolicy=" + policy, "--passOptions=targetBytesPerTask=1"));
      setups.add(
          new RunnerSetup(
                  policy, figures.evaluation().ownClassPath(), nemo.jvmOptions(), nemo.arguments())
              .withJvmOptions(
                  List.of(
                      "-Xmx" + Axis.HEAP_MEGABYTES + "m",
                      "-XX:MaxDirectMemorySize=" + Axis.DIRECT_MEGABYTES + "m")));
    }
    if (spark) {
      PeerClassPath peers = PeerClassPath.of(figures.evaluation());
      Path classes = figures.evaluation().path().resolve("target/classes");
      setups.add(
          new RunnerSetup(
              SPARK,
              classes + File.pathSeparator + peers.of(Peer.SPARK.folder()),
              Arguments.of(
                  "-Xmx" + (Axis.HEAP_MEGABYTES + Axis.DIRECT_MEGABYTES) + "m",
                  Peer.SPARK.jvmOptions(peers.poms().resolve(Peer.SPARK.folder()))),
              Peer.SPARK.pipelineOptions(Runtime.getRuntime().availableProcessors())));
    }
    return setups;
  }

  private static OptionalDouble run(
      RunnerSetup setup, GroupedRecords job, RecordTotals right, Path directory)
      throws IOException, InterruptedException {
    Path work = directory.resolve(setup.name());
    FileTrees.delete(work);
    Path temporary = Files.createDirectories(work.resolve("tmp"));
    Path report = work.resolve("report.json");
    List<String> arguments =
        Arguments.of(
            "--parts=" + job.tasks(),
            "--records=" + job.count(),
            "--keys=" + job.keys(),
            "--exponent=" + job.exponent(),
            "--figures=" + report,
            setup.name().equals(SPARK)
                ? List.of()
                : List.of("--parallelism=" + job.tasks(), "--tempDirectory=" + temporary));
    Path log = directory.resolve(setup.name() + ".log");
    try {
      ProcessFigures ended =
          MeasuredProcess.run(
              setup
                  .program(
                      RecordGrouping.class, List.of("-Djava.io.tmpdir=" + temporary), arguments)
                  .command(),
              work,
              log,
              DEADLINE);
      if (!ended.succeeded()) {
        return OptionalDouble.empty();
      }
      GroupingReport found = new ObjectMapper().readValue(report.toFile(), GroupingReport.class);
      if (!found.totals().equals(right)) {
        throw new ExperimentFailure(
            "%s grouped wrong, so its figures mean nothing: it found %s, and %s was made. Its log"
                + " is %s.",
            setup.name(), found.totals(), right, log);
      }
      return OptionalDouble.of(found.jobSeconds());
    } finally {
      FileTrees.delete(work);
    }
  }

  /** The median of a side's times of a job; not a number when one of its runs did not finish. */
  double seconds(String side, GroupedRecords job) {
    return Summary.of(times(side, job)).median();
  }

  /** Their standard deviation. */
  double deviation(String side, GroupedRecords job) {
    return Summary.deviation(times(side, job), Double::doubleValue);
  }

  private List<Double> times(String side, GroupedRecords job) {
    List<Double> times =
        runs.stream()
            .filter(run -> run.side().equals(side) && run.job().equals(job))
            .map(run -> run.seconds().orElse(Double.NaN))
            .toList();
    return times.contains(Double.NaN) ? List.of(Double.NaN) : times;
  }
}
