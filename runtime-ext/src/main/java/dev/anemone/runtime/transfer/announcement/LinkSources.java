// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer.announcement;

import dev.anemone.runtime.store.BlockId;
import java.util.Objects;

/**
 * The producers of one input link.
 *
 * @param count how many producer tasks feed this task
 * @param feed brings their news
 * @param spills names what a reader spills; no other attempt has the same
 */
public record LinkSources(int count, SourceFeed feed, BlockId spills) {

  public LinkSources {
    Objects.requireNonNull(feed, "feed");
    Objects.requireNonNull(spills, "spills");
  }
}
