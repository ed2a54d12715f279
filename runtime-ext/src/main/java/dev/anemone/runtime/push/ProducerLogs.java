// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push;

import dev.anemone.runtime.push.protocol.Refusal;
import dev.anemone.runtime.push.protocol.RefusedException;
import dev.anemone.runtime.shuffle.format.Producer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The logs of all producers, and which producers are done with. Thread-safe. */
final class ProducerLogs {

  private final PageReserve reserve;
  private final Map<Producer, ProducerLog> logs = new HashMap<>();
  private final Set<Producer> retired = new HashSet<>();
  private boolean closed;

  ProducerLogs(PageReserve reserve) {
    this.reserve = reserve;
  }

  /**
   * Makes the log of a producer. A producer connects once: what a second connection numbers could
   * not be told from what the first one did.
   *
   * @throws RefusedException when it cannot have one
   */
  synchronized ProducerLog admit(Producer producer) throws RefusedException {
    if (closed || retired.contains(producer)) {
      throw new RefusedException(Refusal.PRODUCER_STALE);
    }
    if (logs.containsKey(producer)) {
      throw new RefusedException(Refusal.CONNECTED_BEFORE);
    }
    ProducerLog log = new ProducerLog(reserve);
    logs.put(producer, log);
    return log;
  }

  /**
   * Hands out what producers have sent whose connections are open.
   *
   * @param whenFreed is run when batches are given back
   */
  synchronized Map<Producer, PushedBatches> spill(Runnable whenFreed) {
    Map<Producer, PushedBatches> spilled = new HashMap<>();
    logs.forEach(
        (producer, log) ->
            log.spill(whenFreed).ifPresent(batches -> spilled.put(producer, batches)));
    return spilled;
  }

  /**
   * Removes the log of a producer, which is not admitted any more.
   *
   * @return a log without batches when the producer never connected; empty when it was retired
   *     before
   */
  synchronized Optional<ProducerLog> retire(Producer producer) {
    if (closed || !retired.add(producer)) {
      return Optional.empty();
    }
    ProducerLog log = logs.remove(producer);
    return Optional.of(log == null ? new ProducerLog(reserve) : log);
  }

  /** Removes the logs of other attempts of a producer's task, which are not admitted any more. */
  synchronized List<ProducerLog> retireOthers(Producer succeeded) {
    List<Producer> others =
        logs.keySet().stream()
            .filter(other -> other.task() == succeeded.task() && !other.equals(succeeded))
            .toList();
    retired.addAll(others);
    return others.stream().map(logs::remove).toList();
  }

  /** Drops everything; nobody is admitted any more. */
  synchronized void close() {
    closed = true;
    logs.values().forEach(ProducerLog::close);
    logs.clear();
  }
}
