// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.runtime.memory.MemoryLedger.JobMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Jobs side by side have no more than there is, and none waits for ever. */
class MemoryLedgerTest {

  private static final long PAGE = PagePool.PAGE_BYTES;

  private static MemoryLedger ledger(long pages) {
    return new MemoryLedger(new PagePool(pages * PAGE), pages * PAGE);
  }

  @Test
  void aJobAloneGetsWhatItCanUse() throws Exception {
    MemoryLedger ledger = ledger(100);
    try (JobMemory job = ledger.admit(20 * PAGE);
        TaskMemory first = job.attempt(10 * PAGE, 50 * PAGE);
        TaskMemory second = job.attempt(10 * PAGE, 50 * PAGE)) {
      assertThat(first.budgetBytes()).isEqualTo(50 * PAGE);
      assertThat(second.budgetBytes()).isEqualTo(50 * PAGE);
    }
    assertThat(ledger.reservedBytes()).isZero();
  }

  @Test
  void anAttemptOfASecondJobGetsWhatItNeedsAndLaterItsShare() throws Exception {
    MemoryLedger ledger = ledger(100);
    try (JobMemory one = ledger.admit(10 * PAGE)) {
      TaskMemory large = one.attempt(10 * PAGE, 100 * PAGE);
      assertThat(large.budgetBytes()).isEqualTo(100 * PAGE);
      assertThat(ledger.isShort(PAGE)).isTrue();
      large.close();
      try (JobMemory other = ledger.admit(10 * PAGE);
          TaskMemory half = other.attempt(10 * PAGE, 100 * PAGE);
          TaskMemory otherHalf = one.attempt(10 * PAGE, 100 * PAGE)) {
        assertThat(half.budgetBytes()).isEqualTo(50 * PAGE);
        assertThat(otherHalf.budgetBytes()).isEqualTo(50 * PAGE);
      }
    }
  }

  @Test
  void whatWasPromisedIsNotGivenToOthers() throws Exception {
    MemoryLedger ledger = ledger(100);
    try (JobMemory promised = ledger.admit(30 * PAGE);
        JobMemory other = ledger.admit(10 * PAGE);
        TaskMemory most = other.attempt(10 * PAGE, 1_000 * PAGE);
        TaskMemory least = promised.attempt(30 * PAGE, 1_000 * PAGE)) {
      assertThat(most.budgetBytes()).isEqualTo(70 * PAGE);
      assertThat(least.budgetBytes()).isEqualTo(30 * PAGE);
    }
    assertThat(ledger.reservedBytes()).isZero();
  }

  @Test
  @Timeout(30)
  void aJobWaitsUntilOthersHaveEnded() throws Exception {
    MemoryLedger ledger = ledger(10);
    JobMemory first = ledger.admit(8 * PAGE);
    ExecutorService pool = Executors.newSingleThreadExecutor();
    try {
      Future<JobMemory> second = pool.submit(() -> ledger.admit(4 * PAGE));
      while (!ledger.isShort(PAGE)) {
        Thread.onSpinWait();
      }
      assertThat(second.isDone()).isFalse();
      first.close();
      second.get().close();
    } finally {
      pool.shutdownNow();
    }
    assertThat(ledger.reservedBytes()).isZero();
  }

  @Test
  @Timeout(30)
  void aJobThatNoLongerWaitsHoldsUpNobody() throws Exception {
    MemoryLedger ledger = ledger(10);
    try (JobMemory first = ledger.admit(6 * PAGE)) {
      assertThat(first).isNotNull();
      Thread impatient =
          new Thread(
              () -> {
                try {
                  ledger.admit(10 * PAGE).close();
                } catch (InterruptedException e) {
                  // as it is meant to be
                }
              });
      impatient.start();
      while (!ledger.isShort(PAGE)) {
        Thread.onSpinWait();
      }
      impatient.interrupt();
      ledger.admit(4 * PAGE).close();
      impatient.join();
    }
  }

  @Test
  void anAttemptThatOutlivesItsJobKeepsWhatItHas() throws Exception {
    MemoryLedger ledger = ledger(10);
    JobMemory job = ledger.admit(4 * PAGE);
    TaskMemory attempt = job.attempt(4 * PAGE, 6 * PAGE);
    job.close();
    job.close();
    assertThat(ledger.reservedBytes()).isEqualTo(6 * PAGE);
    attempt.close();
    attempt.close();
    assertThat(ledger.reservedBytes()).isZero();
  }

