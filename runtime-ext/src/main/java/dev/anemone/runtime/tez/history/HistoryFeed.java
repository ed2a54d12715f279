// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.history;

/**
 * Brings the events of a job's attempts from its application master to whoever has asked for them.
 * Not thread-safe.
 */
public interface HistoryFeed extends AutoCloseable {

  /** Hands over what has come until now. When the job has ended, that is all there is. */
  void poll();

  /** No more events are wanted. */
  @Override
  void close();
}
