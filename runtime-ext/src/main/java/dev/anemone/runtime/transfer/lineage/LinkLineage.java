// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer.lineage;

import dev.anemone.runtime.transfer.announcement.InputEvent;
import java.util.BitSet;
import java.util.Collection;
import java.util.OptionalLong;

/**
 * Which version of the output of each producer task a task has read, over one link. Not
 * thread-safe.
 */
public final class LinkLineage {

  private final BitSet taken = new BitSet();
  private final long[] digests;

  /**
   * A link of which nothing was read yet.
   *
   * @param sources how many producer tasks there are
   */
  public LinkLineage(int sources) {
    this.digests = new long[sources];
  }

  /** What a producer has announced was read, or has nothing for this task. */
  public void took(InputEvent.Announced announced) {
    taken.set(announced.source().index());
    digests[announced.source().index()] = announced.announcement().digest();
  }

  /** What was read of a producer does not count. */
  public void dropped(int source) {
    taken.clear(source);
  }

  /**
   * Whether one of these announcements is of something else than what was read of that producer.
   */
  public boolean isOutdatedBy(Collection<InputEvent.Announced> announcements) {
    return announcements.stream()
        .anyMatch(
            announced ->
                taken.get(announced.source().index())
                    && digests[announced.source().index()] != announced.announcement().digest());
  }

  /**
   * A digest of all versions; empty unless all producers were read, as those of tasks that read
   * only some could not be compared.
   */
  public OptionalLong digest() {
    if (taken.cardinality() < digests.length) {
      return OptionalLong.empty();
    }
    long sum = 0;
    for (int source = 0; source < digests.length; source++) {
      sum += mixed(digests[source] + mixed(source));
    }
    return OptionalLong.of(sum);
  }

  /** A bijection after which numbers that differ in one bit differ in half of them (SplitMix64). */
  private static long mixed(long number) {
    long z = number + 0x9e3779b97f4a7c15L;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }
}
