// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.defaults;

import dev.anemone.ir.SourcePart;
import dev.anemone.ir.SourceVertex;
import dev.anemone.ir.property.SplitAssignment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Deals the parts of the sources of one stage out to its tasks so that the tasks read about equally
 * many bytes. Sources are dealt one after the other, so that a small one goes to tasks that have
 * little from those before. Neighbouring parts stay together where that makes no task slower.
 *
 * <p>The same sources in the same order give the same splits. Not thread-safe.
 */
final class SplitBalancer {

  /** Bytes that each task reads of the sources so far. */
  private final long[] loads;

  SplitBalancer(int tasks) {
    this.loads = new long[tasks];
  }

  /** Deals out the parts of one more source. */
  SplitAssignment deal(SourceVertex source) {
    // A part of unknown size counts as one byte, so that unknown parts are dealt by number.
    long[] weights =
        source.parts().stream().mapToLong(SourcePart::sizeBytes).map(s -> Math.max(1, s)).toArray();
    List<List<Integer>> contiguous = ontoTasks(neighbours(weights), weights);
    List<List<Integer>> scattered = largestFirst(weights);
    List<List<Integer>> better =
        highest(contiguous, weights) <= highest(scattered, weights) ? contiguous : scattered;
    for (int task = 0; task < loads.length; task++) {
      loads[task] += sum(better.get(task), weights);
    }
    return new SplitAssignment(better);
  }

  /** As many runs of neighbouring parts as there are tasks, with the lowest possible maximum. */
  private List<List<Integer>> neighbours(long[] weights) {
    long low = Arrays.stream(weights).max().orElse(0);
    long high = Arrays.stream(weights).sum();
    while (low < high) {
      long middle = low + (high - low) / 2;
      if (runs(weights, middle) <= loads.length) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return cut(weights, low);
  }

  private static int runs(long[] weights, long limit) {
    int runs = 1;
    long current = 0;
    for (long weight : weights) {
      if (current + weight > limit) {
        runs++;
        current = 0;
      }
      current += weight;
    }
    return runs;
  }

  private List<List<Integer>> cut(long[] weights, long limit) {
    List<List<Integer>> runs = new ArrayList<>();
    List<Integer> run = new ArrayList<>();
    long current = 0;
    for (int part = 0; part < weights.length; part++) {
      int tasksLeft = loads.length - runs.size();
      boolean oneForEach = weights.length - part < tasksLeft;
      if (!run.isEmpty() && (current + weights[part] > limit || oneForEach)) {
        runs.add(run);
        run = new ArrayList<>();
        current = 0;
      }
      run.add(part);
      current += weights[part];
    }
    runs.add(run);
    while (runs.size() < loads.length) {
      runs.add(List.of());
    }
    return runs;
  }

  /** Gives the largest run to the task with the least load, unless no task has any. */
  private List<List<Integer>> ontoTasks(List<List<Integer>> runs, long[] weights) {
    if (Arrays.stream(loads).allMatch(load -> load == 0)) {
      return runs;
    }
    List<List<Integer>> largest = new ArrayList<>(runs);
    largest.sort(Comparator.comparing((List<Integer> run) -> sum(run, weights)).reversed());
    List<Integer> freest = new ArrayList<>(IntStream.range(0, loads.length).boxed().toList());
    freest.sort(Comparator.comparing(task -> loads[task]));
    List<List<Integer>> perTask = new ArrayList<>(Collections.nCopies(loads.length, List.of()));
    for (int i = 0; i < loads.length; i++) {
      perTask.set(freest.get(i), largest.get(i));
    }
    return perTask;
  }

  /** Each part, from the largest on, to the task that has the least to read so far. */
  private List<List<Integer>> largestFirst(long[] weights) {
    List<Integer> parts = new ArrayList<>(IntStream.range(0, weights.length).boxed().toList());
    parts.sort(Comparator.comparing((Integer part) -> weights[part]).reversed());
    List<List<Integer>> perTask = new ArrayList<>();
    for (int task = 0; task < loads.length; task++) {
      perTask.add(new ArrayList<>());
    }
    long[] filled = loads.clone();
    for (int part : parts) {
      int least = 0;
      for (int task = 1; task < filled.length; task++) {
        if (filled[task] < filled[least]) {
          least = task;
        }
      }
      perTask.get(least).add(part);
      filled[least] += weights[part];
    }
    perTask.forEach(Collections::sort);
    return perTask;
  }

  private long highest(List<List<Integer>> perTask, long[] weights) {
    long highest = 0;
    for (int task = 0; task < loads.length; task++) {
      highest = Math.max(highest, loads[task] + sum(perTask.get(task), weights));
    }
    return highest;
  }

  private static long sum(List<Integer> parts, long[] weights) {
    return parts.stream().mapToLong(part -> weights[part]).sum();
  }
}
