// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.evaluation.lab.ExperimentFailure;
import dev.anemone.evaluation.lab.process.GroupController.Version;
import dev.anemone.testing.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessorQuotaTest {
  private static final double SECONDS = 2;

  @Test
  void aProcessGetsNoMoreThanItsPart(@TempDir Path directory) throws Exception {
    try (ProcessorQuota quota = quota()) {
      quota.set(0.25);
      try (LineProcess busy =
          LineProcess.start(
              quota.command(List.of("sh", "-c", "echo busy; while true; do :; done")),
              Map.of(),
              directory.resolve("log"))) {
        busy.await("busy", Duration.ofSeconds(30));

        double part = processors(busy);
        assertThat(part).isBetween(0.05, 0.3);
        quota.lift();
        assertThat(processors(busy)).isGreaterThan(part);
        busy.kill();
      }
    }
  }

  private static ProcessorQuota quota() throws IOException {
    try {
      return ProcessorQuota.start();
    } catch (ExperimentFailure impossible) {
      throw Requirement.ROOT.missing(impossible.getMessage());
    }
  }

  /** How many of them it uses, over two seconds. */
  private static double processors(LineProcess process) throws InterruptedException {
    Duration before = used(process);
    long begin = System.nanoTime();
    Thread.sleep((long) (SECONDS * 1000));
    return (used(process).toNanos() - before.toNanos()) / (double) (System.nanoTime() - begin);
  }

  private static Duration used(LineProcess process) {
    return ProcessHandle.of(process.pid()).orElseThrow().info().totalCpuDuration().orElseThrow();
  }

  @Test
  void theKernelNeedsATwentieth(@TempDir Path root) throws Exception {
    ProcessorQuota quota = ProcessorQuota.start(new GroupController(Version.V1, "cpu", root));
    assertThatThrownBy(() -> quota.set(0.04))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a quota of 0.04 processors; Linux needs 0.05");
  }

  @Test
  void eitherVersionIsToldInItsWay(@TempDir Path root) throws Exception {
    ProcessorQuota first = ProcessorQuota.start(new GroupController(Version.V1, "cpu", root));
    first.set(0.5);
    assertThat(onlyGroup(root).resolve("cpu.cfs_period_us")).hasContent("20000");
    assertThat(onlyGroup(root).resolve("cpu.cfs_quota_us")).hasContent("10000");
    first.lift();
    assertThat(onlyGroup(root).resolve("cpu.cfs_quota_us")).hasContent("-1");
  }

  @Test
  void version2HasOneFileForBoth(@TempDir Path root) throws Exception {
    Files.writeString(root.resolve("cgroup.subtree_control"), "cpu\n");
    ProcessorQuota second = ProcessorQuota.start(new GroupController(Version.V2, "cpu", root));
    second.set(1.5);
    assertThat(onlyGroup(root).resolve("cpu.max")).hasContent("30000 20000");
    second.lift();
    assertThat(onlyGroup(root).resolve("cpu.max")).hasContent("max 20000");
  }

  private static Path onlyGroup(Path root) throws IOException {
    try (var groups = Files.list(root)) {
      return groups.filter(Files::isDirectory).findFirst().orElseThrow();
    }
  }
}
