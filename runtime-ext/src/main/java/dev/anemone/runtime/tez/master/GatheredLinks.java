// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.master;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The links of a job whose consumer's vertex manager tells its tasks what the producers have
 * announced. Thread-safe.
 */
final class GatheredLinks {

  private final Set<Link> links = ConcurrentHashMap.newKeySet();

  private record Link(String producer, String consumer) {}

  /** From now on the consumer's tasks get of this link what their vertex manager sends. */
  void add(String producer, String consumer) {
    links.add(new Link(producer, consumer));
  }

  boolean contains(String producer, String consumer) {
    return links.contains(new Link(producer, consumer));
  }
}
