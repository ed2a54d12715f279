// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push;

import java.util.BitSet;
import java.util.List;
import java.util.Objects;

/**
 * Where the bytes of a {@link PushSender} are when it has finished: each of them either in a batch
 * that is named here, or in its block; in both, where the block is complete.
 *
 * @param pushed what was acknowledged, for each target that acknowledged anything
 * @param blockWritten whether there is a block, which the caller has to commit
 * @param complete whether that block has everything, also what was pushed; then a target that is
 *     named here has all of its part
 * @param pushedBytes bytes in the batches that were acknowledged
 * @param transportBytes those of them that went by a transport of one-sided operations
 * @param fallenBackBytes bytes that are in the block only
 */
public record PushOutcome(
    List<Pushed> pushed,
    boolean blockWritten,
    boolean complete,
    long pushedBytes,
    long transportBytes,
    long fallenBackBytes) {

  /**
   * Batches that a target has acknowledged.
   *
   * @param target index of the target
   * @param receiverId the receiver that has them; another one of the target does not
   * @param batches their numbers, at least one; must not be modified
   */
  public record Pushed(int target, String receiverId, BitSet batches) {

    public Pushed {
      Objects.requireNonNull(receiverId, "receiverId");
      Objects.requireNonNull(batches, "batches");
    }
  }

  public PushOutcome {
    pushed = List.copyOf(pushed);
  }
}
