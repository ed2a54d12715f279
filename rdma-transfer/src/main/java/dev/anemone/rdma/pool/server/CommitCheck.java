// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.server;

import dev.anemone.rdma.pool.protocol.PageRef;
import dev.anemone.rdma.pool.protocol.Refusal;
import dev.anemone.rdma.pool.protocol.RefusedException;
import dev.anemone.rdma.pool.protocol.StoredObject;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What an object must be that a client wants to make visible: readers find a byte by the sizes of
 * the pages before it.
 *
 * @param servers how many the pool has
 */
record CommitCheck(int pageBytes, int servers) {

  /** A page of the pool. */
  private record Place(int server, int number) {}

  /**
   * Checks it.
   *
   * @throws RefusedException that says what is wrong
   */
  void require(StoredObject object) throws RefusedException {
    List<PageRef> pages = object.pages();
    Set<Place> places = new HashSet<>();
    long bytes = 0;
    for (int i = 0; i < pages.size(); i++) {
      PageRef page = pages.get(i);
      int least = i < pages.size() - 1 ? pageBytes : 1;
      if (page.length() < least || page.length() > pageBytes) {
        throw wrong(object, "page " + i + " of " + pages.size() + " has " + page.length());
      }
      if (page.server() < 0 || page.server() >= servers) {
        throw wrong(object, "page " + i + " is on server " + page.server());
      }
      if (!places.add(new Place(page.server(), page.number()))) {
        throw wrong(object, "page " + i + " is another one of it, too");
      }
      bytes += page.length();
    }
    if (object.length() != bytes) {
      throw wrong(object, "it is said to have " + object.length() + ", its pages " + bytes);
    }
  }

  private RefusedException wrong(StoredObject object, String what) {
    return new RefusedException(
        Refusal.FAILED,
        object.path()
            + " can be no object: of bytes, "
            + what
            + "; all pages but the last have "
            + pageBytes
            + ", and the pool has "
            + servers
            + " servers");
  }
}
