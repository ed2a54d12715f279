// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.process;

import dev.anemone.evaluation.lab.ExperimentFailure;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * How much of the processors some processes get together, by a control group of their own: a weak
 * machine is made of a part of a strong one. Used by one thread.
 */
public final class ProcessorQuota implements AutoCloseable {
  /**
   * Twice the kernel's own; who has used his part stands still for what is left of it. The kernel
   * hands out a few milliseconds at a time, of which a part of a processor has to have several.
   */
  private static final int PERIOD_MICROS = 200_000;

  /** The least that the kernel takes. */
  private static final int LEAST_MICROS = 1_000;

  private final GroupController controller;
  private final ControlGroup group;

  private ProcessorQuota(GroupController controller, ControlGroup group) {
    this.controller = controller;
    this.group = group;
  }

  /** A quota that allows all there is; fails where this user or machine has none. */
  public static ProcessorQuota start() throws IOException {
    GroupController controller =
        GroupController.find("cpu", "cpu")
            .orElseThrow(
                () ->
                    new ExperimentFailure(
                        "The processors of a process cannot be limited: the controller cpu of"
                            + " control groups is not mounted here. Measure as root on Linux."));
    return start(controller);
  }

  static ProcessorQuota start(GroupController controller) {
    try {
      return new ProcessorQuota(controller, ControlGroup.create(controller, Map.of()));
    } catch (IOException refused) {
      throw new ExperimentFailure(
          refused,
          "The processors of a process cannot be limited: %s. Measure as root, where the control"
              + " groups in %s can be written.",
          refused,
          controller.root());
    }
  }

  /** Where the kernel shows it. */
  Path directory() {
    return group.directory();
  }

  /** The command that runs this command under the quota, from its first instruction on. */
  public List<String> command(List<String> command) {
    return group.command(command);
  }

  /**
   * Changes the quota, at once.
   *
   * @param processors that all processes under it get together; a two hundredth of one at least
   */
  public void set(double processors) throws IOException {
    long micros = Math.round(processors * PERIOD_MICROS);
    if (micros < LEAST_MICROS) {
      throw new IllegalArgumentException(
          "a quota of "
              + processors
              + " processors; Linux needs "
              + 1.0 * LEAST_MICROS / PERIOD_MICROS);
    }
    limit(Long.toString(micros));
  }

  /** Allows all there is. */
  public void lift() throws IOException {
    limit(controller.version() == GroupController.Version.V1 ? "-1" : "max");
  }

  private void limit(String micros) throws IOException {
    switch (controller.version()) {
      case V1 -> {
        group.limit("cpu.cfs_period_us", Integer.toString(PERIOD_MICROS));
        group.limit("cpu.cfs_quota_us", micros);
      }
      case V2 -> group.limit("cpu.max", micros + " " + PERIOD_MICROS);
    }
  }

  /** Removes the quota, under which nothing may run any more. */
  @Override
  public void close() throws IOException {
    group.close();
  }
}
