// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation;

import dev.anemone.evaluation.compare.diskbatching.DiskBatching;
import dev.anemone.evaluation.compare.diskreads.DiskReads;
import dev.anemone.evaluation.compare.ndp.NdpMeasurement;
import dev.anemone.evaluation.compare.ndpscan.NdpScan;
import dev.anemone.evaluation.compare.poolgroupby.PoolGroupBy;
import dev.anemone.evaluation.compare.poolthroughput.PoolThroughput;
import dev.anemone.evaluation.compare.pushwires.PushWiresMeasurement;
import dev.anemone.evaluation.compare.skewq10.SkewQ10;
import dev.anemone.evaluation.compare.terasort.PoolTeraSort;
import dev.anemone.evaluation.compare.terasort.TeraSortMeasurement;
import dev.anemone.evaluation.compare.tpch.TpchComparison;
import dev.anemone.evaluation.compare.wordcount.SkewOverhead;
import dev.anemone.evaluation.compare.wordcount.WordCountComparison;
import dev.anemone.evaluation.lab.ByteSize;
import dev.anemone.evaluation.lab.ExperimentFailure;
import dev.anemone.evaluation.model.kernel.ShuffleAllocation;
import dev.anemone.evaluation.model.kernel.ShuffleKernelMeasurement;
import dev.anemone.evaluation.model.ndpsimulator.NdpSimulator;
import dev.anemone.evaluation.model.samplingerror.SamplingError;
import dev.anemone.evaluation.model.startup.StartupMeasurement;
import dev.anemone.evaluation.robust.ndpfuzz.NdpFuzz;
import dev.anemone.evaluation.robust.poolkills.PoolKills;
import dev.anemone.evaluation.robust.sideinput.SideInputMeasurement;
import dev.anemone.evaluation.robust.soak.ClusterSoak;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The command line of the experiments, {@code evaluation/run}. Tables go to the standard output,
 * progress and errors to the standard error stream. The exit code is 0 for a complete and correct
 * experiment, 1 for a failed one, 2 for a wrong command line.
 */
@Command(
    name = "evaluation/run",
    synopsisSubcommandLabel = "EXPERIMENT",
    description = {"Runs a measured experiment.", ""},
    subcommands = {
      WordCountComparison.class,
      StartupMeasurement.class,
      DiskReads.class,
      DiskBatching.class,
      ShuffleKernelMeasurement.class,
      TeraSortMeasurement.class,
      TpchComparison.class,
      SkewQ10.class,
      SamplingError.class,
      SkewOverhead.class,
      SideInputMeasurement.class,
      ClusterSoak.class,
      PoolThroughput.class,
      PoolKills.class,
      ShuffleAllocation.class,
      PoolTeraSort.class,
      PushWiresMeasurement.class,
      PoolGroupBy.class,
      NdpSimulator.class,
      NdpMeasurement.class,
      NdpScan.class,
      NdpFuzz.class
    },
    commandListHeading = "%nExperiments:%n",
    optionListHeading = "Options:%n",
    resourceBundle = "dev.anemone.evaluation.commands",
    footer = {"", "Measure on an idle machine."})
public final class Evaluation implements Runnable {
  @Spec private CommandSpec command;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Print this help.")
  boolean help;

  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  /** The command line; not yet run. */
  public static CommandLine commandLine() {
    return new CommandLine(new Evaluation())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .registerConverter(ByteSize.class, ByteSize::of)
        .setExecutionExceptionHandler(
            (error, failed, parseResult) -> {
              if (error instanceof ExperimentFailure) {
                failed.getErr().println("evaluation/run: " + error.getMessage());
              } else {
                error.printStackTrace(failed.getErr());
              }
              return CommandLine.ExitCode.SOFTWARE;
            });
  }

  /** Without an experiment there is nothing to do: says which there are. */
  @Override
  public void run() {
    throw new CommandLine.ParameterException(command.commandLine(), "Which experiment?");
  }
}
