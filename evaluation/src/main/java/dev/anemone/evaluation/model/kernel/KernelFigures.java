// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.kernel;

import dev.anemone.evaluation.lab.report.Machine;
import dev.anemone.evaluation.lab.report.Summary;
import java.util.List;

/**
 * The raw figures of the comparison, as they are written to a file.
 *
 * @param started when, in ISO 8601
 * @param machine that was measured on
 * @param loadBefore programs that ran or waited in the minute before; negative if not known
 * @param bytes of keys and values
 * @param records how many
 * @param partitions how many
 * @param memoryBytes of the writer, and after it of each reader
 * @param jvmOptions of every JVM
 * @param kernels one for each kernel and kind of compression
 */
record KernelFigures(
    String started,
    Machine machine,
    double loadBefore,
    long bytes,
    long records,
    int partitions,
    long memoryBytes,
    List<String> jvmOptions,
    List<Kernel> kernels) {

  /**
   * One kernel.
   *
   * @param kernel its name
   * @param compressed whether it compressed, with LZ4
   * @param seconds of each shuffle after the first one
   * @param allocatedBytes heap that was allocated for a shuffle, on average
   */
  record Kernel(
      KernelName kernel, boolean compressed, List<Double> seconds, double allocatedBytes) {

    /** Times of the shuffles, in seconds. */
    Summary time() {
      return Summary.of(seconds.stream().mapToDouble(Double::doubleValue).toArray());
    }
  }

  /** The median time of Tez, in seconds. */
  double tezSeconds(boolean compressed) {
    return kernels.stream()
        .filter(kernel -> kernel.kernel() == KernelName.TEZ && kernel.compressed() == compressed)
        .findFirst()
        .orElseThrow()
        .time()
        .median();
  }
}
