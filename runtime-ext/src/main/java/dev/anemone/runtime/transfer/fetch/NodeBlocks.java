// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer.fetch;

import dev.anemone.runtime.transfer.announcement.BlockLocation;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The blocks that a task wants from other nodes, by node, and from which of them some are under
 * way. Nodes take turns. One that is in trouble is tried when all others are under way or have
 * nothing, one block at a time, and one node at a time. Used by the task's thread.
 */
final class NodeBlocks {

  private final HostLedger hosts;
  private final Predicate<QueuedBlock> obsolete;

  /** Those whose turn is next come first. */
  private final Map<BlockLocation, Waiting> waiting = new LinkedHashMap<>();

  /** How many blocks of a node are under way. */
  private final Map<BlockLocation, Integer> underWay = new LinkedHashMap<>();

  private Optional<BlockLocation> retried = Optional.empty();

  /** Blocks of a node. */
  private static final class Waiting {

    final Deque<QueuedBlock> blocks = new ArrayDeque<>();

    /** When the last one was announced. */
    long announcedNanos;

    void add(QueuedBlock block) {
      if (blocks.isEmpty() || block.announcedNanos - announcedNanos > 0) {
        announcedNanos = block.announcedNanos;
      }
      blocks.add(block);
    }

    /**
     * When one may be tried. A node that was given up is tried for what it has announced since: it
     * has been well meanwhile.
     */
    long dueNanos(HostLedger.Trouble trouble) {
      return trouble.givenUp() && announcedNanos - trouble.lastNanos() > 0
          ? announcedNanos
          : trouble.retryNanos();
    }
  }

  /**
   * Blocks to ask a node for.
   *
   * @param blocks at least one
   */
  record Batch(BlockLocation location, List<QueuedBlock> blocks) {}

  /**
   * No blocks yet.
   *
   * @param hosts what is known of other nodes
   * @param obsolete tells the blocks that are not wanted any more
   */
  NodeBlocks(HostLedger hosts, Predicate<QueuedBlock> obsolete) {
    this.hosts = hosts;
    this.obsolete = obsolete;
  }

  /** Takes a block that lies on another node, behind those that it has there. */
  void add(QueuedBlock block) {
    waiting.computeIfAbsent(block.location.orElseThrow(), key -> new Waiting()).add(block);
  }

  /** Takes a block back that was not tried, before all others of its node. */
  void putBack(QueuedBlock block) {
    Waiting of = waiting.computeIfAbsent(block.location.orElseThrow(), key -> new Waiting());
    if (of.blocks.isEmpty()) {
      of.announcedNanos = block.announcedNanos;
    }
    of.blocks.addFirst(block);
  }

  /** How many nodes blocks are under way from. */
  int nodesUnderWay() {
    return underWay.size();
  }

  /** A block is under way no more. */
  void ended(BlockLocation location) {
    if (underWay.merge(location, -1, Integer::sum) == 0) {
      underWay.remove(location);
      retried = retried.filter(node -> !node.equals(location));
    }
  }

  /** What to ask a node for now, at most so many blocks; empty when nobody may be asked. */
  Optional<Batch> next(int most) {
    for (BlockLocation node : List.copyOf(waiting.keySet())) {
      if (!underWay.containsKey(node) && hosts.trouble(node).isEmpty()) {
        Optional<Batch> batch = batch(node, most);
        if (batch.isPresent()) {
          return batch;
        }
      }
    }
    for (Optional<BlockLocation> due = due(); due.isPresent(); due = due()) {
      Optional<Batch> batch = batch(due.get(), 1);
      if (batch.isPresent()) {
        retried = due;
        return batch;
      }
    }
    return Optional.empty();
  }

  /** Takes blocks of a node, whose turn comes behind all others' then. */
  private Optional<Batch> batch(BlockLocation node, int most) {
    Waiting of = waiting.remove(node);
    List<QueuedBlock> blocks = new ArrayList<>();
    while (blocks.size() < most && !of.blocks.isEmpty()) {
      QueuedBlock block = of.blocks.poll();
      if (!obsolete.test(block)) {
        blocks.add(block);
      }
    }
    if (!of.blocks.isEmpty()) {
      waiting.put(node, of);
    }
    if (blocks.isEmpty()) {
      return Optional.empty();
    }
    underWay.put(node, blocks.size());
    return Optional.of(new Batch(node, blocks));
  }

  /** The node in trouble that may be tried again for the longest time. */
  private Optional<BlockLocation> due() {
    if (retried.isPresent()) {
      return Optional.empty();
    }
    long now = System.nanoTime();
    Optional<BlockLocation> first = Optional.empty();
    long most = -1;
    for (Map.Entry<BlockLocation, Waiting> entry : waiting.entrySet()) {
      long overdue = now - dueNanos(entry, now);
      if (overdue > most && !underWay.containsKey(entry.getKey())) {
        most = overdue;
        first = Optional.of(entry.getKey());
      }
    }
    return first;
  }

  private long dueNanos(Map.Entry<BlockLocation, Waiting> entry, long now) {
    return hosts.trouble(entry.getKey()).map(entry.getValue()::dueNanos).orElse(now);
  }

  /**
   * In how many nanoseconds a node may be tried of which nothing is under way; empty when there is
   * none, or another one is being tried.
   */
  OptionalLong nanosToNext() {
    if (retried.isPresent()) {
      return OptionalLong.empty();
    }
    long now = System.nanoTime();
    return waiting.entrySet().stream()
        .filter(entry -> !underWay.containsKey(entry.getKey()))
        .mapToLong(entry -> Math.max(0, dueNanos(entry, now) - now))
        .min();
  }

  /** The blocks of a node that are wanted still and are not under way. */
  Stream<QueuedBlock> of(BlockLocation location) {
    return Stream.ofNullable(waiting.get(location))
        .flatMap(of -> of.blocks.stream())
        .filter(obsolete.negate());
  }
}
