// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.spec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.beam.spec.GroupingSpec.Mode;
import org.apache.beam.sdk.coders.VarIntCoder;
import org.apache.beam.sdk.coders.VoidCoder;
import org.apache.beam.sdk.transforms.windowing.AfterPane;
import org.apache.beam.sdk.transforms.windowing.AfterWatermark;
import org.apache.beam.sdk.transforms.windowing.FixedWindows;
import org.apache.beam.sdk.transforms.windowing.GlobalWindows;
import org.apache.beam.sdk.transforms.windowing.Repeatedly;
import org.apache.beam.sdk.transforms.windowing.Sessions;
import org.apache.beam.sdk.transforms.windowing.SlidingWindows;
import org.apache.beam.sdk.transforms.windowing.TimestampCombiner;
import org.apache.beam.sdk.values.WindowingStrategy;
import org.joda.time.Duration;
import org.junit.jupiter.api.Test;

class GroupingSpecTest {

  private static final Duration MINUTE = Duration.standardMinutes(1);

  @Test
  void globalWindowNeedsKeysOnly() {
    assertThat(GroupingSpec.of(WindowingStrategy.globalDefault()))
        .isEqualTo(new GroupingSpec(Mode.GLOBAL, false));
  }

  @Test
  void fixedAndSlidingWindowsGoIntoTheKey() {
    assertThat(GroupingSpec.of(WindowingStrategy.of(FixedWindows.of(MINUTE))))
        .isEqualTo(new GroupingSpec(Mode.WINDOW_IN_KEY, false));
    assertThat(GroupingSpec.of(WindowingStrategy.of(SlidingWindows.of(MINUTE))))
        .isEqualTo(new GroupingSpec(Mode.WINDOW_IN_KEY, false));
  }

  @Test
  void timestampsAreKeptWhereTheCombinerLooksAtThem() {
    assertThat(
            GroupingSpec.of(
                WindowingStrategy.of(new GlobalWindows())
                    .withTimestampCombiner(TimestampCombiner.LATEST)))
        .isEqualTo(new GroupingSpec(Mode.GLOBAL, true));
  }

  @Test
  void keysOfNoBytesAreOneKeyUnlessWindowsAreBesideThem() {
    GroupingSpec global = GroupingSpec.of(WindowingStrategy.globalDefault());
    assertThat(global.hasOneKey(VoidCoder.of())).isTrue();
    assertThat(global.hasOneKey(VarIntCoder.of())).isFalse();
    assertThat(GroupingSpec.ofWholeKeys().hasOneKey(VoidCoder.of())).isTrue();
    assertThat(
            GroupingSpec.of(WindowingStrategy.of(FixedWindows.of(MINUTE)))
                .hasOneKey(VoidCoder.of()))
        .isFalse();
  }

  @Test
  void sessionsMerge() {
    assertThat(GroupingSpec.of(WindowingStrategy.of(Sessions.withGapDuration(MINUTE))).mode())
        .isEqualTo(Mode.MERGING);
  }

  @Test
  void sessionsThatWereMergedBeforeGoIntoTheKey() {
    assertThat(
            GroupingSpec.of(
                    WindowingStrategy.of(Sessions.withGapDuration(MINUTE)).withAlreadyMerged(true))
                .mode())
        .isEqualTo(Mode.WINDOW_IN_KEY);
  }

  @Test
  void triggerThatMayFireMoreThanOnceNeedsEverything() {
    assertThat(
            GroupingSpec.of(
                    WindowingStrategy.of(FixedWindows.of(MINUTE))
                        .withTrigger(Repeatedly.forever(AfterPane.elementCountAtLeast(2))))
                .mode())
        .isEqualTo(Mode.MERGING);
  }

  @Test
  void triggerAtTheEndOfTheWindowFiresOnce() {
    assertThat(
            GroupingSpec.of(
                    WindowingStrategy.of(FixedWindows.of(MINUTE))
                        .withTrigger(AfterWatermark.pastEndOfWindow()))
                .mode())
        .isEqualTo(Mode.WINDOW_IN_KEY);
  }
}
