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
 * @param splits of the source
 * @param operators that can be pushed, in their order; none when nothing was found out about them,
 *     because the storage side has no node, or is done with so little anyway
 * @param storage the side on which they can be run
 * @param compute the side of the tasks
 * @param networkBytesPerSecond bandwidth between the two sides; 0 when that was not asked either
 */
public record PushdownCosts(
    Splits splits,
    List<Operator> operators,
    Storage storage,
    Compute compute,
    double networkBytesPerSecond)
    implements VertexProperty {

  /**
   * The splits of a source.
   *
   * @param count how many
   * @param bytes that a task reads of one when nothing is pushed, on average
   * @param readShare bytes that it then reads for each byte of the split
   */
  public record Splits(int count, double bytes, double readShare) {

    public Splits {
      requireNotNegative("the size of a split", bytes);
      requireNotNegative("the share that is read", readShare);
      if (count < 1) {
        throw new IllegalArgumentException("a source has a split at least, there were " + count);
      }
    }
  }

  /**
   * The storage side.
   *
   * @param nodes that run operators; 0 when there are none
   * @param coresPerNode cores of each of them for that
   * @param drainRate core-seconds of work that all of them get done in a second
   * @param startSeconds core-seconds in which it makes a split ready for whatever operators
   */
  public record Storage(int nodes, int coresPerNode, double drainRate, double startSeconds) {

    public Storage {
      requireNotNegative("the storage side's drain rate", drainRate);
      requireNotNegative("the storage side's work for a split", startSeconds);
      if (nodes < 0) {
        throw new IllegalArgumentException("the storage side has " + nodes + " nodes");
      }
    }
  }

  /**
   * The compute side.
   *
   * @param cores on which the job's tasks run
   * @param slots tasks that run at the same time, and share these cores
   * @param startSeconds core-seconds in which it makes a split ready for whatever operators, also
   *     when it gets what the storage side left
   */
  public record Compute(int cores, int slots, double startSeconds) {

    public Compute {
      requireNotNegative("the compute side's work for a split", startSeconds);
      if (cores < 1 || slots < 1) {
        throw new IllegalArgumentException(
            "tasks have a core and a slot at least, there were " + cores + " and " + slots);
      }
    }
  }

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
    Objects.requireNonNull(splits, "splits");
    operators = List.copyOf(operators);
    Objects.requireNonNull(storage, "storage");
    Objects.requireNonNull(compute, "compute");
    requireNotNegative("the bandwidth", networkBytesPerSecond);
  }

  private static void requireNotNegative(String what, double value) {
    if (!(value >= 0 && value < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(what + " is " + value + "; it must be 0 or more");
    }
  }
}
