// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer;

import dev.anemone.runtime.push.protocol.PushAddress;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Where the aggregation tasks of a task's outputs take what is pushed, as far as it is known yet.
 * Thread-safe.
 */
public final class PushTargets {

  /**
   * An aggregation task.
   *
   * @param stage its stage
   * @param task its index in it
   */
  private record Key(String stage, int task) {}

  /**
   * What was announced of it.
   *
   * @param attempt which attempt of the aggregation task announced it
   * @param address where it listens
   */
  private record Announced(int attempt, PushAddress address) {}

  private final Map<Key, Announced> addresses = new ConcurrentHashMap<>();

  /** The attempt of which a receiver is, by its id; what was pushed to one stays there. */
  private final Map<String, Integer> attempts = new ConcurrentHashMap<>();

  /** Notes an announcement; an older attempt's does not replace a newer one's. */
  public void announced(String stage, int task, int attempt, PushAddress address) {
    attempts.put(address.receiverId(), attempt);
    addresses.merge(
        new Key(stage, task),
        new Announced(attempt, address),
        (known, news) -> news.attempt() >= known.attempt() ? news : known);
  }

  /**
   * Of which attempt a receiver is.
   *
   * @throws IllegalArgumentException when it was never announced
   */
  int attemptOf(String receiverId) {
    Integer attempt = attempts.get(receiverId);
    if (attempt == null) {
      throw new IllegalArgumentException("nobody has announced the receiver " + receiverId);
    }
    return attempt;
  }

  /** The address of an aggregation task, if it has announced one. */
  Optional<PushAddress> addressOf(String stage, int task) {
    return Optional.ofNullable(addresses.get(new Key(stage, task))).map(Announced::address);
  }
}
