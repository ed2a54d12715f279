// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.server.tier;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;

/**
 * The registered pages of a server, as it reads and writes them itself. The memory is valid while
 * it is registered. Thread-safe; who has which page is its users' matter.
 */
public final class OwnPages {

  private final int pageBytes;
  private final List<Run> runs;

  /**
   * Pages, one behind the other.
   *
   * @param first number of the first
   */
  record Run(int first, int count, ByteBuffer memory) {

    boolean has(int page) {
      return page >= first && page - first < count;
    }
  }

  OwnPages(int pageBytes, List<Run> runs) {
    this.pageBytes = pageBytes;
    this.runs = List.copyOf(runs);
  }

  /** Whether a page is one of these. */
  public boolean has(int page) {
    return runs.stream().anyMatch(run -> run.has(page));
  }

  /**
   * A copy of bytes of a page.
   *
   * @throws IndexOutOfBoundsException when the page does not have them
   */
  public ByteBuffer read(int page, int from, int length) {
    Objects.checkFromIndexSize(from, length, pageBytes);
    byte[] bytes = new byte[length];
    Run run = run(page);
    run.memory().get((page - run.first()) * pageBytes + from, bytes);
    return ByteBuffer.wrap(bytes);
  }

  /**
   * Writes all that remains in a buffer, whose position stays, to the begin of a page.
   *
   * @throws IndexOutOfBoundsException when the page has no room for it
   */
  public void write(int page, ByteBuffer bytes) {
    Objects.checkFromIndexSize(0, bytes.remaining(), pageBytes);
    Run run = run(page);
    run.memory().put((page - run.first()) * pageBytes, bytes, bytes.position(), bytes.remaining());
  }

  private Run run(int page) {
    return runs.stream()
        .filter(run -> run.has(page))
        .findFirst()
        .orElseThrow(() -> new NoSuchElementException("page " + page + " is not registered"));
  }
}
