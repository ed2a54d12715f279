// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer.announcement;

import dev.anemone.runtime.store.BlockReader;
import java.io.IOException;

/** What came of fetching a block from its node. */
public sealed interface FetchOutcome {

  /**
   * It is here.
   *
   * @param block belongs to whoever takes the outcome
   */
  record Arrived(BlockReader block) implements FetchOutcome {}

  /** It cannot be had, now or at all, as the failure says. */
  record Failed(IOException failure) implements FetchOutcome {}

  /**
   * It was asked for together with another block whose node failed, and is to be asked for again.
   */
  record NotTried() implements FetchOutcome {}
}
