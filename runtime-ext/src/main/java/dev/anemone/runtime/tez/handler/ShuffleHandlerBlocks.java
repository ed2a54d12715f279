// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.handler;

import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockReader;
import dev.anemone.runtime.store.BlockStore;
import dev.anemone.runtime.store.BlockWriter;
import dev.anemone.runtime.store.ReadStatistics;
import dev.anemone.runtime.store.WriteOrder;
import dev.anemone.runtime.transfer.RemoteBlocks;
import dev.anemone.runtime.transfer.announcement.BlockLocation;
import dev.anemone.runtime.transfer.fetch.ConsumerFaultException;
import dev.anemone.runtime.transfer.fetch.FetchSettings;
import dev.anemone.runtime.transfer.fetch.HostFailureException;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import javax.crypto.SecretKey;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fetches blocks of an application's other nodes from the shuffle handlers of their node managers,
 * as Tez's and Hadoop MapReduce's own shuffles do: one request over HTTP for each partition, signed
 * with the application's job token.
 *
 * <p>What comes is copied to a local store, partition by partition and through a buffer of 128 KB,
 * and read there. The copy is deleted from the store as soon as its reader has it open, so that a
 * process that dies leaves nothing; the space is free when the reader is closed.
 *
 * <p>It is the node that fails, and not the block, when it cannot be reached, cuts the connection,
 * sends nothing for the read timeout, has too many connections (status 429), or is said by a
 * gateway to be away (502 to 504). All else is final: a handler says 500 when it does not find the
 * block or cannot read its index.
 *
 * <p>Connections that handlers keep alive are used again by later fetches of any thread.
 * Thread-safe.
 */
public final class ShuffleHandlerBlocks implements RemoteBlocks, Closeable {

  /** What needs no coding in a query, and is not a comma, with which the handler splits names. */
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]+");

  private static final Logger LOG = LoggerFactory.getLogger(ShuffleHandlerBlocks.class);

  private final ServedJob job;
  private final SecretKey key;
  private final BlockStore scratch;
  private final FetchSettings settings;
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
   * @param jobToken the application's, see {@link JobToken#keyOf}
   * @param scratch takes the copies, each below the path of its original
   * @throws IllegalArgumentException when the token is none
   */
  public ShuffleHandlerBlocks(
      ServedJob job, ByteBuffer jobToken, BlockStore scratch, FetchSettings settings) {
    this.job = job;
    this.key = JobToken.keyOf(jobToken);
    this.scratch = scratch;
    this.settings = settings;
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
    Fetch fetch = new Fetch(location, id, name, wanted, statistics);
    try {
      return new FetchedBlock(id, fetch.run());
    } catch (InterruptedIOException | ConsumerFaultException e) {
      throw e;
    } catch (IOException e) {
      throw fetch.failure(e);
    }
  }

  /** {@inheritDoc} Of a connection that is used no more the handler hears nothing. */
  @Override
  public boolean reaches(BlockLocation location) {
    try (HandlerConnection connection = HandlerConnection.open(location, settings)) {
      return connection.location().equals(location);
    } catch (IOException e) {
      LOG.info("{} cannot be reached either: {}", location, e.getMessage());
      return e instanceof TransientFailureException failure && failure.hasAnswered();
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

    IOException failure(IOException cause) {
      String message =
          (partition < 0 ? "block " : "partition " + partition + " of block ")
              + id
              + " cannot be fetched from "
              + location
              + ": "
              + cause.getMessage();
      if (ConsumerFaultException.isCauseOf(cause)) {
        return new ConsumerFaultException(message, cause);
      }
      if (cause instanceof TransientFailureException failure) {
        return new HostFailureException(message, failure.hasAnswered(), cause);
      }
      return cause instanceof SilentNodeException
          ? new HostFailureException(message, false, cause)
          : new IOException(message, cause);
    }
  }
}
