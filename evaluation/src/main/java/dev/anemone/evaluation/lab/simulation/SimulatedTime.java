// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.simulation;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.PriorityQueue;
import java.util.Queue;
import umontreal.ssj.simevents.Event;
import umontreal.ssj.simevents.Simulator;

/**
 * The time of one simulation, in seconds from its start, and what shall happen in it. Things of the
 * same moment happen in the order in which they were asked for. Not thread-safe.
 */
public final class SimulatedTime {
  private final Simulator simulator = new Simulator();

  /** Starts at 0. */
  public SimulatedTime() {
    simulator.init();
  }

  /** Seconds from the start. */
  public double now() {
    return simulator.time();
  }

  /** Lets something happen so many seconds from now. */
  public void after(double seconds, Runnable action) {
    new Event(simulator) {
      @Override
      public void actions() {
        action.run();
      }
    }.schedule(seconds);
  }

  /** Runs until nothing is left that shall happen. */
  public void run() {
    simulator.start();
  }

  /**
   * Cores that are given to the tasks of the oldest job first, and to those of one job in the order
   * in which they ask. Not thread-safe.
   */
  public static final class CorePool {
    private final SimulatedTime time;
    private final int cores;
    private final Queue<Waiting> waiting =
        new PriorityQueue<>(
            Comparator.comparingLong(Waiting::job).thenComparingLong(Waiting::number));
    private long numbers;
    private int busy;

    private record Waiting(long job, long number, Runnable whenTaken) {}

    /** So many cores. */
    public CorePool(SimulatedTime time, int cores) {
      this.time = time;
      this.cores = cores;
    }

    /** Gives a core to a task as soon as there is one, which may be at once; all are of one job. */
    public void take(Runnable whenTaken) {
      take(0, whenTaken);
    }

    private void take(long job, Runnable whenTaken) {
      if (busy == cores) {
        waiting.add(new Waiting(job, numbers++, whenTaken));
      } else {
        busy++;
        whenTaken.run();
      }
    }

    /** Gives the core that was taken to whoever is next. */
    public void giveBack() {
      Waiting next = waiting.poll();
      if (next == null) {
        busy--;
      } else {
        next.whenTaken().run();
      }
    }

    /** Takes a core for so many seconds, and gives it back; all are of one job. */
    public void run(double seconds, Runnable whenDone) {
      run(0, seconds, whenDone);
    }

    /**
     * Takes a core for so many seconds, and gives it back.
     *
     * @param job smaller for older jobs
     */
    public void run(long job, double seconds, Runnable whenDone) {
      take(
          job,
          () ->
              time.after(
                  seconds,
                  () -> {
                    giveBack();
                    whenDone.run();
                  }));
    }

    /** Tasks that have a core. */
    public int running() {
      return busy;
    }

    /** Tasks that have a core or wait for one. */
    public int tasks() {
      return busy + waiting.size();
    }
  }

  /** A network that transfers share fairly, a chunk for each in turn. Not thread-safe. */
  public static final class SharedLink {
    private final SimulatedTime time;
    private final double bytesPerSecond;
    private final double chunkBytes;
    private final Deque<Transfer> turns = new ArrayDeque<>();
    private boolean isSending;
    private double sentBytes;
    private double bytesLeft;

    /**
     * @param bytesPerSecond of all transfers together
     * @param chunkBytes what a transfer sends in its turn
     */
    public SharedLink(SimulatedTime time, double bytesPerSecond, double chunkBytes) {
      this.time = time;
      this.bytesPerSecond = bytesPerSecond;
      this.chunkBytes = chunkBytes;
    }

    /** Sends bytes, after a chunk of each transfer that is there. */
    public void send(double bytes, Runnable whenDone) {
      turns.add(new Transfer(bytes, whenDone));
      bytesLeft += bytes;
      if (!isSending) {
        sendNext();
      }
    }

    private void sendNext() {
      Transfer transfer = turns.poll();
      isSending = transfer != null;
      if (transfer == null) {
        return;
      }
      double chunk = Math.min(chunkBytes, transfer.bytesLeft());
      time.after(
          chunk / bytesPerSecond,
          () -> {
            sentBytes += chunk;
            bytesLeft -= chunk;
            double left = transfer.bytesLeft() - chunk;
            if (left > 0) {
              turns.add(new Transfer(left, transfer.whenDone()));
            }
            sendNext();
            if (left <= 0) {
              transfer.whenDone().run();
            }
          });
    }

    /** Transfers that have begun and not ended. */
    public int transfers() {
      return turns.size() + (isSending ? 1 : 0);
    }

    /** Bytes that are still to be sent. */
    public double bytesLeft() {
      // What is added and taken away again need not be nothing to the last digit.
      return Math.max(0, bytesLeft);
    }

    /** Bytes that were sent. */
    public double sentBytes() {
      return sentBytes;
    }

    private record Transfer(double bytesLeft, Runnable whenDone) {}
  }
}
