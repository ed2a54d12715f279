// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.robust.soak;

import dev.anemone.beam.sql.AnemoneQueryPlanner;
import dev.anemone.evaluation.lab.process.Arguments;
import dev.anemone.evaluation.robust.soak.SoakPipeline.SoakPointFn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsFactory;

/**
 * @param left whether that is before the shuffle
 * @param delayMillis from when the job has begun to what happens to the cluster
 * @param limitSeconds after which it is taken to hang
 */
record SoakJob(
    int number,
    String policy,
    SoakForm form,
    SoakFault fault,
    boolean left,
    int delayMillis,
    int limitSeconds,
    Path directory) {
  private static final int EXECUTORS = 3;
  private static final int MASTER_MEMORY_MB = 640;
  private static final int MOST_DELAY_MILLIS = 3_000;
  private static final long POLL_MILLIS = 50;

  /** A job is taken to hang when it runs so long after it should have recovered. */
  private static final int HANG_SECONDS = 60;

  enum Outcome {
    RIGHT,
    /** It has ended as if all were well, with another answer. */
    WRONG,
    /** It has ended with an error, although it should have recovered. */
    FAILED,
    HUNG
  }

  /**
   * @param happened whether it has happened before the job had ended
   * @param seconds from its start to its end, or until it was given up
   * @param problem what was wrong; empty when nothing was
   */
  record Result(
      int number,
      String policy,
      SoakForm form,
      SoakFault fault,
      boolean happened,
      Outcome outcome,
      double seconds,
      String problem) {}

  static SoakJob draw(
      List<String> policies,
      List<SoakForm> forms,
      List<SoakFault> faults,
      int jobSeconds,
      int number,
      SplittableRandom random,
      Path directory) {
    String policy = policies.get(random.nextInt(policies.size()));
    SoakForm form = forms.get(random.nextInt(forms.size()));
    SoakFault fault = faults.get(random.nextInt(faults.size()));
    return new SoakJob(
        number,
        policy,
        form,
        fault,
        random.nextBoolean(),
        random.nextInt(MOST_DELAY_MILLIS),
        jobSeconds + fault.recoverySeconds() + HANG_SECONDS,
        directory.resolve("job-" + number));
  }

  String describe() {
    return "job %s, %s, %s: %s, %s the shuffle, %s ms after it has begun"
        .formatted(
            number, policy, form.words(), fault.words(), left ? "before" : "behind", delayMillis);
  }

  /** What happens in the middle of a job; says whether it could. */
  interface Happening {
    boolean happens() throws Exception;
  }

  /** Runs it and what happens, and looks at the result. */
  Result run(List<String> nemoOptions, SoakCluster cluster, Happening happening) throws Exception {
    Files.createDirectories(directory);
    long start = System.nanoTime();
    long end = start + TimeUnit.SECONDS.toNanos(limitSeconds);
    PipelineResult result =
        SoakPipeline.of(
                options(nemoOptions, cluster),
                form,
                cluster.input(),
                cluster.output(name()),
                SoakPointFn.of(fault, directory, limitSeconds),
                left)
            .run();
    boolean happened = awaitBegin(result, end) && happening.happens();
    return finish(cluster, result, end, happened, start);
  }

  private String name() {
    return "soak-" + number;
  }

  private PipelineOptions options(List<String> nemoOptions, SoakCluster cluster) {
    List<String> arguments =
        Arguments.of(
            "--runner=NemoRunner",
            "--jobName=" + name(),
            "--optimizationPolicy=" + policy,
            "--progress=off",
            "--blockOnRun=false",
            "--deployMode=yarn",
            "--hadoopConfDir=" + cluster.configurationDirectory(),
            "--executors=" + EXECUTORS,
            "--executorMemoryMb=" + form.memoryMb(),
            "--masterMemoryMb=" + MASTER_MEMORY_MB,
            "--plannerName=" + AnemoneQueryPlanner.class.getName(),
            "--parallelism=" + EXECUTORS,
            "--passOptions=minBytesPerTask=10000,targetBytesPerTask=50000",
            // The cluster ends before this JVM, which says so to it when it ends.
            "--clusterSettings=yarn.resourcemanager.connect.max-wait.ms=2000,"
                + "yarn.resourcemanager.connect.retry-interval.ms=500",
            "--speculation=" + (fault == SoakFault.SLOW_TASK),
            nemoOptions);
    return PipelineOptionsFactory.fromArgs(arguments.toArray(String[]::new)).create();
  }

  /** Waits until the job is in the middle of its work; returns false if it has ended before. */
  private boolean awaitBegin(PipelineResult result, long end) throws InterruptedException {
    while (!Files.exists(directory.resolve(SoakPointFn.BEGUN))) {
      if (result.getState().isTerminal() || System.nanoTime() > end) {
        return false;
      }
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    }
    TimeUnit.MILLISECONDS.sleep(delayMillis);
    return !result.getState().isTerminal();
  }

  private Result finish(
      SoakCluster cluster, PipelineResult result, long end, boolean happened, long start)
      throws IOException {
    Outcome outcome;
    String problem = "";
    try {
      long left = Math.max(1, Duration.ofNanos(end - System.nanoTime()).toMillis());
      PipelineResult.State state = result.waitUntilFinish(org.joda.time.Duration.millis(left));
      if (state == null) {
        outcome = Outcome.HUNG;
        problem = "not ended; after a request to end: " + result.cancel();
      } else {
        problem = cluster.check(name(), directory);
        outcome = problem.isEmpty() ? Outcome.RIGHT : Outcome.WRONG;
      }
    } catch (RuntimeException e) {
      outcome = Outcome.FAILED;
      problem = e.toString();
    }
    return new Result(
        number, policy, form, fault, happened, outcome, (System.nanoTime() - start) / 1e9, problem);
  }
}