  @Test
  void anAttemptThatLosesAPageHoldsUpNobody() throws Exception {
    MemoryLedger ledger = ledger(10);
    try (JobMemory job = ledger.admit(4 * PAGE)) {
      TaskMemory attempt = job.attempt(4 * PAGE, 10 * PAGE);
      assertThat(attempt.tryTake()).isNotNull();
      assertThatThrownBy(attempt::close).hasMessageContaining(PAGE + " bytes of pages");
    }
    assertThat(ledger.reservedBytes()).isZero();
  }

  @Test
  void anAttemptForWhichNothingWasPromisedGetsTheLeastAllTheSame() throws Exception {
    PagePool pool = new PagePool(12 * PAGE);
    MemoryLedger ledger = new MemoryLedger(pool, 10 * PAGE);
    try (JobMemory job = ledger.admit(4 * PAGE);
        TaskMemory all = job.attempt(4 * PAGE, 10 * PAGE);
        TaskMemory again = job.attempt(3 * PAGE, 10 * PAGE)) {
      assertThat(all.budgetBytes()).isEqualTo(10 * PAGE);
      assertThat(again.budgetBytes()).isEqualTo(3 * PAGE);
      assertThat(pool.maxBytes()).isEqualTo(15 * PAGE);
    }
    assertThat(ledger.reservedBytes()).isZero();
  }

  @Test
  void aLedgerThatGrowsTakesInWhoWaits() throws Exception {
    MemoryLedger ledger = ledger(10);
    try (JobMemory first = ledger.admit(10 * PAGE)) {
      assertThat(first.pool().maxBytes()).isEqualTo(10 * PAGE);
      assertThat(ledger.isShort(PAGE)).isTrue();
      ledger.grow(20 * PAGE, 20 * PAGE);
      ledger.admit(10 * PAGE).close();
    }
  }

  @Property(tries = 20)
  void jobsSideBySideStayWithinTheWholeAndAllEnd(
      @ForAll @IntRange(min = 6, max = 60) int pages,
      @ForAll @IntRange(min = 1, max = 6) int jobs,
      @ForAll @IntRange(min = 1, max = 3) int slots,
      @ForAll long seed)
      throws Exception {
    MemoryLedger ledger = ledger(pages);
    AtomicLong held = new AtomicLong();
    ExecutorService pool = Executors.newFixedThreadPool(jobs * (slots + 1));
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int job = 0; job < jobs; job++) {
        Random random = new Random(seed + job);
        long least = (1 + random.nextInt(2)) * PAGE;
        running.add(pool.submit(job(ledger, pool, slots, least, held, pages * PAGE, random)));
      }
      for (Future<?> job : running) {
        job.get(30, TimeUnit.SECONDS);
      }
    } finally {
      pool.shutdownNow();
    }
    assertThat(held).hasValue(0);
    assertThat(ledger.reservedBytes()).isZero();
  }

  /** A job whose attempts each hold some memory for a while, as many at once as it has slots. */
  private static Callable<Void> job(
      MemoryLedger ledger,
      ExecutorService pool,
      int slots,
      long least,
      AtomicLong held,
      long total,
      Random random) {
    long most = (1 + random.nextInt(20)) * PAGE;
    return () -> {
      try (JobMemory memory = ledger.admit(slots * least)) {
        List<Future<?>> attempts = new ArrayList<>();
        for (int slot = 0; slot < slots; slot++) {
          attempts.add(
              pool.submit(
                  () -> {
                    for (int i = 0; i < 50; i++) {
                      try (TaskMemory attempt = memory.attempt(least, most)) {
                        assertThat(attempt.budgetBytes()).isBetween(least, Math.max(least, most));
                        assertThat(held.addAndGet(attempt.budgetBytes()))
                            .isLessThanOrEqualTo(total);
                        held.addAndGet(-attempt.budgetBytes());
                      }
                    }
                    return null;
                  }));
        }
        for (Future<?> attempt : attempts) {
          attempt.get();
        }
      }
      return null;
    };
  }
}
