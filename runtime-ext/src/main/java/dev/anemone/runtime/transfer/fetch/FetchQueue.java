// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer.fetch;

import dev.anemone.runtime.transfer.announcement.BlockLocation;
import dev.anemone.runtime.transfer.announcement.InputEvent;
import dev.anemone.runtime.transfer.announcement.Loss;
import dev.anemone.runtime.transfer.announcement.Source;
import dev.anemone.runtime.transfer.announcement.SourceFeed;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The order in which a task fetches what its producers announce. Blocks of nodes that are in
 * trouble wait behind all others, and are tried again one at a time; when a node is given up, all
 * its blocks are reported together. They stay in the queue, as whoever takes the reports may want
 * to hear more of them, and are reported again whenever another try has failed, until they are
 * withdrawn. What is withdrawn is not tried any more. Used by the task's thread.
 *
 * <p>Before it reports a block for the first time, it asks whether it is this node that is cut off
 * ({@link SelfDoubt}). Then the attempt fails, and nobody is blamed.
 */
public final class FetchQueue {

  private final SourceFeed feed;
  private final HostLedger hosts;
  private final SelfDoubt doubt;
  private final Function<InputEvent.Announced, Optional<BlockLocation>> where;

  /** What is to be fetched or was, of each producer; all else in the queue is obsolete. */
  private final Map<Source, Block> latest = new HashMap<>();

  private final Deque<Block> ready = new ArrayDeque<>();
  private final Map<BlockLocation, Waiting> waiting = new LinkedHashMap<>();

  /** Whether a producer has announced a second block, or withdrawn its first. */
  private boolean anyAgain;

  /** The block that was handed out last. */
  private Block current;

  /** A block that is to be fetched. */
  private static final class Block {

    final InputEvent.Announced announced;
    final Optional<BlockLocation> location;
    final long announcedNanos = System.nanoTime();
    boolean failed;
    long failedNanos;
    boolean reported;

    Block(InputEvent.Announced announced, Optional<BlockLocation> location) {
      this.announced = announced;
      this.location = location;
    }
  }

  /** Blocks of a node that is in trouble. */
  private static final class Waiting {

    final Deque<Block> blocks = new ArrayDeque<>();

    /** When the last one was announced. */
    long announcedNanos;

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
   * An empty queue.
   *
   * @param feed brings the news
   * @param hosts what is known of other nodes
   * @param reachable whether a node can be reached now
   * @param where from which node an announced block has to be fetched; empty when it lies here, or
   *     nothing of it is wanted
   * @param lastAttempt whether the job fails when this attempt does
   */
  public FetchQueue(
      SourceFeed feed,
      HostLedger hosts,
      Predicate<BlockLocation> reachable,
      Function<InputEvent.Announced, Optional<BlockLocation>> where,
      boolean lastAttempt) {
    this.feed = feed;
    this.hosts = hosts;
    this.doubt = new SelfDoubt(hosts, reachable, lastAttempt);
    this.where = where;
  }

  /**
   * The next announcement whose block is to be fetched now, or other news as soon as it comes.
   * Waits like {@link SourceFeed#take}.
   */
  public InputEvent take() throws InterruptedException {
    Optional<InputEvent> other = Optional.empty();
    while (other.isEmpty()) {
      Optional<InputEvent> news = feed.poll();
      if (news.isEmpty()) {
        Block next = next();
        if (next != null) {
          current = next;
          return next.announced;
        }
        news = await();
      }
      other = news.flatMap(this::sorted);
    }
    return other.get();
  }

  /** Puts an announcement into the queue; gives other news back. */
  private Optional<InputEvent> sorted(InputEvent news) {
    if (news instanceof InputEvent.Announced announced) {
      Block block = new Block(announced, where.apply(announced));
      anyAgain |= latest.put(announced.source(), block) != null;
      ready.add(block);
      return Optional.empty();
    }
    if (news instanceof InputEvent.Withdrawn withdrawn) {
      anyAgain = true;
      latest.computeIfPresent(
          withdrawn.source(),
          (source, block) -> block.announced.version() == withdrawn.version() ? null : block);
    }
    return Optional.of(news);
  }

  /**
   * What producers have announced last, where any of them has done so again: empty where what was
   * handed out is what there is. Other news is lost, so this is for a task that has read all.
   */
  public List<InputEvent.Announced> announcedAgain() {
    for (Optional<InputEvent> news = feed.poll(); news.isPresent(); news = feed.poll()) {
      sorted(news.get());
    }
    return anyAgain ? latest.values().stream().map(block -> block.announced).toList() : List.of();
  }

  /** Whether a block was withdrawn, or announced anew, since it came. */
  private boolean isObsolete(Block block) {
    return latest.get(block.announced.source()) != block;
  }

