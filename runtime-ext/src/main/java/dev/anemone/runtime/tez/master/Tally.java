// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.master;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * How many there are of each. Not thread-safe.
 *
 * @param <K> what is counted
 */
final class Tally<K> {

  private final Map<K, Integer> counts = new HashMap<>();

  /** One more; true when it is the first. */
  boolean add(K key) {
    return counts.merge(key, 1, Integer::sum) == 1;
  }

  /** One less, of those that are there; true when it was the last. */
  boolean remove(K key) {
    return counts.computeIfPresent(key, (k, count) -> count == 1 ? null : count - 1) == null;
  }

  int count(K key) {
    return counts.getOrDefault(key, 0);
  }

  /** Those of which there are any. */
  Set<K> keys() {
    return counts.keySet();
  }
}
