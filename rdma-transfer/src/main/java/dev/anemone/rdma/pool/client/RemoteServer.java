package dev.anemone.rdma.pool.client;

import dev.anemone.rdma.pool.protocol.Caller;
import dev.anemone.rdma.pool.protocol.RegionInfo;
import dev.anemone.rdma.transport.Completion;
import dev.anemone.rdma.transport.MemoryRegion;
import dev.anemone.rdma.transport.RemoteRegion;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** One connection to a server, and where its chunks are. Thread-safe. */
final class RemoteServer {

  private final Caller caller;
  private final int number;
  private final TreeMap<Integer, RemoteRegion> regions = new TreeMap<>();
  private final RemoteRegion generations;
  private final int chunks;
  private volatile long removals;

  /** A server by its number in the pool's order. */
  RemoteServer(int number, Caller caller) {
    this.number = number;
    this.caller = caller;
    caller.welcome().regions().forEach(info -> regions.put(info.firstChunk(), info.remote()));
    this.generations = caller.welcome().generations().remote();
    this.removals = caller.welcome().removals();
    this.chunks = caller.welcome().regions().stream().mapToInt(RegionInfo::chunks).sum();
  }

  Caller caller() {
    return caller;
  }

  int number() {
    return number;
  }

  long incarnation() {
    return caller.welcome().incarnation();
  }

  /** Number of the last removal that the server has told of. */
  long removals() {
    return removals;
  }

  void setRemovals(long number) {
    removals = number;
  }

  private int chunkBytes() {
    return caller.welcome().chunkBytes();
  }

  /** Reads a part of a chunk. A failure is told by the completion alone. */
  void read(
      int chunk, int from, MemoryRegion into, int position, int length, Completion completion) {
    begin(
        chunk,
        completion,
        region ->
            caller
                .connection()
                .read(
                    region.getValue(),
                    offset(chunk, region.getKey()) + from,
                    into,
                    position,
                    length,
                    completion));
  }

  /** Writes a part of a chunk. A failure is told by the completion alone. */
  void write(
      MemoryRegion from, int position, int length, int chunk, int to, Completion completion) {
    begin(
        chunk,
        completion,
        region ->
            caller
                .connection()
                .write(
                    from,
                    position,
                    length,
                    region.getValue(),
                    offset(chunk, region.getKey()) + to,
                    completion));
  }

  /** Reads a chunk's generation: eight bytes. A failure is told by the completion alone. */
  void readGeneration(int chunk, MemoryRegion into, int position, Completion completion) {
    begin(
        chunk,
        completion,
        region ->
            caller
                .connection()
                .read(
                    generations,
                    (long) chunk * Long.BYTES,
                    into,
                    position,
                    Long.BYTES,
                    completion));
  }

  /** Begins an operation; when it cannot begin, whoever waits for its completion learns that. */
  private void begin(
      int chunk, Completion completion, Consumer<Map.Entry<Integer, RemoteRegion>> operation) {
    if (chunk < 0 || chunk >= chunks) {
      completion.completed(
          new IOException("pool server " + caller.server() + " has no chunk " + chunk));
      return;
    }
    try {
      operation.accept(regions.floorEntry(chunk));
    } catch (RuntimeException e) {
      completion.completed(
          new IOException("an operation on pool server " + caller.server() + " cannot begin", e));
    }
  }

  private long offset(int chunk, int firstOfRegion) {
    return (long) (chunk - firstOfRegion) * chunkBytes();
  }
}
