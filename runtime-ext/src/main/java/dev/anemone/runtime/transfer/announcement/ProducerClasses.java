// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer.announcement;

import dev.anemone.ir.partition.HashRange;
import java.util.List;

/**
 * The large partitions of an aggregation's block, in which producers lie apart, so that a task that
 * reads a share of one need not read the others' (a local shuffle reader of adaptive query
 * execution gets that from blocks of single producers, which an aggregation has just joined). The
 * block has {@link #COUNT} partitions more for each of them, behind its ordinary ones: what
 * producer {@code n} wrote is in the one of class {@code n % COUNT}. What came before the partition
 * was found to be large is where it would be else.
 *
 * @param first the number of the first partition behind the ordinary ones
 * @param partitions the large ones, in the order in which their classes follow
 */
public record ProducerClasses(int first, List<Integer> partitions) {

  /** All shares of up to six tasks are made of whole classes, and those of many more. */
  public static final int COUNT = 120;

  /** All partitions are where they would be else. */
  public static final ProducerClasses NONE = new ProducerClasses(0, List.of());

  public ProducerClasses {
    partitions = List.copyOf(partitions);
  }

  /** The class of a producer, by its number among all tasks of the job. */
  public static int of(int producer) {
    return producer % COUNT;
  }

  /** The partitions of the classes of the large partition at this place in the list. */
  public HashRange stored(int place) {
    int from = first + place * COUNT;
    return new HashRange(from, from + COUNT);
  }
}
