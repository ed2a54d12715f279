// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.handler;

import dev.anemone.runtime.resource.CloseAll;
import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockReader;
import dev.anemone.runtime.store.BlockWriter;
import dev.anemone.runtime.store.ReadStatistics;
import dev.anemone.runtime.transfer.OneByOne;
import dev.anemone.runtime.transfer.RemoteBlocks;
import dev.anemone.runtime.transfer.announcement.BlockLocation;
import dev.anemone.runtime.transfer.fetch.BlockCopies;
import dev.anemone.runtime.transfer.fetch.ConsumerFaultException;
import dev.anemone.runtime.transfer.fetch.CopiedBlock;
import dev.anemone.runtime.transfer.fetch.FetchSettings;
import dev.anemone.runtime.transfer.fetch.FetchWay;
import dev.anemone.runtime.transfer.fetch.HostFailureException;
import dev.anemone.runtime.transfer.fetch.RemotePartition;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import javax.crypto.SecretKey;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fetches blocks of an application's other nodes from the shuffle handlers of their node managers,
 * as Tez's and Hadoop MapReduce's own shuffles do: one request over HTTP for a partition of several
 * blocks, signed with the application's job token.
 *
 * <p>What comes is copied to a local store, partition by partition and through a direct buffer of
 * 128 KB, and read there.
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

  /** A handler takes no line that is longer than 4 KB; it is no option there either. */
  private static final int MOST_NAME_BYTES = 3 << 10;

  /** What needs no coding in a query, and is not a comma, with which the handler splits names. */
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]+");

  private static final Logger LOG = LoggerFactory.getLogger(ShuffleHandlerBlocks.class);

  private final ServedJob job;
  private final SecretKey key;
  private final BlockCopies copies;
  private final FetchSettings settings;
  private final IdleConnections idle = new IdleConnections();
  private final ReadBuffers buffers = new ReadBuffers();

  /**
   * Blocks of an application.
   *
   * @param job whose blocks they are
   * @param jobToken the application's, see {@link JobToken#keyOf}
   * @param copies takes what comes
   * @throws IllegalArgumentException when the token is none
   */
  public ShuffleHandlerBlocks(
      ServedJob job, ByteBuffer jobToken, BlockCopies copies, FetchSettings settings) {
    this.job = job;
    this.key = JobToken.keyOf(jobToken);
    this.copies = copies;
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
    List<BlockReader> fetched = new ArrayList<>(1);
    try (Fetch fetch =
        new Fetch(
            location,
            List.of(new Wanted(id, wanted)),
            (number, partition, length) ->
                statistics.count(new RemotePartition(location, id, partition), 0, length),
            (number, block) -> fetched.add(block))) {
      fetch.run();
    } catch (IOException e) {
      CloseAll.after(e, fetched);
      throw e;
    }
    return fetched.get(0);
  }

  /**
   * {@inheritDoc} They are asked for together, partition by partition. When one of them is wrong,
   * the answer does not always say which: then those that have not come are asked for one by one.
   */
  @Override
  public void fetchAll(BlockLocation location, List<Wanted> blocks, Arrivals arrivals) {
    BitSet left = new BitSet();
    left.set(0, blocks.size());
    int failed;
    IOException failure;
    try (Fetch fetch =
        new Fetch(
            location,
            blocks,
            (number, partition, length) -> {},
            (number, block) -> {
              left.clear(number);
              arrivals.arrived(number, block);
            })) {
      try {
        fetch.run();
        return;
      } catch (IOException e) {
        failed = fetch.current;
        failure = e;
      }
    } catch (IOException e) {
      failed = left.nextSetBit(0);
      failure = e;
    }
    if (left.isEmpty()) {
      LOG.warn("All has come from {}, and then: {}", location, failure.getMessage());
    } else if (left.cardinality() > 1 && OneByOne.concernsOneBlock(failure)) {
      LOG.info("Blocks of {} are asked for one by one: {}", location, failure.getMessage());
      fetchOneByOne(location, blocks, left, arrivals);
    } else {
      int suspect = left.get(failed) ? failed : left.nextSetBit(0);
      arrivals.failed(suspect, failure);
      left.clear(suspect);
      left.stream().forEach(arrivals::notTried);
    }
  }

  private void fetchOneByOne(
      BlockLocation location, List<Wanted> blocks, BitSet left, Arrivals arrivals) {
    OneByOne one = new OneByOne(this, location, arrivals);
    boolean more = true;
    for (int number = left.nextSetBit(0); number >= 0; number = left.nextSetBit(number + 1)) {
      if (more) {
        more = one.fetch(number, blocks.get(number));
      } else {
        arrivals.notTried(number);
      }
    }
  }

  /** {@inheritDoc} Of a connection that is used no more the handler hears nothing. */
  @Override
  public boolean reaches(BlockLocation location) {
    try (HandlerConnection connection = HandlerConnection.open(location, settings, buffers)) {
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

  /** Is told of partitions that have come. */
  private interface PartitionCount {

    void came(int number, int partition, long length);
  }

  /** One try of fetching blocks. */
  private final class Fetch implements PartitionRequests.Target, Closeable {

    private final BlockLocation location;
    private final List<CopiedBlock> blocks = new ArrayList<>();

    /** As the handler knows the blocks. */
    private final List<String> names = new ArrayList<>();

    private final PartitionCount count;
    private final BlockConsumer complete;
    private final Map<String, Integer> asked = new LinkedHashMap<>();
    private int partition = -1;

    /** The block of which bytes come, or are to come next. */
    private int current;

    /**
     * Nothing fetched.
     *
     * @param complete takes what has come whole
     */
    Fetch(
        BlockLocation location, List<Wanted> wanted, PartitionCount count, BlockConsumer complete) {
      this.location = location;
      this.count = count;
      this.complete = complete;
      for (Wanted each : wanted) {
        names.add(name(each.id()));
        blocks.add(copies.begin(each.id(), each.partitions()));
      }
    }

    private static String name(BlockId id) {
      String name = id.path().substring(id.path().lastIndexOf('/') + 1);
      if (!NAME.matcher(name).matches()) {
        throw new IllegalArgumentException(
            "a shuffle handler cannot be asked for "
                + name
                + ": it takes letters, digits, dots, hyphens and underscores");
      }
      return name;
    }

    /** Fetches partition by partition, each in as few requests as the handler takes. */
    void run() throws IOException {
      BitSet all = new BitSet();
      blocks.forEach(block -> all.or(block.wanted()));
      try (PartitionRequests requests =
          new PartitionRequests(location, job, key, settings, idle, buffers)) {
        for (partition = all.nextSetBit(0);
            partition >= 0;
            partition = all.nextSetBit(partition + 1)) {
          for (int next = 0; next < blocks.size(); ) {
            next = gather(next);
            if (!asked.isEmpty()) {
              current = asked.values().iterator().next();
              requests.fetch(List.copyOf(asked.keySet()), partition, this);
            }
          }
        }
      } catch (InterruptedIOException | ConsumerFaultException e) {
        throw e;
      } catch (IOException e) {
        throw failure(e);
      }
    }

    /** Finds what to ask for in one request, from a block on; returns the one to go on with. */
    private int gather(int first) {
      asked.clear();
      int length = 0;
      for (int number = first; number < blocks.size(); number++) {
        if (blocks.get(number).wanted().get(partition)) {
          String name = names.get(number);
          length += name.length() + 1;
          if (!asked.isEmpty() && (length > MOST_NAME_BYTES || asked.containsKey(name))) {
            return number;
          }
          asked.put(name, number);
        }
      }
      return blocks.size();
    }

    @Override
    public BlockWriter begin(String name) throws IOException {
      current = asked.get(name);
      return blocks.get(current).writer();
    }

    @Override
    public void complete(String name, long length) throws IOException {
      count.came(current, partition, length);
      CopiedBlock block = blocks.get(current);
      if (block.wanted().length() == partition + 1) {
        complete.accept(current, block.finish(FetchWay.HTTP));
      }
      asked.remove(name);
      if (!asked.isEmpty()) {
        current = asked.values().iterator().next();
      }
    }

    private IOException failure(IOException cause) {
      String message =
          (partition < 0 ? "block " : "partition " + partition + " of block ")
              + blocks.get(current).id()
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

    /** Deletes what has not come whole. */
    @Override
    public void close() throws IOException {
      CloseAll.of(blocks);
    }
  }

  /** Takes blocks that have come. */
  private interface BlockConsumer {

    void accept(int number, BlockReader block);
  }
}
