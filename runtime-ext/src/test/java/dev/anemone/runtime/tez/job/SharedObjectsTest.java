// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SharedObjectsTest {

  private final SharedObjects shared = new SharedObjects("job7");
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<String> closed = new ArrayList<>();

  @AfterEach
  void stopThreads() {
    threads.shutdownNow();
  }

  @Test
  void theFirstCallerMakesTheObject() throws Exception {
    Object made = shared.get("a", Object::new);

    assertThat(shared.<Object>get("a", Object::new)).isSameAs(made);
    assertThat(shared.<Object>get("b", Object::new)).isNotSameAs(made);
  }

  @Test
  void whereMakingFailsTheNextCallerTries() throws Exception {
    assertThatThrownBy(
            () ->
                shared.get(
                    "a",
                    () -> {
                      throw new IOException("planned");
                    }))
        .isInstanceOf(IOException.class)
        .hasMessage("planned");

    assertThat(shared.<String>get("a", () -> "made")).isEqualTo("made");
  }

  @Test
  void whileOneIsMadeOthersCanBeHad() throws Exception {
    CountDownLatch making = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    Future<String> slow = threads.submit(() -> shared.get("slow", waiting(making, mayEnd)));
    making.await();

    assertThat(shared.<String>get("other", () -> "at once")).isEqualTo("at once");
    mayEnd.countDown();
    assertThat(slow.get(10, TimeUnit.SECONDS)).isEqualTo("slow");
  }

  private static Callable<String> waiting(CountDownLatch making, CountDownLatch mayEnd) {
    return () -> {
      making.countDown();
      mayEnd.await();
      return "slow";
    };
  }

  @Test
  void whoWaitsForAnObjectCanBeInterrupted() throws Exception {
    CountDownLatch making = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    Future<String> slow = threads.submit(() -> shared.get("slow", waiting(making, never)));
    making.await();
    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> shared.get("slow", () -> "mine"))
        .isInstanceOf(InterruptedException.class);
    assertThat(slow).isNotDone();
  }

  @Test
  void whatCanBeClosedIsClosedWithTheJob() throws Exception {
    shared.get("a", () -> closeable("a"));
    shared.get(
        "b",
        () ->
            (AutoCloseable)
                () -> {
                  throw new IOException("planned");
                });
    shared.get("c", () -> closeable("c"));
    shared.get("d", () -> "nothing to close");

    assertThatThrownBy(shared::close).isInstanceOf(IOException.class).hasMessage("planned");
    assertThat(closed).containsExactlyInAnyOrder("a", "c");
    assertThatThrownBy(() -> shared.get("a", Object::new))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("job job7 has ended");
  }

  @Test
  void whatIsMadeWhileTheJobEndsIsClosed() {
    assertThatThrownBy(
            () ->
                shared.get(
                    "late",
                    () -> {
                      shared.close();
                      return closeable("late");
                    }))
        .isInstanceOf(IllegalStateException.class);
    assertThat(closed).containsExactly("late");
  }

  private AutoCloseable closeable(String name) {
    return () -> closed.add(name);
  }
}
