// SPDX-License-Identifier: Apache-2.0
package dev.anemone.testing;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.lang.management.LockInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Ends a JVM whose tests hang, whatever their engine. When no test has begun or ended for some
 * minutes, it writes what all threads do to the standard error. JUnit interrupts tests of Jupiter
 * after that, so that the others can go on; where that was of no use, the JVM ends a little later.
 */
public final class HangWatch implements TestExecutionListener {

  /** The configuration parameter for the silence after which threads are shown, as {@code PT9M}. */
  static final String SHOWN_AFTER = "anemone.hang.shown-after";

  /** The configuration parameter for the silence after which the JVM ends, as {@code PT12M}. */
  static final String ENDED_AFTER = "anemone.hang.ended-after";

  /** The exit code of a JVM that was ended. */
  static final int HUNG = 86;

  private static final Duration PERIOD = Duration.ofMillis(500);

  /** Not System.err, which Surefire replaces by a queue that is lost with the JVM. */
  private static final PrintStream ERR =
      new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);

  private volatile String last = "the first test";
  private volatile long lastNanos;
  private volatile boolean shown;

  /** Of the tests that run now. A fork that gets its classes one by one runs many. */
  private CountDownLatch finished;

  @Override
  public void testPlanExecutionStarted(TestPlan plan) {
    Duration showAfter = duration(plan, SHOWN_AFTER, "PT9M");
    Duration endAfter = duration(plan, ENDED_AFTER, "PT12M");
    happened("started", "the tests");
    CountDownLatch ended = new CountDownLatch(1);
    finished = ended;
    Thread thread = new Thread(() -> watch(ended, showAfter, endAfter), "hang-watch");
    thread.setDaemon(true);
    thread.start();
  }

  private void watch(CountDownLatch ended, Duration showAfter, Duration endAfter) {
    try {
      while (!ended.await(PERIOD.toMillis(), TimeUnit.MILLISECONDS)) {
        look(showAfter, endAfter);
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException("a test has interrupted what ends tests that hang", e);
    }
  }

  private static Duration duration(TestPlan plan, String name, String unlessGiven) {
    return Duration.parse(plan.getConfigurationParameters().get(name).orElse(unlessGiven));
  }

  @Override
  public void testPlanExecutionFinished(TestPlan plan) {
    finished.countDown();
  }

  @Override
  public void executionStarted(TestIdentifier test) {
    happened("started", test.getUniqueId());
  }

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    happened("finished", test.getUniqueId());
  }

  private void happened(String what, String test) {
    last = what + ": " + test;
    lastNanos = System.nanoTime();
    shown = false;
  }

  private void look(Duration showAfter, Duration endAfter) {
    Duration silence = Duration.ofNanos(System.nanoTime() - lastNanos);
    if (!shown && silence.compareTo(showAfter) >= 0) {
      shown = true;
      show(silence);
    }
    if (silence.compareTo(endAfter) >= 0) {
      ERR.println("HUNG: this JVM ends, " + silence.toSeconds() + " s after " + last);
      // Not exit(): what hangs may hold up shutdown hooks too.
      Runtime.getRuntime().halt(HUNG);
    }
  }

  private void show(Duration silence) {
    StringBuilder text =
        new StringBuilder("HANGS: nothing has happened for ")
            .append(silence.toSeconds())
            .append(" s after ")
            .append(last)
            .append('\n');
    for (ThreadInfo thread : ManagementFactory.getThreadMXBean().dumpAllThreads(true, true)) {
      append(thread, text);
    }
    ERR.println(text);
  }

  /** All frames: a thread's own text has the first eight only. */
  private static void append(ThreadInfo thread, StringBuilder text) {
    text.append('"').append(thread.getThreadName()).append("\" ").append(thread.getThreadState());
    LockInfo lock = thread.getLockInfo();
    if (lock != null) {
      text.append(" on ").append(lock);
      if (thread.getLockOwnerName() != null) {
        text.append(" of \"").append(thread.getLockOwnerName()).append('"');
      }
    }
    text.append('\n');
    for (StackTraceElement frame : thread.getStackTrace()) {
      text.append("    at ").append(frame).append('\n');
    }
  }
}
