// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.ucx;

import dev.anemone.rdma.transport.Completion;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.openucx.jucx.ucp.UcpWorker;

/**
 * The thread that drives a UCX worker. It runs what others hand it, and looks after deadlines. It
 * polls while there is something to do and for {@value #POLL_MICROS} µs after that, then sleeps
 * until the network or another thread wakes it.
 *
 * <p>UCX is called in turns: the loop has the turn except between two polls, and a caller that
 * finds nothing waiting before it can {@linkplain #takeTurn() take} it, for one operation that it
 * begins by itself. Over shared memory that operation is a copy, and has ended when UCX returns, so
 * that no thread need be woken. "On the loop's thread" means of all of this package: by whom the
 * turn has.
 *
 * <p>Nobody else can call UCX while the loop sleeps in it. So it does not when the user has read or
 * written in the last {@value #DOZE_AFTER_MICROS} µs, but dozes: it parks for {@value #DOZE_MICROS}
 * µs at a time, and what the network brings meanwhile waits so long.
 *
 * <p>A sleep in UCX has no time limit, so a second thread wakes it every {@value #TICK_MILLIS} ms
 * while something has a deadline.
 */
final class ProgressLoop {

  /** Drives the state that hangs on the worker. All methods are called in the loop's turn. */
  interface Owner {

    /** Looks after deadlines; returns whether anything has one. */
    boolean tick(long nowNanos);

    /** Whether there is anything left that needs the loop, when it has been told to stop. */
    boolean isIdle();

    /** The loop has ended, by {@code cause} or, when that is null, as it should. */
    void ended(Throwable cause);
  }

  static final long TICK_MILLIS = 20;
  static final long POLL_MICROS = 50;
  static final long DOZE_MICROS = 50;
  static final long DOZE_AFTER_MICROS = 1_000;

  /** UCX itself never blocks; a call that takes so long hangs, so this is no option. */
  private static final long CALL_SECONDS = 30;

  /**
   * How often a caller looks whether it can have the turn; some 10 µs, in which the loop comes to
   * the end of its own. What a caller hands over instead, the loop copies on another processor.
   */
  private static final int CALLER_SPINS = 256;

  /**
   * How often it looks after that, while nobody has the turn and the loop is on its way to it; with
   * some 50 µs between, as short as the system's timers are.
   */
  private static final int CALLER_NAPS = 16;

  /** How long it sleeps for it then. */
  private static final long CALLER_MICROS = 1_000;

  /** How often the loop looks for it; some 10 µs. */
  private static final int LOOP_SPINS = 256;

  /** How often when callers leave it to the loop, before it sleeps for it; a copy's time. */
  private static final int WANTED_SPINS = 4_096;

  /** How often the loop goes without, so that a caller's copies are not held up; about 1 ms. */
  private static final int MOST_MISSED = 10;

  /** Between two polls, so that callers find UCX free; about 1 µs. */
  private static final int PAUSE_SPINS = 16;

  private static final AtomicInteger NUMBER = new AtomicInteger();

  /** Whether the thread is within a completion or a handler, or is a loop's. */
  private static final ThreadLocal<CallingBack> CALLING_BACK =
      ThreadLocal.withInitial(CallingBack::new);

  private final UcpWorker worker;
  private final Owner owner;
  private final Thread thread;
  private final Thread ticker;
  private final ReentrantLock turn = new ReentrantLock();
  private final Object lock = new Object();
  private ArrayDeque<Runnable> incoming = new ArrayDeque<>();
  private boolean accepting = true;
  private volatile boolean waiting;
  private volatile boolean wanted;
  private boolean over;
  private ArrayDeque<Runnable> taken = new ArrayDeque<>();
  private final ArrayDeque<Runnable> after = new ArrayDeque<>();

  /** In UCX, or about to be. */
  private volatile boolean asleep;

  private volatile boolean dozing;

  /** How often in a row the loop did not get the turn. */
  private int missed;

  /** Reads and writes that were begun; changed in turns. */
  private long transfers;

  private volatile boolean ticking;
  private volatile boolean stopping;
  private volatile boolean ended;
  private volatile Throwable failure;

  /** A loop that has not begun. */
  ProgressLoop(UcpWorker worker, Owner owner) {
    this.worker = worker;
    this.owner = owner;
    int number = NUMBER.incrementAndGet();
    this.thread = new Thread(this::run, "ucx-progress-" + number);
    this.ticker = new Thread(this::wakeForDeadlines, "ucx-ticker-" + number);
    thread.setDaemon(true);
    ticker.setDaemon(true);
  }

  void start() {
    thread.start();
    ticker.start();
  }

