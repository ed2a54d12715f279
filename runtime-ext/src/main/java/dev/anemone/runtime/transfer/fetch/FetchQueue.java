// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer.fetch;

import dev.anemone.runtime.resource.CloseAll;
import dev.anemone.runtime.store.BlockReader;
import dev.anemone.runtime.transfer.announcement.BlockLocation;
import dev.anemone.runtime.transfer.announcement.FetchOutcome;
import dev.anemone.runtime.transfer.announcement.InputEvent;
import dev.anemone.runtime.transfer.announcement.Loss;
import dev.anemone.runtime.transfer.announcement.Source;
import dev.anemone.runtime.transfer.announcement.SourceFeed;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The order in which a task gets what its producers announce. Blocks of other nodes are fetched
 * ahead: several of one node together, from several nodes at once, and from no more than {@link
 * FetchSettings} says. They come as they arrive; what lies here comes before them. Blocks of nodes
 * that are in trouble wait behind all others, and are tried again one at a time; when a node is
 * given up, all its blocks are reported together. They stay in the queue, as whoever takes the
 * reports may want to hear more of them, and are reported again whenever another try has failed,
 * until they are withdrawn. What is withdrawn is not tried any more. Used by the task's thread.
 *
 * <p>Before it reports a block for the first time, it asks whether it is this node that is cut off
 * ({@link SelfDoubt}). Then the attempt fails, and nobody is blamed.
 */
public final class FetchQueue implements Closeable {

  private final SourceFeed feed;
  private final HostLedger hosts;
  private final SelfDoubt doubt;
  private final Function<InputEvent.Announced, Optional<BlockLocation>> where;
  private final BlockFetcher fetcher;
  private final FetchSettings settings;

  /** What is to be fetched or was, of each producer; all else in the queue is obsolete. */
  private final Map<Source, QueuedBlock> latest = new HashMap<>();

  private final Deque<QueuedBlock> here = new ArrayDeque<>();
  private final NodeBlocks elsewhere;
  private final IdentityHashMap<InputEvent.Announced, QueuedBlock> underWay =
      new IdentityHashMap<>();
  private final Deque<Ended> ended = new ArrayDeque<>();

  /** Whether a producer has announced a second block, or withdrawn its first. */
  private boolean anyAgain;

  /** The block that was handed out last. */
  private QueuedBlock current;

  /** What was fetched of it; empty when it lies here, or was taken. */
  private Optional<FetchOutcome> fetched = Optional.empty();

  private long arrivedBlocks;
  private long arrivedBytes;

  /** Bytes of the blocks that have arrived and were not handed out. */
  private long waitingBytes;

  /** A block of which the fetch has ended. */
  private record Ended(QueuedBlock block, FetchOutcome outcome) {

    long bytes() {
      return outcome instanceof FetchOutcome.Arrived arrived
          ? arrived.block().index().storedBytes()
          : 0;
    }
  }

  /**
   * An empty queue.
   *
   * @param feed brings the news, and what comes of fetches
   * @param hosts what is known of other nodes
   * @param reachable whether a node can be reached now
   * @param where from which node an announced block has to be fetched; empty when it lies here, or
   *     nothing of it is wanted
   * @param fetcher is closed with the queue
   * @param lastAttempt whether the job fails when this attempt does
   */
  public FetchQueue(
      SourceFeed feed,
      HostLedger hosts,
      Predicate<BlockLocation> reachable,
      Function<InputEvent.Announced, Optional<BlockLocation>> where,
      BlockFetcher fetcher,
      boolean lastAttempt) {
    this.feed = feed;
    this.hosts = hosts;
    this.doubt = new SelfDoubt(hosts, reachable, lastAttempt);
    this.where = where;
    this.fetcher = fetcher;
    this.settings = hosts.settings();
    this.elsewhere = new NodeBlocks(hosts, this::isObsolete);
  }

  /**
   * The next announcement whose block is here now, or cannot be had, or other news as soon as it
   * comes. What was fetched for the one before and nobody took is let go. Waits like {@link
   * SourceFeed#take}.
   */
  public InputEvent take() throws IOException, InterruptedException {
    letGo();
    Optional<InputEvent> other = Optional.empty();
    while (other.isEmpty()) {
      Optional<InputEvent> news = feed.poll();
      if (news.isEmpty()) {
        begin();
        if (next()) {
          return current.announced;
        }
        news = await();
      }
      if (news.isPresent()) {
        other = sorted(news.get());
      }
    }
    return other.get();
  }

