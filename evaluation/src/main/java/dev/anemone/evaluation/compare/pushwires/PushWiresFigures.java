// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.pushwires;

import dev.anemone.evaluation.lab.report.Machine;
import dev.anemone.evaluation.lab.report.Summary;
import java.util.List;

/**
 * The raw figures of the experiment, as they are written to a file.
 *
 * @param started when, in ISO 8601
 * @param machine that was measured on
 * @param loadBefore programs that ran or waited in the minute before; negative if not known
 * @param bytes that a task pushed
 * @param notMeasured wires that do not work here, with the reasons
 * @param wires in the order of the table
 */
record PushWiresFigures(
    String started,
    Machine machine,
    double loadBefore,
    long bytes,
    List<String> notMeasured,
    List<Wire> wires) {

  /**
   * A wire.
   *
   * @param tasks in the order in which they pushed
   */
  record Wire(String name, List<Task> tasks) {

    /** Wall time in seconds. */
    Summary seconds() {
      return Summary.of(tasks.stream().mapToDouble(task -> task.wallNanos() / 1e9).toArray());
    }

    /** Processor time in seconds, of sender and receiver together. */
    Summary processorSeconds() {
      return Summary.of(tasks.stream().mapToDouble(task -> task.processorNanos() / 1e9).toArray());
    }
  }

  /**
   * What one task took.
   *
   * @param batches that it pushed
   */
  record Task(long wallNanos, long processorNanos, long batches) {}
}
