// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer.fetch;

import dev.anemone.runtime.transfer.announcement.BlockLocation;
import dev.anemone.runtime.transfer.announcement.InputEvent;
import java.util.Optional;

/** A block that is to be fetched. Used by the task's thread. */
final class QueuedBlock {

  final InputEvent.Announced announced;

  /** Empty when it lies here, or nothing of it is wanted. */
  final Optional<BlockLocation> location;

  final long announcedNanos = System.nanoTime();
  boolean failed;
  long failedNanos;
  boolean reported;

  QueuedBlock(InputEvent.Announced announced, Optional<BlockLocation> location) {
    this.announced = announced;
    this.location = location;
  }
}
