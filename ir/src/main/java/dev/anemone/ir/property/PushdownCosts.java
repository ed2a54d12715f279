// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.property;

import java.util.List;
import java.util.Objects;

/**
 * What was known, when the job was compiled, of a source whose first operators can be pushed to the
 * storage side: the costs of these operators and of what lies between them and the tasks. Readers
 * decide with it, for each split, how many of the operators that were cut into the source they
 * push. After Rachuri et al., <i>Optimizing Near-Data Processing for Spark</i>.
 *
 * @param splitBytes bytes that a task reads of a split when nothing is pushed, on average
 * @param readShare bytes that it then reads for each byte of the split
 * @param splits of the source
 * @param operators that can be pushed, in their order; none when nothing was found out about them,
 *     because the storage side has no node, or is done with so little anyway
 * @param storageStartSeconds core-seconds in which the storage side makes a split ready for
 *     whatever operators
 * @param computeStartSeconds the same for the compute side, also when it gets what others left
 * @param networkBytesPerSecond bandwidth between the two sides; 0 when that was not asked either
 * @param storageNodes nodes of the storage side that run operators; 0 when there are none
 * @param storageCoresPerNode cores of each of them for that
 * @param storageDrainRate core-seconds of work that all of them get done in a second
 * @param computeCores cores on which the job's tasks run
 * @param slots tasks that run at the same time, and share these cores
 */
public record PushdownCosts(
    double splitBytes,
    double readShare,
    int splits,
    List<Operator> operators,
    double storageStartSeconds,
    double computeStartSeconds,
    double networkBytesPerSecond,
    int storageNodes,
    int storageCoresPerNode,
    double storageDrainRate,
    int computeCores,
    int slots)
    implements VertexProperty {

  /**
   * An operator.
   *
   * @param name for people
   * @param selectivity bytes out for each byte in
   * @param storageSecondsPerByte work on the storage side, core-seconds for each byte in
   * @param computeSecondsPerByte work on the compute side, core-seconds for each byte in
   */
  public record Operator(
      String name, double selectivity, double storageSecondsPerByte, double computeSecondsPerByte) {

    public Operator {
      Objects.requireNonNull(name, "name");
      requireNotNegative("the selectivity of " + name, selectivity);
      requireNotNegative("the storage side's work of " + name, storageSecondsPerByte);
      requireNotNegative("the compute side's work of " + name, computeSecondsPerByte);
    }
  }

  public PushdownCosts {
    operators = List.copyOf(operators);
    requireNotNegative("the size of a split", splitBytes);
    requireNotNegative("the share that is read", readShare);
    requireNotNegative("the storage side's work for a split", storageStartSeconds);
    requireNotNegative("the compute side's work for a split", computeStartSeconds);
    requireNotNegative("the bandwidth", networkBytesPerSecond);
    requireNotNegative("the storage side's drain rate", storageDrainRate);
    if (splits < 1 || storageNodes < 0 || computeCores < 1 || slots < 1) {
      throw new IllegalArgumentException(
          "a source has a split and its tasks a core and a slot at least, and no negative number"
              + " of storage nodes; there were "
              + splits
              + ", "
              + computeCores
              + ", "
              + slots
              + " and "
              + storageNodes);
    }
  }

  private static void requireNotNegative(String what, double value) {
    if (!(value >= 0 && value < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(what + " is " + value + "; it must be 0 or more");
    }
  }
}