  private Block next() {
    while (true) {
      for (Block block = ready.poll(); block != null; block = ready.poll()) {
        if (isObsolete(block)) {
          continue;
        }
        if (block.location.flatMap(hosts::trouble).isEmpty()) {
          return block;
        }
        postpone(block);
      }
      waiting.values().forEach(of -> of.blocks.removeIf(this::isObsolete));
      waiting.values().removeIf(of -> of.blocks.isEmpty());
      if (!recovered()) {
        return due();
      }
    }
  }

  private void postpone(Block block) {
    Waiting of = waiting.computeIfAbsent(block.location.orElseThrow(), key -> new Waiting());
    if (of.blocks.isEmpty() || block.announcedNanos - of.announcedNanos > 0) {
      of.announcedNanos = block.announcedNanos;
    }
    of.blocks.add(block);
  }

  /** Takes back the blocks of nodes that are well again. */
  private boolean recovered() {
    boolean any = false;
    for (Iterator<Map.Entry<BlockLocation, Waiting>> each = waiting.entrySet().iterator();
        each.hasNext(); ) {
      Map.Entry<BlockLocation, Waiting> entry = each.next();
      if (hosts.trouble(entry.getKey()).isEmpty()) {
        ready.addAll(entry.getValue().blocks);
        each.remove();
        any = true;
      }
    }
    return any;
  }

  /** A block of the node that may be tried again for the longest time, or null. */
  private Block due() {
    long now = System.nanoTime();
    BlockLocation first = null;
    long most = -1;
    for (Map.Entry<BlockLocation, Waiting> entry : waiting.entrySet()) {
      long overdue = now - dueNanos(entry, now);
      if (overdue > most) {
        most = overdue;
        first = entry.getKey();
      }
    }
    if (first == null) {
      return null;
    }
    Waiting of = waiting.get(first);
    Block block = of.blocks.poll();
    if (of.blocks.isEmpty()) {
      waiting.remove(first);
    }
    return block;
  }

  private long dueNanos(Map.Entry<BlockLocation, Waiting> entry, long now) {
    return hosts.trouble(entry.getKey()).map(entry.getValue()::dueNanos).orElse(now);
  }

  /** Waits for news, or until a node may be tried again. */
  private Optional<InputEvent> await() throws InterruptedException {
    if (waiting.isEmpty()) {
      return Optional.of(feed.take());
    }
    long now = System.nanoTime();
    long wait = Long.MAX_VALUE;
    for (Map.Entry<BlockLocation, Waiting> entry : waiting.entrySet()) {
      wait = Math.min(wait, dueNanos(entry, now) - now);
    }
    return feed.poll(Duration.ofNanos(Math.max(wait, 0)));
  }

  /** A block is gone or damaged: reports it. Its producer will announce another one. */
  public void gone(InputEvent.Announced announced, String reason) {
    feed.lost(announced.source(), announced.version(), Loss.GONE, reason);
  }

  /**
   * The node of the block that was taken last has failed: the block comes again.
   *
   * @throws ConsumerFaultException when it is this node that is cut off
   */
  public void failed(HostFailureException failure) throws ConsumerFaultException {
    Block block = current;
    BlockLocation location = block.location.orElseThrow();
    long now = System.nanoTime();
    Optional<HostLedger.Trouble> trouble = hosts.trouble(location);
    if (!block.failed) {
      block.failed = true;
      block.failedNanos = now;
    }
    postpone(block);
    List<Block> lost = new ArrayList<>();
    if (trouble.isPresent() && trouble.get().givenUp()) {
      // Those that have not been looked at since the node got into trouble are among them.
      moveReady(location);
      waiting.get(location).blocks.stream().filter(each -> !isObsolete(each)).forEach(lost::add);
    } else if (now - block.failedNanos >= hosts.settings().patience().toNanos()) {
      lost.add(block);
    }
    boolean blamed = lost.stream().anyMatch(each -> !each.reported);
    if (blamed || (!block.reported && hosts.isAllSilent())) {
      doubt.check(
          trouble.map(HostLedger.Trouble::sinceNanos).orElse(block.failedNanos),
          block.announcedNanos,
          failure);
    }
    for (Block each : lost) {
      each.reported = true;
      feed.lost(
          each.announced.source(),
          each.announced.version(),
          Loss.UNREACHABLE,
          failure.getMessage());
    }
  }

  private void moveReady(BlockLocation location) {
    for (Iterator<Block> each = ready.iterator(); each.hasNext(); ) {
      Block block = each.next();
      if (block.location.equals(Optional.of(location))) {
        each.remove();
        postpone(block);
      }
    }
  }
}
