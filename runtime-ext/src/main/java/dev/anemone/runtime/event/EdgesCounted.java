// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.event;

import java.util.List;
import java.util.Map;

/**
 * What went over the edges between stages; at the end of a job.
 *
 * @param edges by edge id; where several edges share a link, their ids are joined by {@code +}
 * @param readBytes how much each consumer task read over an edge, named likewise: bytes of keys and
 *     values before compression
 */
public record EdgesCounted(
    long time, Map<String, EdgeTotals> edges, Map<String, List<Long>> readBytes)
    implements JobEvent {

  public EdgesCounted {
    edges = Absent.map(edges);
    readBytes = Absent.map(readBytes);
  }

  /**
   * What went over an edge.
   *
   * @param records that producers wrote
   * @param rawBytes bytes of their keys and values
   * @param storedBytes bytes that were stored or pushed, after combining and compression
   * @param spills how often memory ran out on either side
   * @param spilledBytes bytes that were written because of it
   * @param diskReads reads of local files by consumers
   * @param diskSeeks those that did not go on where the one before had ended
   * @param diskReadBytes bytes that consumers read from local files
   * @param poolWrittenBytes bytes of blocks that were committed in a pool of remote memory
   * @param overflowedBytes bytes of those that found no room in the pool, or no pool, and went to
   *     local files
   * @param poolReadBytes bytes that servers of the pool gave to consumers; not what copies gave
   * @param cacheHits reads of a pool of remote memory that copies of pages answered
   * @param cacheMisses those for which there was no copy, where copies are kept
   * @param cacheHitBytes bytes that copies gave
   * @param nameHits blocks in the pool that were found without asking a server
   * @param nameMisses blocks in the pool for which a server was asked
   * @param pushedBytes bytes that producers pushed
   * @param transportBytes those of them that went over a transport of one-sided reads
   * @param fallenBackBytes bytes that they should have pushed and left in local files
   * @param fetchedBytes stored bytes that consumers fetched from other nodes
   * @param transportFetchedBytes those of them that came over a transport of one-sided reads
   * @param memoryPeakBytes the most off-heap memory that a task used for the edge on one side
   */
  public record EdgeTotals(
      long records,
      long rawBytes,
      long storedBytes,
      long spills,
      long spilledBytes,
      long diskReads,
      long diskSeeks,
      long diskReadBytes,
      long poolWrittenBytes,
      long overflowedBytes,
      long poolReadBytes,
      long cacheHits,
      long cacheMisses,
      long cacheHitBytes,
      long nameHits,
      long nameMisses,
      long pushedBytes,
      long transportBytes,
      long fallenBackBytes,
      long fetchedBytes,
      long transportFetchedBytes,
      long memoryPeakBytes) {}
}
