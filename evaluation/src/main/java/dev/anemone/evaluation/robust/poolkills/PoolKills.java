// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.robust.poolkills;

import dev.anemone.evaluation.lab.EvaluationDirectory;
import dev.anemone.evaluation.lab.experiment.ExperimentCommand;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code evaluation/run pool-kills}: what a pool does when its processes are killed. */
@Command(
    name = "pool-kills",
    sortOptions = false,
    description =
        "Kills servers and clients of a pool at random while the clients write, read and delete,"
            + " and looks for wrong reads and leaked bytes.%n")
public final class PoolKills extends ExperimentCommand {
  private static final List<String> JVM_OPTIONS =
      List.of(
          "-Xmx96m",
          "-XX:MaxDirectMemorySize=128m",
          "-XX:TieredStopAtLevel=1",
          "-XX:+UseSerialGC",
          "-Xshare:auto");

  @Option(
      names = "--kills",
      defaultValue = "1000",
      paramLabel = "N",
      description = "How many processes are killed (default: ${DEFAULT-VALUE}).")
  private int kills;

  @Option(
      names = "--servers",
      defaultValue = "3",
      paramLabel = "N",
      description = "Servers of the pool, at least 2 (default: ${DEFAULT-VALUE}).")
  private int servers;

  @Option(
      names = "--clients",
      defaultValue = "4",
      paramLabel = "N",
      description = "Clients, at least 1 (default: ${DEFAULT-VALUE}).")
  private int clients;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Seed of the choices (default: another one each time; it is printed).")
  private Long seed;

  @Option(
      names = "--deadline",
      defaultValue = "7200",
      paramLabel = "SECONDS",
      description = "After which no more are killed (default: ${DEFAULT-VALUE}).")
  private int deadlineSeconds;

  @Override
  protected boolean measure() throws IOException, InterruptedException {
    require("--kills", kills, kills >= 1, "there must be one");
    require("--servers", servers, servers >= 2, "names have a replica on another server");
    require("--clients", clients, clients >= 1, "somebody must read and write");
    EvaluationDirectory evaluation = EvaluationDirectory.ofLauncher();
    KillPlan plan =
        new KillPlan(
            evaluation.results("pool-kills"),
            evaluation.ownClassPath(),
            JVM_OPTIONS,
            seed == null ? System.nanoTime() : seed,
            kills,
            servers,
            clients,
            Duration.ofSeconds(deadlineSeconds));
    KillFigures figures = new KillExperiment(plan, out()).run();
    return figures.isRight();
  }
}
