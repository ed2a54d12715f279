// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.report;

import java.lang.management.ManagementFactory;
import java.util.Locale;

/**
 * What figures depend on beside the program.
 *
 * @param processors that the JVM may use
 * @param memoryBytes of RAM
 * @param operatingSystem name and version
 * @param jvm name and version
 */
public record Machine(int processors, long memoryBytes, String operatingSystem, String jvm) {
  private static final double IDLE_LOAD_PER_PROCESSOR = 0.5;

  /** The machine that this program runs on. */
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
