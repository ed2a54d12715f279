// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.stage;

import dev.anemone.ir.IREdge;
import java.util.Objects;

/**
 * An edge of the IR on its way between two stages.
 *
 * @param tag tells the records of this channel from those of others that share its link; equal on
 *     both sides, from 0 to {@link #MAX_TAG}. Edges of one link that enter the same input with
 *     grouped records have the same tag, so that they are grouped together.
 * @param edge the edge
 */
public record Channel(int tag, IREdge edge) {

  /** Tags are one unsigned byte of each record. */
  public static final int MAX_TAG = 255;

  public Channel {
    Objects.requireNonNull(edge, "edge");
    if (tag < 0 || tag > MAX_TAG) {
      throw new IllegalArgumentException(
          "edge "
              + edge.id()
              + " is one of more than "
              + (MAX_TAG + 1)
              + " edges between the same two stages; put a relay on some of them");
    }
  }
}
