// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.client;

import dev.anemone.rdma.pool.protocol.Caller;
import dev.anemone.rdma.pool.protocol.RegionInfo;
import dev.anemone.rdma.transport.Completion;
import dev.anemone.rdma.transport.MemoryRegion;
import dev.anemone.rdma.transport.RemoteRegion;
import java.io.IOException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** One connection to a server, and where its chunks are. Thread-safe. */
final class RemoteServer {

  private final Caller caller;
  private final int number;

  // In the order of their first chunks.
  private final int[] firstChunks;
  private final List<RemoteRegion> regions;

  private final RemoteRegion generations;
  private final int chunks;
  private volatile long removals;

  /** A server by its number in the pool's order. */
  RemoteServer(int number, Caller caller) {
    this.number = number;
    this.caller = caller;
    List<RegionInfo> infos =
        caller.welcome().regions().stream()
            .sorted(Comparator.comparingInt(RegionInfo::firstChunk))
            .toList();
    this.firstChunks = infos.stream().mapToInt(RegionInfo::firstChunk).toArray();
    this.regions = infos.stream().map(RegionInfo::remote).toList();
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
    if (has(chunk, completion)) {
      int region = regionOf(chunk);
      try {
        caller
            .connection()
            .read(
                regions.get(region),
                offset(chunk, region) + from,
                into,
                position,
                length,
                completion);
      } catch (RuntimeException e) {
        completion.completed(cannotBegin(e));
      }
    }
  }

  /** Writes a part of a chunk. A failure is told by the completion alone. */
  void write(
      MemoryRegion from, int position, int length, int chunk, int to, Completion completion) {
    if (has(chunk, completion)) {
      int region = regionOf(chunk);
      try {
        caller
            .connection()
            .write(
                from,
                position,
                length,
                regions.get(region),
                offset(chunk, region) + to,
                completion);
      } catch (RuntimeException e) {
        completion.completed(cannotBegin(e));
      }
    }
  }

  /** Reads a chunk's generation: eight bytes. A failure is told by the completion alone. */
  void readGeneration(int chunk, MemoryRegion into, int position, Completion completion) {
    if (has(chunk, completion)) {
      try {
        caller
            .connection()
            .read(generations, (long) chunk * Long.BYTES, into, position, Long.BYTES, completion);
      } catch (RuntimeException e) {
        completion.completed(cannotBegin(e));
      }
    }
  }

  /** Whether there is such a chunk; whoever waits for the completion learns that there is not. */
  private boolean has(int chunk, Completion completion) {
    if (chunk >= 0 && chunk < chunks) {
      return true;
    }
    completion.completed(
        new IOException("pool server " + caller.server() + " has no chunk " + chunk));
    return false;
  }

  private IOException cannotBegin(RuntimeException why) {
    return new IOException("an operation on pool server " + caller.server() + " cannot begin", why);
  }

  /** The last region that begins at the chunk or before it. */
  private int regionOf(int chunk) {
    int found = Arrays.binarySearch(firstChunks, chunk);
    return found >= 0 ? found : -found - 2;
  }

  private long offset(int chunk, int region) {
    return (long) (chunk - firstChunks[region]) * chunkBytes();
  }
}
