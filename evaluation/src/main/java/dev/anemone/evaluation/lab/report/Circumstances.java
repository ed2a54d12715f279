// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.report;

import dev.anemone.evaluation.lab.process.SystemCommand;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;

/**
 * What the figures of an experiment depend on beside what it measures.
 *
 * @param command what was given to {@code evaluation/run}
 * @param commit of the project, with {@code -dirty} behind it when files differed from it; {@code
 *     unknown} outside a checkout
 * @param started when, in ISO 8601
 * @param loadBefore programs that ran or waited in the minute before; negative if not known
 */
public record Circumstances(
    String command, String commit, String started, Machine machine, double loadBefore) {
  private static final Duration GIT_DEADLINE = Duration.ofMinutes(1);

  public static Circumstances now(String command, Path project)
      throws IOException, InterruptedException {
    return new Circumstances(
        command,
        commit(project),
        Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
        Machine.current(),
        Machine.load());
  }

  private static String commit(Path project) throws IOException, InterruptedException {
    if (!Files.exists(project.resolve(".git"))) {
      return "unknown";
    }
    return SystemCommand.run(
            project,
            GIT_DEADLINE,
            List.of("git", "describe", "--always", "--dirty", "--abbrev=10", "--exclude=*"))
        .strip();
  }

  /** One line for the head of a table. */
  public String describe() {
    return String.format(
        Locale.ROOT,
        "%s; load %.1f; started %s; commit %s",
        machine.describe(),
        loadBefore,
        started,
        commit);
  }

  /** What figures depend on beside the program, with the processors that the JVM may use. */
  public record Machine(int processors, long memoryBytes, String operatingSystem, String jvm) {
    private static final double IDLE_LOAD_PER_PROCESSOR = 0.5;

    public static Machine current() {
      var system =
          ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class);
      return new Machine(
          Runtime.getRuntime().availableProcessors(),
          system.getTotalMemorySize(),
          system.getName() + " " + system.getVersion() + " " + system.getArch(),
          System.getProperty("java.vm.name") + " " + Runtime.version());
    }

    /** Programs that run or wait for a processor, averaged over a minute; negative if not known. */
    public static double load() {
      return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    }

    /** Whether other programs take so much of the processors that figures mean little. */
    public boolean isBusy(double load) {
      return load > processors * IDLE_LOAD_PER_PROCESSOR;
    }

    /** One line for the head of a table. */
    public String describe() {
      return String.format(
          Locale.ROOT,
          "%d processors, %.0f GB, %s, %s",
          processors,
          memoryBytes / 1e9,
          operatingSystem,
          jvm);
    }
  }
}
