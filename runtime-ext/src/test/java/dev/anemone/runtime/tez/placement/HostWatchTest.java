// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.placement;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class HostWatchTest {

  private final AtomicLong time = new AtomicLong();
  private final HostWatch watch = new HostWatch(Duration.ofMillis(100), time::get);

  @Test
  void hostsAreGivenUpWhenAllAreLostForLong() {
    watch.lost("a");
    time.set(50);
    watch.lost("a");
    watch.lost("b");
    time.set(100);
    assertThat(watch.areGivenUp(List.of("a"))).isTrue();
    assertThat(watch.areGivenUp(List.of("a", "b"))).isFalse();
    time.set(150);
    assertThat(watch.areGivenUp(List.of("a", "b"))).isTrue();
    assertThat(watch.areGivenUp(List.of("a", "b", "other"))).isFalse();
  }

  @Test
  void aHostThatComesBackIsWaitedForAsLongAgain() {
    watch.lost("a");
    time.set(90);
    watch.usable("a");
    watch.lost("a");
    time.set(189);
    assertThat(watch.areGivenUp(List.of("a"))).isFalse();
    time.set(190);
    assertThat(watch.areGivenUp(List.of("a"))).isTrue();
  }
}
