// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.workload;

import dev.anemone.evaluation.lab.ExperimentFailure;
import dev.anemone.evaluation.lab.process.Arguments;
import dev.anemone.evaluation.lab.process.ReportingProcess;
import dev.anemone.evaluation.lab.process.ReportingProcess.Reported;
import dev.anemone.evaluation.lab.process.ReportingProcess.Setting;
import dev.anemone.evaluation.lab.workload.ShuffleWorkload.WorkloadReport;
import dev.anemone.evaluation.lab.workload.SideInputProgram.SideInputReport;
import dev.anemone.evaluation.lab.workload.SyntheticRecords.RecordTotals;
import dev.anemone.evaluation.lab.workload.SyntheticRecords.ShuffleShape;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Runs the programs of this package in fresh JVMs, and checks their reports. */
public final class WorkloadProcess {
  private final ReportingProcess process;

  /** Making all records to add them up takes a while, so it is done once for each shape. */
  private final Map<SyntheticRecords, RecordTotals> expected = new HashMap<>();

  public WorkloadProcess(ReportingProcess process) {
    this.process = process;
  }

  /** Shuffles once; fails if it takes too long or brings other records than were made. */
  public Reported<WorkloadReport> shuffle(
      String name, ShuffleShape shape, List<String> runnerOptions, Setting setting)
      throws IOException, InterruptedException {
    List<String> arguments =
        Arguments.of(
            "--producers=" + shape.producers(),
            "--parallelism=" + shape.consumers(),
            // As many tasks as the source has parts.
            "--passOptions=targetBytesPerTask=1",
            "--records=" + shape.records(),
            "--seed=" + shape.seed(),
            runnerOptions);
    Reported<WorkloadReport> reported =
        process.run(name, ShuffleWorkload.class, arguments, WorkloadReport.class, setting);
    RecordTotals right =
        expected.computeIfAbsent(
            new SyntheticRecords(shape.records(), shape.seed()), SyntheticRecords::totals);
    requireRight(name, reported.report().totals(), right, reported.log());
    return reported;
  }

  /** The same on the machine as it is. */
  public Reported<WorkloadReport> shuffle(
      String name, ShuffleShape shape, List<String> runnerOptions)
      throws IOException, InterruptedException {
    return shuffle(name, shape, runnerOptions, Setting.USUAL);
  }

  static void requireRight(String name, RecordTotals found, RecordTotals right, Path log) {
    if (!found.equals(right)) {
      throw new ExperimentFailure(
          "The run %s shuffled wrong, so its figures mean nothing: its consumers got %s, and %s was"
              + " made. Its log is %s.",
          name, found, right, log);
    }
  }

  /** Looks keys up in a side input of some bytes, at least two values; fails if any is wrong. */
  public Reported<SideInputReport> lookUp(
      String name, long bytes, long lookups, List<String> runnerOptions)
      throws IOException, InterruptedException {
    List<String> arguments =
        Arguments.of(
            "--pairs=" + SideInputProgram.pairs(bytes), "--lookups=" + lookups, runnerOptions);
    Reported<SideInputReport> reported =
        process.run(name, SideInputProgram.class, arguments, SideInputReport.class, Setting.USUAL);
    if (reported.report().found() != lookups) {
      throw new ExperimentFailure(
          "Of %d lookups only %d found what they should. The log is %s.",
          lookups, reported.report().found(), reported.log());
    }
    return reported;
  }
}
