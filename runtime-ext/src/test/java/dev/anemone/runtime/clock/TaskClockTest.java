// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.clock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.runtime.clock.TaskClock.Part;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TaskClockTest {

  private final long began = System.nanoTime();
  private final TaskClock clock = new TaskClock();

  /** Lets time pass. */
  private static void spin(int millis) {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    while (System.nanoTime() < end) {
      Thread.onSpinWait();
    }
  }

  @Test
  void whatIsInsideOfAPartIsNotOfThatPart() {
    Part before = clock.enter(Part.SPILL);
    spin(5);
    Part outer = clock.enter(Part.SORT);
    spin(30);
    clock.back(outer);
    clock.back(before);

    assertThat(clock.millis(Part.SORT)).isGreaterThanOrEqualTo(30);
    assertThat(clock.millis(Part.SPILL)).isGreaterThanOrEqualTo(5);
    long all = Arrays.stream(Part.values()).mapToLong(clock::millis).sum();
    assertThat(all).isLessThanOrEqualTo((System.nanoTime() - began) / 1_000_000);
  }

  @Test
  void noMoreIsReassignedThanThereIs() {
    spin(3);
    clock.reassign(Long.MAX_VALUE, Part.INPUT);

    assertThat(clock.millis(Part.INPUT)).isGreaterThanOrEqualTo(3);
    assertThat(clock.nanosHere()).isNotNegative();
  }

  @Test
  void aSampleStandsForAll() {
    SampledTime sampled = new SampledTime(clock);
    int measured = 0;
    for (int i = 0; i < 64 + 640; i++) {
      if (sampled.isNext()) {
        measured++;
        sampled.begin();
        spin(1);
        sampled.end();
      }
    }

    assertThat(measured).isEqualTo(64 + 10);
    assertThat(sampled.nanos()).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(64 + 640));
  }

  @Test
  void whatASampleDoesInAnotherPartIsLeftOut() {
    SampledTime sampled = new SampledTime(clock);
    assertThat(sampled.isNext()).isTrue();
    sampled.begin();
    Part before = clock.enter(Part.SPILL);
    spin(300);
    clock.back(before);
    sampled.end();

    assertThat(sampled.nanos()).isLessThan(TimeUnit.MILLISECONDS.toNanos(300));
  }
}
