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

/** One connection to a server, and where its pages are. Thread-safe. */
final class RemoteServer {

  private final Caller caller;
  private final int number;

  // In the order of their first pages.
  private final int[] firstPages;
  private final List<RegionInfo> infos;
  private final List<RemoteRegion> regions;
  private final PageMessages messages;

  private final RemoteRegion generations;
  private final int pages;
  private volatile long removals;

  /** A server by its number in the pool's order. */
  RemoteServer(int number, Caller caller) {
    this.number = number;
    this.caller = caller;
    this.infos =
        caller.welcome().regions().stream()
            .sorted(Comparator.comparingInt(RegionInfo::firstPage))
            .toList();
    this.firstPages = infos.stream().mapToInt(RegionInfo::firstPage).toArray();
    this.regions = infos.stream().map(RegionInfo::remote).toList();
    this.messages = new PageMessages(caller);
    this.generations = caller.welcome().generations().remote();
    this.removals = caller.welcome().removals();
    this.pages = caller.welcome().regions().stream().mapToInt(RegionInfo::pages).sum();
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

  private int pageBytes() {
    return caller.welcome().pageBytes();
  }

  /** Reads a part of a page. A failure is told by the completion alone. */
  void read(
      int page, int from, MemoryRegion into, int position, int length, Completion completion) {
    if (has(page, completion)) {
      int region = regionOf(page);
      try {
        if (infos.get(region).isServed()) {
          messages.read(page, from, into, position, length, completion);
          return;
        }
        caller
            .connection()
            .read(
                regions.get(region),
                offset(page, region) + from,
                into,
                position,
                length,
                completion);
      } catch (RuntimeException e) {
        completion.completed(cannotBegin(e));
      }
    }
  }

  /** Writes a part of a page. A failure is told by the completion alone. */
  void write(MemoryRegion from, int position, int length, int page, int to, Completion completion) {
    if (has(page, completion)) {
      int region = regionOf(page);
      try {
        if (infos.get(region).isServed()) {
          messages.write(from, position, length, page, to, completion);
          return;
        }
        caller
            .connection()
            .write(
                from, position, length, regions.get(region), offset(page, region) + to, completion);
      } catch (RuntimeException e) {
        completion.completed(cannotBegin(e));
      }
    }
  }

  /** Reads a page's generation: eight bytes. A failure is told by the completion alone. */
  void readGeneration(int page, MemoryRegion into, int position, Completion completion) {
    if (has(page, completion)) {
      try {
        caller
            .connection()
            .read(generations, (long) page * Long.BYTES, into, position, Long.BYTES, completion);
      } catch (RuntimeException e) {
        completion.completed(cannotBegin(e));
      }
    }
  }

  /** Whether there is such a page; whoever waits for the completion learns that there is not. */
  private boolean has(int page, Completion completion) {
    if (page >= 0 && page < pages) {
      return true;
    }
    completion.completed(
        new IOException("pool server " + caller.server() + " has no page " + page));
    return false;
  }

  private IOException cannotBegin(RuntimeException why) {
    return new IOException("an operation on pool server " + caller.server() + " cannot begin", why);
  }

  /** The last region that begins at the page or before it. */
  private int regionOf(int page) {
    int found = Arrays.binarySearch(firstPages, page);
    return found >= 0 ? found : -found - 2;
  }

  private long offset(int page, int region) {
    return (long) (page - firstPages[region]) * pageBytes();
  }
}
