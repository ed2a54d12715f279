package dev.anemone.rdma.ucx;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.openucx.jucx.ucp.UcpWorker;

/**
 * The thread that makes all calls of a UCX worker. It runs what others hand it, drives the worker,
 * and looks after deadlines. It polls while there is something to do and for {@value #POLL_MICROS}
 * µs after that, then sleeps until the network or another thread wakes it.
 *
 * <p>A sleep in UCX has no time limit, so a second thread wakes it every {@value #TICK_MILLIS} ms
 * while something has a deadline.
 */
final class ProgressLoop {

  /** Drives the state that hangs on the worker. All methods are called on the loop's thread. */
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
  private static final long CALL_SECONDS = 30;

  private static final AtomicInteger NUMBER = new AtomicInteger();

  private final UcpWorker worker;
  private final Owner owner;
  private final LoopThread thread;
  private final Thread ticker;
  private final Object lock = new Object();
  private ArrayDeque<Runnable> incoming = new ArrayDeque<>();
  private boolean accepting = true;
  private ArrayDeque<Runnable> taken = new ArrayDeque<>();
  private final ArrayDeque<Runnable> after = new ArrayDeque<>();
  private volatile boolean asleep;
  private volatile boolean ticking;
  private volatile boolean stopping;
  private volatile boolean ended;
  private volatile Throwable failure;

  ProgressLoop(UcpWorker worker, Owner owner) {
    this.worker = worker;
    this.owner = owner;
    int number = NUMBER.incrementAndGet();
    this.thread = new LoopThread(this::run, "ucx-progress-" + number);
    this.ticker = new Thread(this::wakeForDeadlines, "ucx-ticker-" + number);
    thread.setDaemon(true);
    ticker.setDaemon(true);
  }

  void start() {
    thread.start();
    ticker.start();
  }

  /** Whether the caller is a thread of this or of another loop, which must not wait. */
  static boolean isCurrentThread() {
    return Thread.currentThread() instanceof LoopThread;
  }

  /** Hands over work, from any thread; false when the loop takes none any more. */
  boolean submit(Runnable work) {
    synchronized (lock) {
      if (!accepting) {
        return false;
      }
      incoming.add(work);
      if (asleep) {
        worker.signal();
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

  /** On the loop's thread: runs work as soon as the call into UCX has returned. */
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
    Uninterruptibly.join(ticker);
  }

  /** Waits until the loop, which takes nothing any more, has ended; not on its own thread. */
  void awaitEnd() {
    if (Thread.currentThread() != thread) {
      Uninterruptibly.join(thread);
    }
  }

  /** Why the loop has ended, or null when it has not, or as it should. */
  Throwable failure() {
    return failure;
  }

  private void run() {
    try {
      drive();
    } catch (Throwable t) {
      failure = t;
    }
    synchronized (lock) {
      accepting = false;
    }
    try {
      owner.ended(failure);
      runAll(taken);
      runAll(incoming);
      runAll(after);
    } finally {
      ended = true;
      LockSupport.unpark(ticker);
    }
  }

  private void drive() throws Exception {
    long ticked = System.nanoTime();
    long worked = ticked;
    while (!stopping || !owner.isIdle()) {
      boolean busy = runIncoming();
      busy |= worker.progress() != 0;
      busy |= runAll(after);
      long now = System.nanoTime();
      if (now - ticked >= TimeUnit.MILLISECONDS.toNanos(TICK_MILLIS)) {
        ticked = now;
        ticking = owner.tick(now);
      }
      if (busy) {
        worked = now;
      } else if (now - worked < TimeUnit.MICROSECONDS.toNanos(POLL_MICROS)) {
        Thread.onSpinWait();
      } else {
        ticking = owner.tick(now);
        sleep();
        worked = System.nanoTime();
      }
    }
  }

  /** Sleeps until UCX has an event or another thread signals, perhaps for no time at all. */
  private void sleep() {
    asleep = true;
    try {
      boolean nothing;
      synchronized (lock) {
        nothing = incoming.isEmpty();
      }
      if (nothing && after.isEmpty()) {
        worker.waitForEvents();
      }
    } finally {
      asleep = false;
    }
  }

  private boolean runIncoming() {
    synchronized (lock) {
      ArrayDeque<Runnable> full = incoming;
      incoming = taken;
      taken = full;
    }
    return runAll(taken);
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

  private static final class LoopThread extends Thread {

    LoopThread(Runnable target, String name) {
      super(target, name);
    }
  }
}
