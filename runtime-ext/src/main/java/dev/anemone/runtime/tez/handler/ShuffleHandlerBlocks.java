// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.handler;

import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockReader;
import dev.anemone.runtime.store.BlockStore;
import dev.anemone.runtime.store.BlockWriter;
import dev.anemone.runtime.store.ReadStatistics;
import dev.anemone.runtime.store.WriteOrder;
import dev.anemone.runtime.transfer.LocalCopyException;
import dev.anemone.runtime.transfer.RemoteBlocks;
import dev.anemone.runtime.transfer.announcement.BlockLocation;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import javax.crypto.SecretKey;
import org.apache.tez.runtime.library.common.shuffle.ShuffleUtils;

/**
 * Fetches blocks of an application's other nodes from the shuffle handlers of their node managers,
 * as Tez's and Hadoop MapReduce's own shuffles do: one request over HTTP for each partition, signed
 * with the application's job token.
 *
 * <p>What comes is copied to a local store, partition by partition and through a buffer of 128 KB,
 * and read there. The copy is deleted from the store as soon as its reader has it open, so that a
 * process that dies leaves nothing; the space is free when the reader is closed.
 *
 * <p>A fetch begins again, after a wait, when its node cannot be reached, cuts the connection, has
 * too many connections (status 429), or is said by a gateway to be away (502 to 504). All else is
 * final: a handler says 500 when it does not find the block or cannot read its index, and a node
 * that sends nothing for the read timeout has had its time.
 *
 * <p>Connections that handlers keep alive are used again by later fetches of any thread.
 * Thread-safe.
 */
public final class ShuffleHandlerBlocks implements RemoteBlocks, Closeable {

  /** What needs no coding in a query, and is not a comma, with which the handler splits names. */
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]+");

  private final ServedJob job;
  private final SecretKey key;
  private final BlockStore scratch;
  private final HandlerSettings settings;
  private final IdleConnections idle = new IdleConnections();
  private final String copies = "fetched-" + UUID.randomUUID() + "-";
  private final AtomicLong copyNumber = new AtomicLong();

  /**
   * Tells the partitions of other nodes apart in statistics: a request for any of them is a seek.
   */
  private record RemotePartition(BlockLocation location, BlockId id, int partition) {}

  /**
   * Blocks of an application.
   *
   * @param job whose blocks they are
   * @param jobToken the application's job token as a {@code Token} writes itself, which is how Tez
   *     hands it to tasks as the handler's consumer metadata; the buffer's position does not change
   * @param scratch takes the copies, each below the path of its original
   * @throws IllegalArgumentException when the token is none
   */
  public ShuffleHandlerBlocks(
      ServedJob job, ByteBuffer jobToken, BlockStore scratch, HandlerSettings settings) {
    this.job = job;
    this.key = keyOf(jobToken.duplicate());
    this.scratch = scratch;
    this.settings = settings;
  }

  private static SecretKey keyOf(ByteBuffer jobToken) {
    int length = jobToken.remaining();
    try {
      return ShuffleUtils.getJobTokenSecretFromTokenBytes(jobToken);
    } catch (IOException e) {
      throw new IllegalArgumentException("these " + length + " bytes are no job token", e);
    }
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException when nothing is wanted, or the last component of the block's
   *     path has other characters than letters, digits, dots, hyphens and underscores
   */
  @Override
  public BlockReader fetch(
      BlockLocation location, BlockId id, BitSet wanted, ReadStatistics statistics)
      throws IOException {
    String name = id.path().substring(id.path().lastIndexOf('/') + 1);
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "a shuffle handler cannot be asked for "
              + name
              + ": it takes letters, digits, dots, hyphens and underscores");
    }
    if (wanted.isEmpty()) {
      throw new IllegalArgumentException("no partition of block " + id + " is wanted");
    }
    for (int attempt = 1; ; attempt++) {
      Fetch fetch = new Fetch(location, id, name, wanted, statistics);
      try {
        return new FetchedBlock(id, fetch.run());
      } catch (TransientFailureException e) {
        if (attempt == settings.tries()) {
          throw fetch.failure(" (try " + attempt + " of " + attempt + ")", e);
        }
        pause(attempt);
      } catch (InterruptedIOException | LocalCopyException e) {
        throw e;
      } catch (IOException e) {
        throw fetch.failure("", e);
      }
    }
  }

  private void pause(int attempt) throws InterruptedIOException {
    try {
      Thread.sleep(settings.waitAfter(attempt).toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      InterruptedIOException interrupted =
          new InterruptedIOException("the thread was interrupted while it waited for a node");
      interrupted.initCause(e);
      throw interrupted;
    }
  }

  /** Closes the connections that are idle now, and others when their fetch has ended. */
  @Override
  public void close() throws IOException {
    idle.close();
  }

  /** One try of fetching a block. */
  private final class Fetch {

    private final BlockLocation location;
    private final BlockId id;
    private final String name;
    private final BitSet wanted;
    private final ReadStatistics statistics;
    private int partition = -1;

    Fetch(
        BlockLocation location, BlockId id, String name, BitSet wanted, ReadStatistics statistics) {
      this.location = location;
      this.id = id;
      this.name = name;
      this.wanted = wanted;
      this.statistics = statistics;
    }

    BlockReader run() throws IOException {
      BlockId copy = new BlockId(id.path() + "/" + copies + copyNumber.getAndIncrement());
      try (BlockWriter writer = newCopy(copy);
          PartitionRequests requests = new PartitionRequests(location, job, key, settings, idle)) {
        partition = wanted.nextSetBit(0);
        while (partition >= 0) {
          long length = requests.fetch(name, partition, writer);
          statistics.count(new RemotePartition(location, id, partition), 0, length);
          partition = wanted.nextSetBit(partition + 1);
        }
        writer.commit();
      }
      return openAndDelete(copy);
    }

    private BlockWriter newCopy(BlockId copy) throws IOException {
      try {
        return new LocalCopy(id, scratch.create(copy, wanted.length(), WriteOrder.BY_PARTITION));
      } catch (IOException e) {
        throw LocalCopy.failure(id, e);
      }
    }

    private BlockReader openAndDelete(BlockId copy) throws IOException {
      try {
        BlockReader reader = scratch.open(copy, new ReadStatistics());
        try {
          scratch.delete(copy);
          return reader;
        } catch (IOException e) {
          try (reader) {
            throw e;
          }
        }
      } catch (IOException e) {
        throw LocalCopy.failure(id, e);
      }
    }

    IOException failure(String tries, IOException cause) {
      return new IOException(
          (partition < 0 ? "block " : "partition " + partition + " of block ")
              + id
              + " cannot be fetched from "
              + location
              + tries
              + ": "
              + cause.getMessage(),
          cause);
    }
  }
}
