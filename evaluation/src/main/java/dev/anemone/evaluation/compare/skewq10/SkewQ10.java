// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.skewq10;

import dev.anemone.evaluation.lab.ByteSize;
import dev.anemone.evaluation.lab.EvaluationDirectory;
import dev.anemone.evaluation.lab.NemoJvm;
import dev.anemone.evaluation.lab.experiment.ExperimentCommand;
import dev.anemone.evaluation.lab.process.ReportingProcess;
import dev.anemone.evaluation.lab.workload.PolicyOptions;
import dev.anemone.examples.tpch.TpchDataSet;
import dev.anemone.examples.tpch.TpchSkew;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code evaluation/run skew-q10}: TPC-H Q10 where a few keys own a large share of the data. */
@Command(
    name = "skew-q10",
    sortOptions = false,
    description =
        "Runs TPC-H Q10 on skewed data with each policy: with reads as fast as they are, and with a"
            + " slow link of its own for each task, so that the task that reads most decides. Prints"
            + " job times, and how evenly the bytes of each edge are spread over its tasks.%n")
public final class SkewQ10 extends ExperimentCommand {
  @Option(
      names = "--scale",
      defaultValue = "0.3",
      paramLabel = "X",
      description = "Scale factor of the data (default: ${DEFAULT-VALUE}).")
  private double scale;

  @Option(
      names = "--skew",
      defaultValue = "customers=0.25:20,orders=0.25:20",
      paramLabel = "S",
      description = "Skew of the data, as 'anemone tpch' takes it (default: ${DEFAULT-VALUE}).")
  private String skew;

  @Option(
      names = "--slots",
      defaultValue = "2",
      paramLabel = "N",
      description =
          "Tasks that run at the same time where reads are as they are (default: ${DEFAULT-VALUE}).")
  private int slots;

  @Option(
      names = "--read-rate",
      defaultValue = "400k",
      converter = ByteSize.class,
      paramLabel = "SIZE",
      description =
          "Bytes per second of a task's link in the second part, where all tasks of a stage run at"
              + " the same time; 0 leaves the second part out (default: ${DEFAULT-VALUE}).")
  private long bytesPerSecond;

  @Mixin private PolicyOptions policies;

  @Override
  protected boolean measure() throws IOException, InterruptedException {
    TpchSkew parsedSkew;
    try {
      parsedSkew = TpchSkew.parse(skew);
      TpchDataSet.check(scale, parsedSkew);
    } catch (IllegalArgumentException e) {
      throw wrong(e.getMessage(), e);
    }
    require("--slots", slots, slots >= 1, "at least one task must run at a time");
    var sides = policies.sides(List.of());
    EvaluationDirectory evaluation = EvaluationDirectory.ofLauncher();
    Path directory = evaluation.results("skew-q10");
    List<Condition> conditions = new ArrayList<>(List.of(Condition.asItIs(slots)));
    if (bytesPerSecond > 0) {
      conditions.add(Condition.links(policies.parallelism(), bytesPerSecond));
    }
    SkewQ10Plan plan =
        new SkewQ10Plan(
            directory,
            evaluation.results("tpch").resolve(TpchDataSet.name(scale, parsedSkew)),
            scale,
            parsedSkew,
            sides,
            policies.parallelism(),
            conditions,
            policies.runs(),
            policies.jvmOptions());
    List<String> jvmOptions = new ArrayList<>(policies.jvmOptions());
    jvmOptions.addAll(NemoJvm.options());
    ReportingProcess process =
        new ReportingProcess(directory, evaluation.ownClassPath(), jvmOptions, policies.deadline());
    new SkewQ10Experiment(plan, process, out(), err()).run();
    return true;
  }
}
