// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sideinput;

import dev.anemone.beam.spec.GroupingSpec;
import dev.anemone.runtime.record.ByteSink;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.transforms.windowing.PaneInfo;
import org.apache.beam.sdk.util.VarInt;
import org.apache.beam.sdk.values.WindowingStrategy;
import org.apache.beam.sdk.values.WindowingStrategy.AccumulationMode;

/**
 * Which firing of its trigger is the latest with elements in each window of a side input: what is
 * seen of it. Each key of a grouping fires for itself, so what is the latest is said by its panes:
 *
 * <ul>
 *   <li>Where panes accumulate, the last one of a key has all elements.
 *   <li>Where panes are discarded, the first one has: in a batch all elements are there before
 *       anything fires, and what fires later, as a window's end does, has none.
 * </ul>
 *
 * <p>Such panes of different keys stand beside each other, and before all others. Of others, which
 * only a user's function makes without one of these, those with the highest index are the latest.
 * An element that no trigger has fired is in a pane that is first and last.
 */
final class LatestPanes {

  private static final long LAST = Long.MAX_VALUE;

  private final Map<BoundedWindow, Long> latest = new HashMap<>();
  private final boolean discarding;
  private BoundedWindow lastWindow;
  private long lastRank;

  /** The panes of a view that nobody has seen yet. */
  LatestPanes(WindowingStrategy<?, ?> windowing) {
    this.discarding =
        windowing.getMode() == AccumulationMode.DISCARDING_FIRED_PANES
            && !GroupingSpec.firesOnce(windowing.getTrigger());
  }

  /**
   * Compares a pane of a window with the latest one that was seen of it, and remembers the later of
   * both.
   *
   * @return less than zero when it is earlier, zero when the pane is as late, more than zero when
   *     it is later, or the first
   */
  int see(BoundedWindow window, PaneInfo pane) {
    boolean whole = discarding ? pane.isFirst() : pane.isLast();
    long rank = whole ? LAST : pane.getIndex();
    if (!window.equals(lastWindow)) {
      Long seen = latest.get(window);
      lastWindow = window;
      lastRank = seen == null ? -1 : seen;
    }
    int order = Long.compare(rank, lastRank);
    if (order > 0) {
      latest.put(window, rank);
      lastRank = rank;
    }
    return order;
  }

  /** The encoding of a window, and behind it what tells its latest pane from others. */
  byte[] encoded(Coder<BoundedWindow> windowCoder, BoundedWindow window) throws IOException {
    ByteSink bytes = new ByteSink();
    windowCoder.encode(window, bytes);
    long rank = latest.getOrDefault(window, LAST);
    VarInt.encode(rank == LAST ? 0 : rank + 1, bytes);
    return Arrays.copyOf(bytes.array(), bytes.length());
  }

  /**
   * Forgets the windows that have a pane with all elements, for which there is nothing to remember.
   */
  void complete() {
    latest.values().removeIf(rank -> rank == LAST);
    lastWindow = null;
  }
}
