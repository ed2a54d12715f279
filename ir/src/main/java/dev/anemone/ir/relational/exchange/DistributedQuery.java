// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational.exchange;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A query as fragments.
 *
 * @param fragments each after those whose rows it reads; the rows of those without an exchange are
 *     together the result
 */
public record DistributedQuery(List<Fragment> fragments) {

  public DistributedQuery {
    fragments = List.copyOf(fragments);
  }

  /** The fragments for people, a line each. */
  public String text() {
    return fragments.stream().map(Fragment::text).collect(Collectors.joining("\n"));
  }
}
