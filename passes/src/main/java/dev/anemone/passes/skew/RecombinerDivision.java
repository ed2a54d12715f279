// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.skew;

/**
 * Divides partitions of accumulators among the tasks of a recombiner, which hand on less. Nobody
 * knows how much less; assumed is that of a partition worth dividing, most belongs to keys of which
 * each producer task has sent an accumulator, so that {@code m} of {@code n} accumulators are left.
 */
final class RecombinerDivision implements DivisionMethod {

  private final double[] bytes;
  private final int shares;
  private final int producers;
  private final int tasks;

  /**
   * The division of an aggregation.
   *
   * @param bytes of each partition, over all shuffles
   * @param producers tasks that write the shuffle with most of them
   * @param tasks of the recombiner
   */
  RecombinerDivision(double[] bytes, int producers, int tasks) {
    this.bytes = bytes;
    this.producers = producers;
    this.tasks = tasks;
    // The recombiner reads 1/m of a partition in a task, and the consumer m/n of it in one after
    // that; their sum is least where m is the root of n.
    int best = (int) Math.max(2, Math.round(Math.sqrt(producers)));
    this.shares = Math.min(best, Math.min(producers, tasks));
  }

  @Override
  public int mostShares(int partition) {
    return bytes[partition] == 0 ? 1 : Math.max(1, shares);
  }

  @Override
  public int firstShares(int partition) {
    return shares;
  }

  @Override
  public double consumerBytes(int partition, int dividedInto) {
    return dividedInto == 1 ? bytes[partition] : bytes[partition] * dividedInto / producers;
  }

  @Override
  public int consumerTasks(int dividedInto) {
    return 1;
  }

  @Override
  public double aheadBytes(int partition, int dividedInto) {
    return dividedInto == 1 ? 0 : bytes[partition] / dividedInto;
  }

  @Override
  public int aheadTasks() {
    return tasks;
  }
}
