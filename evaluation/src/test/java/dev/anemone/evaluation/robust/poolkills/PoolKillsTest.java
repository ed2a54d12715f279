// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.robust.poolkills;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.evaluation.Trial;
import dev.anemone.evaluation.lab.ExperimentFailure;
import dev.anemone.evaluation.lab.process.Arguments;
import dev.anemone.evaluation.lab.process.SystemCommand;
import dev.anemone.rdma.transport.TransportUnavailableException;
import dev.anemone.rdma.ucx.UcxTransportProvider;
import dev.anemone.testing.Requirement;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The experiment as a user runs it, with a few faults. */
class PoolKillsTest {
  private static final Duration LIMIT = Duration.ofSeconds(10);

  /** Others use the processors, too, and nobody but who is struck may be silent for so long. */
  private static final int ANSWER_SECONDS = 10;

  @TempDir private Path directory;

  @Test
  @Tag("nightly")
  void processesDieAndNoByteLeaksAndNoReadIsWrong() throws Exception {
    Trial trial =
        Trial.of(
            directory,
            "pool-kills",
            "--kinds=KILL",
            "--seed=4",
            "--faults=6",
            "--servers=2",
            "--clients=2",
            "--deadline=180");
    PoolKills.Figures figures = trial.figures(PoolKills.Figures.class);

    assertRight(figures, 6, PoolFault.KILL);
    assertThat(trial.err()).contains("Seed 4");
    assertThat(trial.out()).containsPattern("\\| killed +\\|");
  }

  @Test
  @Tag("nightly")
  @EnabledIf("hostsCanBeMade")
  void processesAreStoppedAndCutOffAndNoReadIsWrong() throws Exception {
    PoolKills.Figures figures =
        onHosts(List.of(), "--kinds=STOP,CUT", "--seed=4", "--faults=9", "--clients=2");

    assertRight(figures, 9, PoolFault.STOP, PoolFault.CUT);
    assertThat(figures.serversEnded()).isPositive();
  }

  @Test
  @Tag("nightly")
  @EnabledIf("hostsCanBeMade")
  void processesAreCutOffOverUcxAndNoReadIsWrong() throws Exception {
    try {
      new UcxTransportProvider().open().close();
    } catch (TransportUnavailableException e) {
      throw Requirement.UCX.missing(e.getMessage());
    }
    PoolKills.Figures figures =
        onHosts(
            List.of("env", "UCX_TLS=tcp,self", "UCX_NET_DEVICES=eth0"),
            "--transport=ucx",
            "--kinds=CUT",
            "--seed=4",
            "--faults=5",
            "--clients=2");

    assertRight(figures, 5, PoolFault.CUT);
    assertThat(figures.serversEnded()).isPositive();
  }

  private PoolKills.Figures onHosts(List<String> environment, String... options) throws Exception {
    Trial trial =
        Trial.ofProgram(
            directory,
            Arguments.of(environment, "unshare", "--net", "--mount"),
            Stream.concat(
                    Stream.of("pool-kills", "--answer-seconds=" + ANSWER_SECONDS),
                    Stream.of(options))
                .toArray(String[]::new));

    assertThat(trial.exitCode()).as(trial.err()).isZero();
    return trial.figures(PoolKills.Figures.class);
  }

  private static void assertRight(PoolKills.Figures figures, int count, PoolFault... kinds) {
    assertThat(figures.count()).isEqualTo(count);
    assertThat(figures.happened()).containsOnlyKeys(kinds);
    assertThat(figures.happened().values())
        .anySatisfy(victims -> assertThat(victims.servers()).isPositive())
        .anySatisfy(victims -> assertThat(victims.clients()).isPositive());
    assertThat(figures.wrong()).isEmpty();
    assertThat(figures.missing()).isEmpty();
    assertThat(figures.leakedBytes()).isZero();
    assertThat(figures.isRight()).isTrue();
    assertThat(figures.right()).as("reads").isPositive();
  }

  static boolean hostsCanBeMade() throws Exception {
    try {
      SystemCommand.run(
          Path.of("."),
          LIMIT,
          List.of("unshare", "--net", "--mount", "ip", "link", "add", "hosts", "type", "bridge"));
      return true;
    } catch (ExperimentFailure | IOException e) {
      return false;
    }
  }

  @Test
  @EnabledIf("hostsCanBeMade")
  void whoIsCutOffMustNotShareMemory() throws Exception {
    Trial trial =
        Trial.ofProgram(
            directory,
            List.of("unshare", "--net", "--mount"),
            "pool-kills",
            "--kinds=CUT",
            "--transport=ucx");

    assertThat(trial.exitCode()).isEqualTo(CommandLine.ExitCode.SOFTWARE);
    assertThat(trial.err()).contains("UCX_NET_DEVICES=eth0 and UCX_TLS=tcp,self");
  }

  @Test
  void nobodyElseIsCutOff() throws Exception {
    Trial trial = Trial.of(directory, "pool-kills", "--faults=1", "--kinds=CUT");

    assertThat(trial.exitCode()).isEqualTo(CommandLine.ExitCode.SOFTWARE);
    assertThat(trial.err()).contains("unshare --net --mount evaluation/run pool-kills");
  }
}
