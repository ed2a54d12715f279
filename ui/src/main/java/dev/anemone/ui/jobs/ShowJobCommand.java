// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ui.jobs;

import dev.anemone.beam.terminal.Quantities;
import dev.anemone.beam.terminal.Screen;
import dev.anemone.beam.terminal.ShortNames;
import dev.anemone.cli.VersionText;
import dev.anemone.runtime.event.StagesPlanned;
import dev.anemone.ui.model.JobHead;
import dev.anemone.ui.model.StageView;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code anemone jobs show}: what is known of a job. */
@Command(
    name = "show",
    mixinStandardHelpOptions = true,
    versionProvider = VersionText.class,
    sortOptions = false,
    description = {
      "Shows what is known of a job: with --logs its stages, and the cause when it failed.",
      ""
    })
final class ShowJobCommand implements Callable<Integer> {

  /** Columns for what is said of a stage besides its name. */
  private static final int FIGURES = 60;

  @Parameters(paramLabel = "ID", description = "The job's id, or how it begins.")
  private String id;

  @Mixin private JobPlaces places;

  @Override
  public Integer call() throws IOException {
    Job job = places.job(id);
    PrintStream out = System.out;
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("id", job.id()));
    rows.add(List.of("name", ShortNames.ofJob(job.name())));
    rows.add(List.of("state", job.state()));
    rows.add(List.of("started", JobTable.time(job.startedAt())));
    rows.add(List.of("time", Quantities.time(JobTable.took(job))));
    rows.add(List.of("where", job.where()));
    job.entry().ifPresent(entry -> rows.add(List.of("policy", entry.policy())));
    job.application()
        .filter(application -> !application.page().isEmpty())
        .ifPresent(application -> rows.add(List.of("page", application.page())));
    job.application()
        .filter(application -> !application.diagnostics().isEmpty())
        .ifPresent(application -> rows.add(List.of("diagnostics", application.diagnostics())));
    Optional<JobHead> logged = places.logged(job.logId()).map(model -> model.head());
    logged.ifPresent(
        head -> {
          if (job.entry().isEmpty()) {
            rows.add(List.of("policy", head.summary().policy()));
          }
          head.remarks().forEach(remark -> rows.add(List.of("remark", remark)));
          head.failure().ifPresent(failure -> rows.add(List.of("failure", failure.message())));
        });
    out.print(JobTable.text(rows));
    logged.filter(head -> !head.counts().isEmpty()).ifPresent(head -> out.print(stages(head)));
    return 0;
  }

  private static String stages(JobHead head) {
    Map<String, String> names = new HashMap<>();
    for (StagesPlanned.Stage stage : head.stages()) {
      names.put(stage.stage(), ShortNames.ofStage(stage.operators()));
    }
    int room = Math.max(ShortNames.FEWEST, Screen.outputColumns() - FIGURES);
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("STAGE", "TASKS", "FAILED", "TIME", "READ", "WRITTEN", "SPILLED"));
    for (StageView stage : head.counts()) {
      rows.add(
          List.of(
              ShortNames.cut(names.getOrDefault(stage.stage(), stage.stage()), room),
              stage.succeeded() + "/" + stage.total(),
              Quantities.count(stage.failed()),
              Quantities.time(Duration.ofMillis(stage.endedAt() - stage.startedAt())),
              Quantities.bytes(stage.readBytes()),
              Quantities.bytes(stage.writtenBytes()),
              Quantities.bytes(stage.spilledBytes())));
    }
    return "\n" + JobTable.text(rows);
  }
}
