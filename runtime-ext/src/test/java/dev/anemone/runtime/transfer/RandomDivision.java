// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer;

import dev.anemone.ir.partition.HashRange;
import dev.anemone.ir.partition.PartitionDivision;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Partitions that are dealt out to consumer tasks, some of them to several.
 *
 * @param perTask the ranges of each task, ascending
 * @param divisions the partitions that several tasks read
 * @param owners the task of each of the other partitions
 */
record RandomDivision(
    List<List<HashRange>> perTask, List<PartitionDivision> divisions, List<Integer> owners) {

  private static final int DIVIDED_IN_THREE = 3;
  private static final int NOBODY = -1;

  static RandomDivision of(int partitions, int tasks, boolean replicates, Random random) {
    List<List<HashRange>> perTask = new ArrayList<>();
    IntStream.range(0, tasks).forEach(task -> perTask.add(new ArrayList<>()));
    List<PartitionDivision> divisions = new ArrayList<>();
    List<Integer> owners = new ArrayList<>();
    for (int partition = 0; partition < partitions; ) {
      int next = partition + 1;
      List<Integer> readers = new ArrayList<>(IntStream.range(0, tasks).boxed().toList());
      Collections.shuffle(readers, random);
      if (tasks > 1 && random.nextInt(DIVIDED_IN_THREE) == 0) {
        List<Integer> sharers = readers.subList(0, 2 + random.nextInt(tasks - 1));
        next += random.nextInt(partitions - partition);
        HashRange range = new HashRange(partition, next);
        divisions.add(new PartitionDivision(range, sharers, replicates && random.nextBoolean()));
        sharers.forEach(task -> perTask.get(task).add(range));
        owners.addAll(Collections.nCopies(range.size(), NOBODY));
      } else {
        int owner = readers.get(0);
        List<HashRange> ranges = perTask.get(owner);
        if (partition > 0 && owners.get(partition - 1) == owner) {
          int first = ranges.remove(ranges.size() - 1).from();
          ranges.add(new HashRange(first, partition + 1));
        } else {
          ranges.add(new HashRange(partition, partition + 1));
        }
        owners.add(owner);
      }
      partition = next;
    }
    return new RandomDivision(perTask, divisions, owners);
  }

  /** Whether a task reads what a producer, by its number in the job, wrote into a partition. */
  boolean reads(int task, int partition, int producer) {
    for (PartitionDivision division : divisions) {
      if (division.range().from() <= partition && partition < division.range().to()) {
        int share = division.tasks().indexOf(task);
        return share >= 0 && (division.replicated() || producer % division.tasks().size() == share);
      }
    }
    return owners.get(partition) == task;
  }
}
