// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.decide;

/**
 * When a job is done whose tasks overlap: when the busiest of four resources has done all that is
 * asked of it. They are the storage side's cores, the network, the compute side's cores, and its
 * slots, each of which a task holds from its start to its end.
 */
final class JobDrain {
  private static final int RESOURCES = 4;

  private final SystemLoad load;
  private final int splits;

  /** By operators pushed and resource: seconds of the resource that the job takes. */
  private final double[][] seconds;

  JobDrain(JobCost job, SystemLoad load) {
    this.load = load;
    splits = job.splits();
    seconds = new double[job.meanSplit().operators().size() + 1][];
    for (int pushed = 0; pushed < seconds.length; pushed++) {
      seconds[pushed] = ofSplit(job.meanSplit(), pushed);
      for (int resource = 0; resource < RESOURCES; resource++) {
        seconds[pushed][resource] *= splits;
      }
    }
  }

  /** Seconds for which a split keeps all of each resource busy. */
  private double[] ofSplit(SplitCost split, int pushed) {
    double storageWork = split.storageWork(pushed);
    double network = split.bytesAfter(pushed) / load.network().bytesPerSecond();
    double computeWork = split.computeWork(pushed);
    double held =
        load.storage().secondsAlone(storageWork)
            + network
            + load.compute().secondsAlone(computeWork);
    return new double[] {
      storageWork / load.storage().drainRate(),
      network,
      computeWork / load.compute().drainRate(),
      held / load.slots()
    };
  }

  /** What the resources have to do before, or beside, the job. */
  private double[] before() {
    return new double[] {
      load.storage().workLeft() / load.storage().drainRate(),
      load.network().secondsLeft(),
      load.compute().workLeft() / load.compute().drainRate(),
      0
    };
  }

  /** The job when the same number of operators is pushed for all splits. */
  PushdownEstimate constant(SplitCost meanSplit, int pushed) {
    double[] all = before();
    for (int resource = 0; resource < RESOURCES; resource++) {
      all[resource] += seconds[pushed][resource];
    }
    return new PushdownEstimate(
        pushed,
        splits * meanSplit.bytesAfter(pushed),
        all[0],
        all[1],
        Math.max(all[2], all[3]),
        Math.max(Math.max(all[0], all[1]), Math.max(all[2], all[3])));
  }

  /** The best mix. */
  PushdownMix bestMix() {
    return bestMix(before());
  }

  /** The best mix when one split more, which is decided about, comes before all others. */
  PushdownMix bestMixAfter(SplitCost first, int pushed) {
    double[] before = before();
    double[] ofFirst = ofSplit(first, pushed);
    for (int resource = 0; resource < RESOURCES; resource++) {
      before[resource] += ofFirst[resource];
    }
    return bestMix(before);
  }

  /**
   * Of two numbers of operators the time is the largest of linear functions of their shares, so it
   * is smallest at an end or where two resources finish together.
   */
  private PushdownMix bestMix(double[] before) {
    PushdownMix best = mix(before, 0, 0, 0);
    for (int fewer = 0; fewer < seconds.length; fewer++) {
      best = better(best, mix(before, fewer, fewer, 0));
      for (int more = fewer + 1; more < seconds.length; more++) {
        for (int one = 0; one < RESOURCES; one++) {
          for (int other = one + 1; other < RESOURCES; other++) {
            double share = balancing(before, fewer, more, one, other);
            if (share > 0 && share < 1) {
              best = better(best, mix(before, fewer, more, share));
            }
          }
        }
      }
    }
    return best;
  }

  /**
   * The share at which two resources finish together; not a number or infinite if there is none.
   */
  private double balancing(double[] before, int fewer, int more, int one, int other) {
    double atFewer = before[one] + seconds[fewer][one] - before[other] - seconds[fewer][other];
    double atMore = before[one] + seconds[more][one] - before[other] - seconds[more][other];
    return atFewer / (atFewer - atMore);
  }

  private PushdownMix mix(double[] before, int fewer, int more, double shareOfMore) {
    double longest = 0;
    for (int resource = 0; resource < RESOURCES; resource++) {
      longest =
          Math.max(
              longest,
              before[resource]
                  + (1 - shareOfMore) * seconds[fewer][resource]
                  + shareOfMore * seconds[more][resource]);
    }
    return new PushdownMix(fewer, more, shareOfMore, longest);
  }

  private static PushdownMix better(PushdownMix best, PushdownMix candidate) {
    return candidate.seconds() < best.seconds() ? candidate : best;
  }
}
