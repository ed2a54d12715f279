// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.skew;

/** For consumers of which no partition can be divided. */
final class NoDivision implements DivisionMethod {

  private final double[] bytes;

  /** For partitions of so many bytes. */
  NoDivision(double[] bytes) {
    this.bytes = bytes;
  }

  @Override
  public int mostShares(int partition) {
    return 1;
  }

  @Override
  public int firstShares(int partition) {
    throw new IllegalStateException("partition " + partition + " cannot be divided");
  }

  @Override
  public double consumerBytes(int partition, int shares) {
    return bytes[partition];
  }

  @Override
  public int consumerTasks(int shares) {
    return shares;
  }

  @Override
  public double aheadBytes(int partition, int shares) {
    return 0;
  }

  @Override
  public int aheadTasks() {
    return 0;
  }
}
