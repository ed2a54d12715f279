// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.robust.sideinput;

import dev.anemone.evaluation.lab.ByteSize;
import dev.anemone.evaluation.lab.experiment.ExperimentCommand;
import dev.anemone.evaluation.lab.experiment.ProgramOptions;
import dev.anemone.evaluation.lab.process.ProcessFigures.ProcessCost;
import dev.anemone.evaluation.lab.process.ReportingProcess.Reported;
import dev.anemone.evaluation.lab.report.MarkdownTable;
import dev.anemone.evaluation.lab.workload.SideInputProgram;
import dev.anemone.evaluation.lab.workload.SideInputProgram.SideInputReport;
import dev.anemone.evaluation.lab.workload.WorkloadProcess;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code evaluation/run side-input}: a side input larger than the heap. */
@Command(name = "side-input")
public final class SideInputMeasurement extends ExperimentCommand {
  @Option(names = "--bytes", paramLabel = "SIZE", description = "Size of the side input's values.")
  private ByteSize bytes = ByteSize.of("5g");

  @Option(names = "--lookups", description = "Keys that are looked up.")
  private long lookups = 100_000;

  @Mixin private ProgramOptions programs = new ProgramOptions("512m", 1_800);

  record Figures(SideInputReport report, ProcessCost cost) {}

  @Override
  protected void check() {
    require(
        "--bytes",
        bytes,
        SideInputProgram.pairs(bytes.bytes()) >= 2,
        "there must be two values of " + SideInputProgram.VALUE_BYTES + " bytes");
    require("--lookups", lookups, lookups >= 1, "there must be something to look up");
  }

  @Override
  protected boolean measure() throws IOException, InterruptedException {
    Reported<SideInputReport> reported =
        new WorkloadProcess(programs.process(directory(), evaluation()))
            .lookUp("lookups", bytes.bytes(), lookups, programs.nemoOptions());
    SideInputReport report = reported.report();
    ProcessCost cost = reported.cost();
    publish(
        new Figures(report, cost),
        "A side input in a JVM with little memory",
        new MarkdownTable(
                "side input; pairs; lookups; heap MB; wall s|%.1f; user s|%.1f; system s|%.1f; "
                    + "RSS MB")
            .row(
                "multimap",
                report.pairs(),
                report.lookups(),
                report.heapBytes() >> 20,
                cost.wallSeconds(),
                cost.userCpuSeconds(),
                cost.systemCpuSeconds(),
                cost.peakResidentBytes() >> 20));
    return true;
  }
}
