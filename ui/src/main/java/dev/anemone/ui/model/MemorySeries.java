// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ui.model;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import dev.anemone.runtime.event.JobProgress.MemoryUse;
import java.util.ArrayList;
import java.util.List;

/** What an executor had in use, over time. Keeps so many points, and when there are more, half. */
public final class MemorySeries {

  private final int most;
  private final List<Point> points = new ArrayList<>();

  MemorySeries(int most) {
    this.most = most;
  }

  void add(long time, MemoryUse use) {
    points.add(new Point(time, use.heapUsed(), use.offHeapUsed(), use.nativeUsed()));
    if (points.size() > most) {
      for (int i = points.size() - 2; i > 0; i -= 2) {
        points.remove(i);
      }
    }
  }

  List<Point> points() {
    return List.copyOf(points);
  }

  /**
   * Bytes in use at a time, in milliseconds since 1970. In JSON an array, in this order.
   *
   * @param heap of the heap
   * @param offHeap of the pages for the data between stages
   * @param nativeBytes besides
   */
  @JsonFormat(shape = JsonFormat.Shape.ARRAY)
  @JsonPropertyOrder({"time", "heap", "offHeap", "nativeBytes"})
  public record Point(long time, long heap, long offHeap, long nativeBytes) {}
}
