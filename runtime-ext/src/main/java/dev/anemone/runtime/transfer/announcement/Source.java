// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer.announcement;

import java.util.Objects;

/**
 * A producer task, as its consumer knows it.
 *
 * @param peer the producer's stage
 * @param index of the physical input that it feeds, from 0
 */
public record Source(String peer, int index) {

  public Source {
    Objects.requireNonNull(peer, "peer");
  }

  @Override
  public String toString() {
    return peer + " task " + index;
  }
}
