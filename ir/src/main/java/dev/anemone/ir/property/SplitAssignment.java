// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.property;

import java.util.List;

/**
 * Which parts of a source each task reads. Every part belongs to exactly one task; a task may read
 * none, so that a small source can run in one stage with a large one.
 *
 * @param perTask for each task, the indices of its parts in {@link
 *     dev.anemone.ir.SourceVertex#parts()}, in reading order
 */
public record SplitAssignment(List<List<Integer>> perTask) implements VertexProperty {

  public SplitAssignment {
    perTask = perTask.stream().map(List::copyOf).toList();
  }
}