  /**
   * Whether the caller is a completion or a handler, or this or another loop itself, which must not
   * wait.
   */
  static boolean isCallingBack() {
    return CALLING_BACK.get().now;
  }

  /** Calls a completion on the thread of a caller, which has given the turn back. */
  static void callBack(Completion completion) {
    CallingBack calling = CALLING_BACK.get();
    calling.now = true;
    try {
      completion.completed(null);
    } finally {
      calling.now = false;
    }
  }

  /**
   * Gives the caller the turn, if the loop is awake, UCX is free soon, and nothing waits that came
   * before; never to a completion or a handler, which could go on for ever. It must be {@linkplain
   * #endTurn ended} without calling any code of a user's.
   */
  boolean takeTurn() {
    if (isCallingBack()) {
      return false;
    }
    for (int look = 0; !asleep && look < CALLER_SPINS + CALLER_NAPS; look++) {
      if (tryTurn()) {
        return true;
      }
      if (look < CALLER_SPINS) {
        Thread.onSpinWait();
      } else if (turn.isLocked()) {
        return sleepForTurn();
      } else {
        // The loop has been woken for what waits, and may need this processor.
        LockSupport.parkNanos(this, 1);
      }
    }
    return false;
  }

  /**
   * Gives the caller the turn if it is free at this moment, for an operation that the loop's thread
   * has to end anyway: it is no loss when that begins it, too. Else as {@link #takeTurn}.
   */
  boolean takeFreeTurn() {
    return !isCallingBack() && tryTurn();
  }

  private boolean tryTurn() {
    if (asleep || wanted || waiting || !turn.tryLock()) {
      return false;
    }
    if (isFree()) {
      return true;
    }
    turn.unlock();
    return false;
  }

  /** In the turn: whether nothing waits, and the loop is awake. */
  private boolean isFree() {
    return !waiting && !asleep && !over;
  }

