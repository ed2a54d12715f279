// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer;

import dev.anemone.runtime.resource.CloseAll;
import dev.anemone.runtime.store.BlockReader;
import dev.anemone.runtime.transfer.DataPlane.Cluster;
import dev.anemone.runtime.transfer.RemoteBlocks.Arrivals;
import dev.anemone.runtime.transfer.RemoteBlocks.Wanted;
import dev.anemone.runtime.transfer.announcement.BlockLocation;
import dev.anemone.runtime.transfer.announcement.FetchOutcome;
import dev.anemone.runtime.transfer.announcement.InputEvent;
import dev.anemone.runtime.transfer.announcement.SourceFeed;
import dev.anemone.runtime.transfer.fetch.BlockFetcher;
import dev.anemone.runtime.transfer.fetch.ConsumerFaultException;
import dev.anemone.runtime.transfer.fetch.HostFailureException;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fetches blocks of other nodes by the threads that this node has for that, and remembers how it
 * went with each node.
 */
final class BackgroundFetch implements BlockFetcher {

  private static final Logger LOG = LoggerFactory.getLogger(BackgroundFetch.class);

  private final Cluster cluster;
  private final SourceFeed feed;
  private final Function<InputEvent.Announced, BitSet> wanted;

  /** Guarded by this, as whether it is closed. */
  private final Set<Batch> underWay = new HashSet<>();

  private boolean closed;

  /**
   * Nothing fetched yet.
   *
   * @param feed takes what comes
   * @param wanted the partitions of an announced block that are to be fetched
   */
  BackgroundFetch(Cluster cluster, SourceFeed feed, Function<InputEvent.Announced, BitSet> wanted) {
    this.cluster = cluster;
    this.feed = feed;
    this.wanted = wanted;
  }

  @Override
  public void begin(BlockLocation location, List<InputEvent.Announced> blocks) {
    Batch batch = new Batch(location, blocks, blocks.stream().map(this::wanted).toList());
    synchronized (this) {
      underWay.add(batch);
    }
    cluster.threads().execute(batch);
  }

  private Wanted wanted(InputEvent.Announced announced) {
    return new Wanted(announced.announcement().block().orElseThrow(), wanted.apply(announced));
  }

  private void deliver(InputEvent.Announced announced, FetchOutcome outcome) {
    synchronized (this) {
      if (!closed) {
        feed.add(new InputEvent.Fetched(announced, outcome));
        return;
      }
    }
    if (outcome instanceof FetchOutcome.Arrived arrived) {
      try (BlockReader unwanted = arrived.block()) {
        LOG.debug("{} came when nobody wanted it any more", unwanted.id());
      } catch (IOException e) {
        LOG.warn("a copy of {} cannot be let go", announced.source(), e);
      }
    }
  }

  private synchronized void ended(Batch batch) {
    underWay.remove(batch);
  }

  /** Interrupts what is under way, and waits for it as long as a connection may take. */
  @Override
  public void close() throws IOException {
    List<Closeable> closing = new ArrayList<>();
    synchronized (this) {
      closed = true;
      underWay.forEach(Batch::cancel);
      underWay.forEach(batch -> closing.add(batch::await));
    }
    CloseAll.of(closing);
  }

  /** Blocks of one node, each of which has one outcome. */
  private final class Batch implements Runnable, Arrivals {

    private final BlockLocation location;
    private final List<InputEvent.Announced> blocks;
    private final List<Wanted> parts;
    private final BitSet left = new BitSet();
    private final CountDownLatch ended = new CountDownLatch(1);

    /** Guarded by this, as whether it was cancelled. */
    private Thread runner;

    private boolean cancelled;
    private long beganNanos;

    Batch(BlockLocation location, List<InputEvent.Announced> blocks, List<Wanted> parts) {
      this.location = location;
      this.blocks = blocks;
      this.parts = parts;
      left.set(0, blocks.size());
    }

    @Override
    public void run() {
      try {
        if (starts(Thread.currentThread())) {
          fetch();
        }
      } finally {
        stops();
        BackgroundFetch.this.ended(this);
        ended.countDown();
      }
    }

    private void fetch() {
      beganNanos = System.nanoTime();
      try {
        cluster.remote().fetchAll(location, parts, this);
      } catch (RuntimeException | Error e) {
        // Else the task would wait for ever; no producer is to blame.
        IOException failure =
            new ConsumerFaultException(
                "fetching from " + location + " has failed: " + e, new IOException(e));
        left.stream().forEach(number -> outcome(number, new FetchOutcome.Failed(failure)));
        left.clear();
      }
    }

    private synchronized boolean starts(Thread thread) {
      runner = thread;
      return !cancelled;
    }

    private synchronized void stops() {
      runner = null;
      // It may have been meant for this batch; the thread goes on with others.
      Thread.interrupted();
    }

    synchronized void cancel() {
      cancelled = true;
      if (runner != null) {
        runner.interrupt();
      } else {
        ended.countDown();
      }
    }

    void await() {
      try {
        if (!ended.await(cluster.hosts().connectTimeout().toMillis(), TimeUnit.MILLISECONDS)) {
          LOG.warn("A fetch from {} goes on, though its task has ended", location);
        }
      } catch (InterruptedException e) {
        // The task is to end now; what was interrupted ends by itself.
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public void arrived(int number, BlockReader block) {
      cluster.hosts().answered(location);
      beganNanos = System.nanoTime();
      end(number, new FetchOutcome.Arrived(block));
    }

    @Override
    public void failed(int number, IOException failure) {
      if (failure instanceof HostFailureException ofHost) {
        cluster.hosts().failed(location, beganNanos, ofHost.answered());
      } else if (OneByOne.concernsOneBlock(failure)) {
        cluster.hosts().answered(location);
        beganNanos = System.nanoTime();
      }
      end(number, new FetchOutcome.Failed(failure));
    }

    @Override
    public void notTried(int number) {
      end(number, new FetchOutcome.NotTried());
    }

    private void end(int number, FetchOutcome outcome) {
      if (!left.get(number)) {
        throw new IllegalStateException(
            "block " + parts.get(number).id() + " has another outcome already, not " + outcome);
      }
      left.clear(number);
      outcome(number, outcome);
    }

    private void outcome(int number, FetchOutcome outcome) {
      deliver(blocks.get(number), outcome);
    }
  }
}