  /** Puts an announcement into the queue, or what has come of a fetch; gives other news back. */
  private Optional<InputEvent> sorted(InputEvent news) {
    if (news instanceof InputEvent.Announced announced) {
      QueuedBlock block = new QueuedBlock(announced, where.apply(announced));
      anyAgain |= latest.put(announced.source(), block) != null;
      if (block.location.isPresent()) {
        elsewhere.add(block);
      } else {
        here.add(block);
      }
      return Optional.empty();
    }
    if (news instanceof InputEvent.Fetched of) {
      ended(underWay.remove(of.announced()), of.outcome());
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

  private void ended(QueuedBlock block, FetchOutcome outcome) {
    elsewhere.ended(block.location.orElseThrow());
    if (outcome instanceof FetchOutcome.NotTried) {
      elsewhere.putBack(block);
      return;
    }
    Ended of = new Ended(block, outcome);
    if (outcome instanceof FetchOutcome.Arrived) {
      arrivedBlocks++;
      arrivedBytes += of.bytes();
      waitingBytes += of.bytes();
    }
    ended.add(of);
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
  private boolean isObsolete(QueuedBlock block) {
    return latest.get(block.announced.source()) != block;
  }

  /** Begins fetches, unless enough has arrived that nobody has taken. */
  private void begin() {
    while (elsewhere.nodesUnderWay() < settings.nodesAtOnce()
        && ended.size() < settings.blocksAtOnce()
        && waitingBytes < settings.aheadBytes()) {
      Optional<NodeBlocks.Batch> batch = elsewhere.next(blocksAtOnce());
      if (batch.isEmpty()) {
        return;
      }
      batch.get().blocks().forEach(block -> underWay.put(block.announced, block));
      fetcher.begin(
          batch.get().location(),
          batch.get().blocks().stream().map(block -> block.announced).toList());
    }
  }

  /** So many that what comes fits into what may be fetched ahead, as far as can be told. */
  private int blocksAtOnce() {
    long average = arrivedBlocks == 0 ? 0 : arrivedBytes / arrivedBlocks;
    long fitting = settings.aheadBytes() / Math.max(1, average);
    return (int) Math.max(1, Math.min(settings.blocksAtOnce(), fitting));
  }

  /** Goes on to the next block that can be handed out; false when there is none. */
  private boolean next() throws IOException {
    for (QueuedBlock block = here.poll(); block != null; block = here.poll()) {
      if (!isObsolete(block)) {
        current = block;
        return true;
      }
    }
    for (Ended of = ended.poll(); of != null; of = ended.poll()) {
      waitingBytes -= of.bytes();
      current = of.block();
      fetched = Optional.of(of.outcome());
      if (!isObsolete(current)) {
        return true;
      }
      letGo();
    }
    return false;
  }

  /** Waits for news, or until a node may be tried again. */
  private Optional<InputEvent> await() throws InterruptedException {
    OptionalLong nanos = elsewhere.nanosToNext();
    return nanos.isEmpty() || elsewhere.nodesUnderWay() >= settings.nodesAtOnce()
        ? Optional.of(feed.take())
        : feed.poll(Duration.ofNanos(nanos.getAsLong()));
  }

  /**
   * What was fetched of the block that was taken last, which belongs to the caller; empty when the
   * block lies here.
   *
   * @throws IOException why it could not be fetched
   */
  public Optional<BlockReader> fetched() throws IOException {
    Optional<FetchOutcome> of = fetched;
    fetched = Optional.empty();
    if (of.isPresent() && of.get() instanceof FetchOutcome.Failed failed) {
      throw failed.failure();
    }
    return of.map(outcome -> ((FetchOutcome.Arrived) outcome).block());
  }

  private void letGo() throws IOException {
    Optional<FetchOutcome> of = fetched;
    fetched = Optional.empty();
    if (of.isPresent()) {
      letGo(of.get());
    }
  }

  private static void letGo(FetchOutcome outcome) throws IOException {
    if (outcome instanceof FetchOutcome.Arrived arrived) {
      arrived.block().close();
    }
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
    QueuedBlock block = current;
    BlockLocation location = block.location.orElseThrow();
    long now = System.nanoTime();
    Optional<HostLedger.Trouble> trouble = hosts.trouble(location);
    if (!block.failed) {
      block.failed = true;
      block.failedNanos = now;
    }
    elsewhere.add(block);
    List<QueuedBlock> lost = new ArrayList<>();
    if (trouble.isPresent() && trouble.get().givenUp()) {
      elsewhere.of(location).forEach(lost::add);
    } else if (now - block.failedNanos >= settings.patience().toNanos()) {
      lost.add(block);
    }
    boolean blamed = lost.stream().anyMatch(each -> !each.reported);
    if (blamed || (!block.reported && hosts.isAllSilent())) {
      doubt.check(
          trouble.map(HostLedger.Trouble::sinceNanos).orElse(block.failedNanos),
          block.announcedNanos,
          failure);
    }
    for (QueuedBlock each : lost) {
      each.reported = true;
      feed.lost(
          each.announced.source(),
          each.announced.version(),
          Loss.UNREACHABLE,
          failure.getMessage());
    }
  }

  /** Stops fetching, and lets go of all that has arrived and was not taken. */
  @Override
  public void close() throws IOException {
    List<Closeable> closing = new ArrayList<>();
    closing.add(fetcher);
    closing.add(this::letGo);
    closing.add(this::letGoOfArrived);
    CloseAll.of(closing);
  }

  private void letGoOfArrived() throws IOException {
    for (Optional<InputEvent> news = feed.poll(); news.isPresent(); news = feed.poll()) {
      if (news.get() instanceof InputEvent.Fetched) {
        sorted(news.get());
      }
    }
    List<Closeable> closing = new ArrayList<>();
    ended.forEach(of -> closing.add(() -> letGo(of.outcome())));
    ended.clear();
    CloseAll.of(closing);
  }
}
