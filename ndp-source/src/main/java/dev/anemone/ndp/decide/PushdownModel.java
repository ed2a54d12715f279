// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.decide;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Decides how many of the first operators of a source run on the storage side.
 *
 * <p>The inequality of SparkNDP compares pushing an operator with leaving it to the compute side,
 * one operator after the other. Here the whole is estimated for every number of operators, so that
 * the two sides of the inequality are neighbouring estimates, less what both have in common; but
 * the model does not stop at the first operator that does not pay, because one after it may: a
 * projection that makes nothing smaller, before an aggregate that does.
 *
 * <p>A task that looks at the queues alone misjudges the system while a job starts: nothing is on
 * the network yet, so it seems free, though the tasks that have just begun will all need it. So a
 * task that knows its job leaves out first what would make the job longer, and asks the inequality
 * about the rest. It is told of its job's splits that have not begun, and assumes that they will be
 * divided between two numbers of operators so that both sides and the network finish together
 * ({@link PushdownMix}); as every task asks anew, that comes true by the queues that it finds. A
 * job ends with its last split, so one that would take longer than all the rest counts as it is.
 */
public final class PushdownModel {
  /** The part of its share of the job's time by which a split may make the job longer. */
  private static final double TOLERANCE = 0.02;

  private PushdownModel() {}

  /**
   * Decides about a job before it starts.
   *
   * @param load without the job
   */
  public static JobDecision forJob(JobCost job, SystemLoad load) {
    JobDrain drain = new JobDrain(job, load);
    List<PushdownEstimate> estimates = new ArrayList<>();
    for (int pushed = 0; pushed <= job.meanSplit().operators().size(); pushed++) {
      estimates.add(drain.constant(job.meanSplit(), pushed));
    }
    return new JobDecision(
        job, load, estimates, shortest(estimates, List.of(), 0), drain.bestMix());
  }

  /**
   * Decides about a split, knowing nothing of its job: by the inequality alone.
   *
   * @param load of the moment, without the task
   * @param node that holds the split
   */
  public static SplitDecision forSplit(SplitCost split, SystemLoad load, ClusterLoad node) {
    List<PushdownEstimate> estimates = estimates(split, load, node);
    return new SplitDecision(
        split, load, node, estimates, List.of(), shortest(estimates, List.of(), 0));
  }

  /**
   * Decides about a split whose task is about to open it: by the inequality, among the numbers of
   * operators that do not make its job longer.
   *
   * @param remaining what is left of the job, without the split
   * @param load of the moment, without the task; the job's tasks that have begun are in it
   * @param node that holds the split
   * @throws IllegalArgumentException if the job has other operators than the split
   */
  public static SplitDecision forSplit(
      SplitCost split, JobCost remaining, SystemLoad load, ClusterLoad node) {
    if (remaining.meanSplit().operators().size() != split.operators().size()) {
      throw new IllegalArgumentException(
          "A split with "
              + split.operators().size()
              + " operators is not of a job with "
              + remaining.meanSplit().operators().size()
              + ".");
    }
    JobDrain drain = new JobDrain(remaining, load);
    List<PushdownEstimate> estimates = estimates(split, load, node);
    List<Double> jobSeconds = new ArrayList<>();
    for (PushdownEstimate own : estimates) {
      jobSeconds.add(Math.max(own.seconds(), drain.bestMixAfter(split, own.pushed()).seconds()));
    }
    double limit = Collections.min(jobSeconds) * (1 + TOLERANCE / (remaining.splits() + 1.0));
    return new SplitDecision(
        split, load, node, estimates, jobSeconds, shortest(estimates, jobSeconds, limit));
  }

  private static List<PushdownEstimate> estimates(
      SplitCost split, SystemLoad load, ClusterLoad node) {
    List<PushdownEstimate> estimates = new ArrayList<>();
    for (int pushed = 0; pushed <= split.operators().size(); pushed++) {
      double bytes = split.bytesAfter(pushed);
      double storage = node.seconds(split.storageWork(pushed));
      double network = load.network().seconds(bytes, storage);
      double compute = load.compute().seconds(split.computeWork(pushed));
      estimates.add(
          new PushdownEstimate(
              pushed, bytes, storage, network, compute, storage + network + compute));
    }
    return estimates;
  }

  /**
   * The first of the smallest estimates.
   *
   * @param jobSeconds for each of them; empty to allow all
   * @param limit of {@code jobSeconds}
   */
  private static int shortest(
      List<PushdownEstimate> estimates, List<Double> jobSeconds, double limit) {
    int shortest = -1;
    for (int pushed = 0; pushed < estimates.size(); pushed++) {
      boolean isAllowed = jobSeconds.isEmpty() || jobSeconds.get(pushed) <= limit;
      if (isAllowed
          && (shortest < 0
              || estimates.get(pushed).seconds() < estimates.get(shortest).seconds())) {
        shortest = pushed;
      }
    }
    return shortest;
  }
}
