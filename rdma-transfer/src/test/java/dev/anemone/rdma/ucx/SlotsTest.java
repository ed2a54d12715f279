// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.ucx;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.rdma.transport.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;

class SlotsTest {

  private final List<Integer> made = new ArrayList<>();
  private final Slots slots = new Slots(this::make);

  private synchronized Operation make(int slot) {
    made.add(slot);
    return new Operation(null, slot);
  }

  @Test
  void anOperationThatHasComeBackIsTakenAgain() {
    Operation first = slots.take();
    Operation second = slots.take();
    slots.release(first.slot());

    assertThat(slots.take()).isSameAs(first).isNotSameAs(second);
    assertThat(made).containsExactly(0, 1);
  }

  @Test
  void whoFindsNoneWaitsUntilOneComesBack() throws Exception {
    Operation first = takeAll();
    Waiter waiter = Waiter.on(slots);
    waiter.interrupt();
    Await.until("it has met the interrupt", () -> !waiter.isInterrupted());

    slots.release(first.slot());
    waiter.awaitEnd();
    assertThat(waiter.operation).isSameAs(first);
    assertThat(waiter.wasInterrupted).isTrue();
    assertThat(made).hasSize(Slots.LIMIT);
  }

  @Test
  void whoWaitsGetsNoneAtTheEnd() throws Exception {
    takeAll();
    Waiter waiter = Waiter.on(slots);

    slots.close();
    waiter.awaitEnd();
    assertThat(waiter.operation).isNull();
    assertThat(slots.take()).isNull();
  }

  @Test
  void callbacksDoNotWait() {
    takeAll();
    ProgressLoop.callBack(
        failure -> {
          Operation beyond = slots.take();
          assertThat(beyond.slot()).isEqualTo(Slots.BEYOND);
          slots.close();
          for (int slot = 0; slot < Slots.LIMIT; slot++) {
            slots.release(slot);
          }
          assertThat(slots.isDrained()).isFalse();

          slots.release(beyond.slot());
          assertThat(slots.isDrained()).isTrue();
          assertThat(slots.take()).isNull();
        });
  }

  @Test
  void theyAreDrainedWhenAllHaveComeBackAfterTheEnd() {
    Operation operation = slots.take();
    assertThat(slots.isClosed()).isFalse();

    slots.close();
    slots.close();
    assertThat(slots.isClosed()).isTrue();
    assertThat(slots.isDrained()).isFalse();

    slots.release(operation.slot());
    assertThat(slots.isDrained()).isTrue();
  }

  @Test
  void nobodyHasWhatAnotherHas() throws Exception {
    // Each wants two, and there are not so many; but all can have one.
    int threads = Slots.LIMIT - 3;
    AtomicIntegerArray holders = new AtomicIntegerArray(Slots.LIMIT);
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Future<?>> ends = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        ends.add(pool.submit(() -> takeTwoAndRelease(holders)));
      }
      for (Future<?> end : ends) {
        assertThat(end.get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isNull();
      }
    } finally {
      pool.shutdownNow();
    }
    slots.close();
    assertThat(slots.isDrained()).isTrue();
  }

  private void takeTwoAndRelease(AtomicIntegerArray holders) {
    for (int i = 0; i < 2_000; i++) {
      Operation one = take(holders);
      Operation two = take(holders);
      release(one, holders);
      release(two, holders);
    }
  }

  private Operation take(AtomicIntegerArray holders) {
    Operation operation = slots.take();
    assertThat(holders.incrementAndGet(operation.slot())).isOne();
    return operation;
  }

  private void release(Operation operation, AtomicIntegerArray holders) {
    holders.decrementAndGet(operation.slot());
    slots.release(operation.slot());
  }

  private Operation takeAll() {
    Operation first = slots.take();
    for (int slot = 1; slot < Slots.LIMIT; slot++) {
      assertThat(slots.take().slot()).isEqualTo(slot);
    }
    return first;
  }

  /** A thread that waits for an operation. */
  private static final class Waiter extends Thread {

    private final Slots slots;
    private Operation operation;
    private boolean wasInterrupted;

    private Waiter(Slots slots) {
      this.slots = slots;
    }

    static Waiter on(Slots slots) {
      Waiter waiter = new Waiter(slots);
      waiter.start();
      Await.until("it waits", () -> waiter.getState() == State.WAITING);
      return waiter;
    }

    @Override
    public void run() {
      operation = slots.take();
      wasInterrupted = isInterrupted();
    }

    void awaitEnd() throws InterruptedException {
      join(Await.PATIENCE.toMillis());
      assertThat(isAlive()).isFalse();
    }
  }
}
