// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.decide;

import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * What the readers of a job have under way in this process, so that each knows what those before it
 * have decided, what of that is still to come over the network, and how fast it comes. Jobs of a
 * process share all of it ({@link OfProcess}). Thread-safe.
 */
public final class ReadsInProgress {

  private final OfProcess all;
  private final LongSupplier clock;

  /** Those of a job in a process. */
  public ReadsInProgress(OfProcess all) {
    this(all, System::nanoTime);
  }

  /**
   * The same.
   *
   * @param clock in nanoseconds
   */
  public ReadsInProgress(OfProcess all, LongSupplier clock) {
    this.all = all;
    this.clock = clock;
  }

  /** What the readers of all jobs of a process have under way. Its lock is that of all of them. */
  public static final class OfProcess {
    private int readings;
    private int here;
    private long bytesLeft;

    /** Of the time since nobody has read anything. */
    private ArrivalRate arrivals = new ArrivalRate();
  }

  /** A proxy, which is told of the plans that this process has it run. */
  public interface PlanRunner {

    void planBegins();

    void planEnds();
  }

  /**
   * What was decided about a split.
   *
   * @param operators how many the storage side runs
   * @param networkBytes that come over the network then, as far as is known
   * @param model the numbers behind it; empty when no model was asked
   */
  public record Decision(int operators, long networkBytes, Optional<SplitDecision> model) {

    public Decision {
      Objects.requireNonNull(model, "model");
    }

    /** One that no model was asked about. */
    public Decision(int operators, long networkBytes) {
      this(operators, networkBytes, Optional.empty());
    }
  }

  /**
   * Decides about a split, and counts it before anybody else decides.
   *
   * @param proxy that may run a plan on it
   * @param decider may ask this object what else is under way
   */
  public Reading begin(PlanRunner proxy, Supplier<Decision> decider) {
    synchronized (all) {
      Decision decision = decider.get();
      return decision.operators() > 0 ? new Reading(decision, proxy) : here(decision);
    }
  }

  /**
   * Counts a split of which this process reads all.
   *
   * @param networkBytes that it reads
   */
  public Reading beginHere(long networkBytes) {
    synchronized (all) {
      return here(new Decision(0, networkBytes));
    }
  }

  private Reading here(Decision decision) {
    Reading reading = new Reading(decision, null);
    reading.continueHere(decision.networkBytes());
    return reading;
  }

  /** Splits that are being read, by all jobs of the process. */
  public int readings() {
    synchronized (all) {
      return all.readings;
    }
  }

  /** Those of them on which this process runs all operators. */
  public int here() {
    synchronized (all) {
      return all.here;
    }
  }

  /** Bytes that are still to come for all of them, as far as is known. */
  public long bytesLeft() {
    synchronized (all) {
      return all.bytesLeft;
    }
  }

  /**
   * Bytes per second at which they come for all of them together while some are waited for; empty
   * while little has come since nobody read anything.
   */
  public OptionalDouble arrivalRate() {
    synchronized (all) {
      return all.arrivals.bytesPerSecond(clock.getAsLong());
    }
  }

  /** A split that is being read, until it is closed. Used by one thread. */
  public final class Reading implements AutoCloseable {

    private final Decision decision;
    private final ArrivalRate arrivals = all.arrivals;

    /** That runs a plan for it; null when none does, or not any more. */
    private PlanRunner proxy;

    private boolean isHere;
    private long left;

    private Reading(Decision decision, PlanRunner proxy) {
      this.decision = decision;
      this.proxy = proxy;
      all.readings++;
      expect(decision.networkBytes());
      if (proxy != null) {
        proxy.planBegins();
      }
    }

    /** How many operators the storage side shall run. */
    public int operators() {
      return decision.operators();
    }

    /** The numbers behind that; empty when no model was asked. */
    public Optional<SplitDecision> model() {
      return decision.model();
    }

    /** A thread begins to wait for bytes. Any thread; {@link #arrived} follows. */
    public void waits() {
      synchronized (all) {
        arrivals.waits(clock.getAsLong());
      }
    }

    /**
     * The thread does not wait any more.
     *
     * @param bytes that have come over the network for it, perhaps none
     */
    public void arrived(long bytes) {
      synchronized (all) {
        expect(Math.max(0, left - bytes));
        arrivals.arrived(bytes, clock.getAsLong());
      }
    }

    /** The proxy has answered, or does not; nothing of it is still to come. */
    public void planEnds() {
      synchronized (all) {
        expect(0);
        if (proxy != null) {
          proxy.planEnds();
          proxy = null;
        }
      }
    }

    /**
     * This process does all itself.
     *
     * @param networkBytes that it reads
     */
    public void continueHere(long networkBytes) {
      synchronized (all) {
        expect(networkBytes);
        all.here += isHere ? 0 : 1;
        isHere = true;
      }
    }

    private void expect(long bytes) {
      all.bytesLeft += bytes - left;
      left = bytes;
    }

    /** That is over, however it ended. Once. */
    @Override
    public void close() {
      synchronized (all) {
        planEnds();
        all.readings--;
        all.here -= isHere ? 1 : 0;
        if (all.readings == 0) {
          all.arrivals = new ArrivalRate();
        }
      }
    }
  }
}
