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
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessorQuotaTest {
  /** Counts, says so, and stays until it is told to end. */
  private static final List<String> COUNTING =
      List.of(
          "sh", "-c", "i=0; while [ $i -lt 500000 ]; do i=$((i+1)); done; echo counted; read end");

  /** Of one processor; little enough that a busy machine gives it to a process all the same. */
  private static final double PART = 0.1;

  @TempDir private Path directory;

  @Test
  void aProcessGetsNoMoreThanItsPart() throws Exception {
    try (ProcessorQuota quota = quota()) {
      quota.set(PART);
      assertThat(processorsOfCounting(quota)).isPositive().isLessThan(PART * 1.2);
      assertThat(standstills(quota)).isPositive();
    }
  }

  @Test
  void aLiftedQuotaStopsNobody() throws Exception {
    try (ProcessorQuota quota = quota()) {
      quota.set(PART);
      quota.lift();
      processorsOfCounting(quota);
      assertThat(standstills(quota)).isZero();
    }
  }

  /** In how many of its periods the kernel has stopped the processes under it. */
  private static long standstills(ProcessorQuota quota) throws IOException {
    try (Stream<String> counters = Files.lines(quota.directory().resolve("cpu.stat"))) {
      return counters
          .map(counter -> counter.split(" "))
          .filter(counter -> counter[0].equals("nr_throttled"))
          .mapToLong(counter -> Long.parseLong(counter[1]))
          .findAny()
          .orElseThrow();
    }
  }

  private static ProcessorQuota quota() throws IOException {
    try {
      return ProcessorQuota.start();
    } catch (ExperimentFailure impossible) {
      throw Requirement.ROOT.missing(impossible.getMessage());
    }
  }

  private double processorsOfCounting(ProcessorQuota quota) throws Exception {
    long begin = System.nanoTime();
    try (LineProcess counting =
        LineProcess.start(quota.command(COUNTING), Map.of(), directory.resolve("log"))) {
      counting.await("counted", Duration.ofMinutes(1));
      double part = used(counting).toNanos() / (double) (System.nanoTime() - begin);
      counting.kill();
      return part;
    }
  }

  private static Duration used(LineProcess process) {
    return ProcessHandle.of(process.pid()).orElseThrow().info().totalCpuDuration().orElseThrow();
  }

  @Test
  void theKernelNeedsATwoHundredth(@TempDir Path root) throws Exception {
    ProcessorQuota quota = ProcessorQuota.start(new GroupController(Version.V1, "cpu", root));
    assertThatThrownBy(() -> quota.set(0.004))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a quota of 0.004 processors; Linux needs 0.005");
  }

  @Test
  void eitherVersionIsToldInItsWay(@TempDir Path root) throws Exception {
    ProcessorQuota first = ProcessorQuota.start(new GroupController(Version.V1, "cpu", root));
    first.set(0.5);
    assertThat(onlyGroup(root).resolve("cpu.cfs_period_us")).hasContent("200000");
    assertThat(onlyGroup(root).resolve("cpu.cfs_quota_us")).hasContent("100000");
    first.lift();
    assertThat(onlyGroup(root).resolve("cpu.cfs_quota_us")).hasContent("-1");
  }

  @Test
  void version2HasOneFileForBoth(@TempDir Path root) throws Exception {
    Files.writeString(root.resolve("cgroup.subtree_control"), "cpu\n");
    ProcessorQuota second = ProcessorQuota.start(new GroupController(Version.V2, "cpu", root));
    second.set(1.5);
    assertThat(onlyGroup(root).resolve("cpu.max")).hasContent("300000 200000");
    second.lift();
    assertThat(onlyGroup(root).resolve("cpu.max")).hasContent("max 200000");
  }

  private static Path onlyGroup(Path root) throws IOException {
    try (var groups = Files.list(root)) {
      return groups.filter(Files::isDirectory).findFirst().orElseThrow();
    }
  }
}