  /**
   * Another caller has the turn, perhaps without a processor. That must not last for ever, since by
   * then it may be the loop that has it, whose completions may wait for what this caller holds.
   */
  private boolean sleepForTurn() {
    try {
      if (!turn.tryLock(CALLER_MICROS, TimeUnit.MICROSECONDS)) {
        return false;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
    if (isFree()) {
      return true;
    }
    turn.unlock();
    return false;
  }

  /**
   * Gives the turn back.
   *
   * @param settled whether nothing was begun, or all of it has ended, so that UCX does not need the
   *     loop's thread for it
   */
  void endTurn(boolean settled) {
    turn.unlock();
    if (!settled && dozing) {
      LockSupport.unpark(thread);
    }
  }

  /** Hands over work, from any thread; false when the loop takes none any more. */
  boolean submit(Runnable work) {
    synchronized (lock) {
      if (!accepting) {
        return false;
      }
      incoming.add(work);
      waiting = true;
      if (asleep) {
        worker.signal();
      } else if (dozing) {
        LockSupport.unpark(thread);
      }
    }
    return true;
  }

  /**
   * Runs something on the loop's thread, and waits for its result. Not to be called there.
   *
   * @throws IOException when it failed, with the failure as its cause, or the loop has ended
   */
  <T> T call(Callable<T> work) throws IOException {
    FutureTask<T> task = new FutureTask<>(work);
    if (!submit(task)) {
      throw new IOException("the ucx transport is closed");
    }
    try {
      return task.get(CALL_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new IOException(e.getCause().getMessage(), e.getCause());
    } catch (TimeoutException e) {
      task.cancel(false);
      throw new IOException("UCX's thread did not come to it within " + CALL_SECONDS + " s", e);
    } catch (InterruptedException e) {
      task.cancel(false);
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while waiting for UCX's thread", e);
    }
  }

  /**
   * On the loop's thread, and not within a call of UCX: has UCX look at the events that its own
   * thread has kept for later because UCX was busy. UCX keeps them under the numbers of sockets,
   * and before 1.18 ends the process when a kept event is given to a later socket of that number.
   * So it is done when a socket has been opened, whose first event comes at once, and around the
   * closing of one.
   */
  void settle() {
    try {
      worker.progress();
    } catch (Exception e) {
      throw new IllegalStateException("UCX cannot go on", e);
    }
  }

  /** In a turn: the user reads or writes, and will probably do so again. */
  void transfers() {
    transfers++;
  }

  /** In a turn: has work run by the loop as soon as the call into UCX has returned. */
  void afterCall(Runnable work) {
    after.add(work);
  }

  /**
   * Ends the loop when its owner is idle, and waits for that. Not to be called by a completion or a
   * handler.
   */
  void stop() {
    stopping = true;
    submit(() -> {});
    awaitEnd();
    UninterruptibleWaits.join(ticker);
  }

  /** Waits until the loop, which takes nothing any more, has ended; not on its own thread. */
  void awaitEnd() {
    if (Thread.currentThread() != thread) {
      UninterruptibleWaits.join(thread);
    }
  }

  /** Why the loop has ended, or null when it has not, or as it should. */
  Throwable failure() {
    return failure;
  }

  private void run() {
    CALLING_BACK.get().now = true;
    try {
      drive();
    } catch (Throwable t) {
      failure = t;
    }
    turn.lock();
    try {
      over = true;
      synchronized (lock) {
        accepting = false;
      }
      owner.ended(failure);
      runAll(taken);
      runAll(incoming);
      runAll(after);
    } finally {
      turn.unlock();
      ended = true;
      LockSupport.unpark(ticker);
    }
  }

  private void drive() throws Exception {
    long ticked = System.nanoTime();
    long worked = ticked;
    long called = ticked;
    long seen = 0;
    boolean on = true;
    while (on) {
      if (!lockTurn()) {
        doze();
        continue;
      }
      boolean busy;
      boolean rest = false;
      try {
        busy = runIncoming();
        busy |= worker.progress() != 0;
        busy |= runAll(after);
        long now = System.nanoTime();
        if (now - ticked >= TimeUnit.MILLISECONDS.toNanos(TICK_MILLIS)) {
          ticked = now;
          ticking = owner.tick(now);
        }
        if (transfers != seen) {
          seen = transfers;
          called = now;
        }
        if (busy) {
          worked = now;
        } else if (now - worked >= TimeUnit.MICROSECONDS.toNanos(POLL_MICROS)) {
          ticking = owner.tick(now);
          // Deadlines that are over leave work behind.
          rest = after.isEmpty();
          asleep = rest && now - called >= TimeUnit.MICROSECONDS.toNanos(DOZE_AFTER_MICROS);
        }
        on = !stopping || !owner.isIdle();
      } finally {
        turn.unlock();
      }
      if (asleep) {
        if (on) {
          sleep();
        }
        asleep = false;
        worked = System.nanoTime();
      } else if (rest && on) {
        doze();
      } else if (!busy) {
        pause();
      }
    }
  }

  /**
   * Takes the turn, if a caller's operation lets it: the loop can have it between two of them.
   * Where it has something to run, or did not get the turn for {@value #MOST_MISSED} times, callers
   * leave it to the loop. False when the turn was missed.
   */
  private boolean lockTurn() {
    boolean held = spinForTurn(LOOP_SPINS);
    if (!held && (waiting || ++missed > MOST_MISSED)) {
      wanted = true;
      if (!spinForTurn(WANTED_SPINS)) {
        turn.lock();
      }
      wanted = false;
      held = true;
    }
    if (held) {
      missed = 0;
    }
    return held;
  }

  private boolean spinForTurn(int spins) {
    boolean held = turn.tryLock();
    for (int spin = 0; spin < spins && !held; spin++) {
      Thread.onSpinWait();
      held = turn.tryLock();
    }
    return held;
  }

  private void doze() {
    dozing = true;
    if (!waiting) {
      LockSupport.parkNanos(this, TimeUnit.MICROSECONDS.toNanos(DOZE_MICROS));
    }
    dozing = false;
  }

  /** Sleeps until UCX has an event or another thread signals, perhaps for no time at all. */
  private void sleep() {
    boolean nothing;
    synchronized (lock) {
      nothing = incoming.isEmpty();
    }
    if (nothing) {
      worker.waitForEvents();
    }
  }

  private void pause() {
    for (int spin = 0; spin < PAUSE_SPINS && !waiting; spin++) {
      Thread.onSpinWait();
    }
  }

  private boolean runIncoming() {
    synchronized (lock) {
      ArrayDeque<Runnable> full = incoming;
      incoming = taken;
      taken = full;
    }
    boolean any = runAll(taken);
    synchronized (lock) {
      waiting = !incoming.isEmpty();
    }
    return any;
  }

  private static boolean runAll(ArrayDeque<Runnable> work) {
    boolean any = false;
    for (Runnable next = work.poll(); next != null; next = work.poll()) {
      next.run();
      any = true;
    }
    return any;
  }

  private void wakeForDeadlines() {
    while (!ended) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(TICK_MILLIS));
      if (ticking && asleep) {
        worker.signal();
      }
    }
  }

  /** What a thread does; a field of its own is cheaper to set than a thread's local. */
  private static final class CallingBack {
    private boolean now;
  }
}
