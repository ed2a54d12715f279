// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.server.kept;

import dev.anemone.rdma.pool.Lifetime;
import dev.anemone.rdma.pool.ObjectId;
import dev.anemone.rdma.pool.protocol.PageRef;
import dev.anemone.rdma.pool.protocol.StoredObject;
import dev.anemone.rdma.pool.server.tier.KeptPages;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The objects of a server that outlive it: those that belong to the pool and lie in kept pages
 * whole. Their bytes are durable before they are listed, and they are listed before they have a
 * name; they are unlisted before their pages are given to others. So after a crash at any moment,
 * each object that somebody was told of is there, and a page is not that of two. Whether the bytes
 * are those that were written, their checksums say.
 *
 * <p>Thread-safe.
 */
public final class KeptObjects implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(KeptObjects.class);

  /** The log is written anew when it has this many times the bytes of what it says. */
  private static final int MOST_WASTE = 4;

  private static final long LEAST_REWRITTEN = 1 << 20;

  private final List<KeptPages> pages;
  private final Optional<KeptLog> log;
  private final Map<ObjectId, StoredObject> objects = new LinkedHashMap<>();
  private final List<StoredObject> found = new ArrayList<>();
  private final List<StoredObject> lost = new ArrayList<>();
  private long rewrittenBytes;

  private KeptObjects(List<KeptPages> pages, Optional<KeptLog> log) {
    this.pages = List.copyOf(pages);
    this.log = log;
  }

  /** Nothing is kept. */
  public static KeptObjects none() {
    return new KeptObjects(List.of(), Optional.empty());
  }

  /**
   * What was kept in these pages.
   *
   * @param file the list of objects
   * @param pageBytes size of a page
   * @param incarnation of the server from now on
   * @throws IOException when the list cannot be read or written, or is about other pages
   */
  public static KeptObjects open(Path file, List<KeptPages> pages, int pageBytes, long incarnation)
      throws IOException {
    KeptLog log = KeptLog.of(file, pageBytes);
    KeptObjects kept = new KeptObjects(pages, Optional.of(log));
    for (KeptChange change : log.read()) {
      if (change instanceof KeptChange.Put put) {
        kept.objects.put(put.object().id(), put.object());
      } else if (change instanceof KeptChange.Remove remove) {
        kept.objects.remove(remove.id());
      }
    }
    kept.verify(incarnation);
    kept.rewrite(log);
    return kept;
  }

  private void verify(long incarnation) throws IOException {
    BitSet taken = new BitSet();
    for (StoredObject object : List.copyOf(objects.values())) {
      Optional<PageRef> wrong = wrong(object, taken);
      if (wrong.isPresent()) {
        LOG.error(
            "{} is lost: its page {} does not have the checksum with which it was written",
            object.path(),
            wrong.get().number());
        lost.add(object);
      } else {
        object.pages().forEach(page -> taken.set(page.number()));
        StoredObject now = withPages(object, incarnation);
        objects.put(now.id(), now);
        found.add(now);
      }
    }
  }

  private Optional<PageRef> wrong(StoredObject object, BitSet taken) {
    for (PageRef page : object.pages()) {
      Optional<KeptPages> tier = tier(page);
      if (tier.isEmpty()
          || taken.get(page.number())
          || tier.get().checksum(page.number(), page.length()) != page.checksum()) {
        return Optional.of(page);
      }
    }
    return Optional.empty();
  }

  /** A server's memory begins anew with all generations at 0, also that of pages with bytes. */
  private static StoredObject withPages(StoredObject object, long incarnation) {
    List<PageRef> pages =
        object.pages().stream()
            .map(
                page ->
                    new PageRef(
                        page.server(),
                        incarnation,
                        page.tier(),
                        page.number(),
                        0,
                        page.length(),
                        page.checksum()))
            .toList();
    return object.withPages(pages);
  }

  private Optional<KeptPages> tier(PageRef page) {
    return pages.stream().filter(tier -> tier.has(page.number())).findFirst();
  }

  /** The objects whose bytes are there, as they are from now on. */
  public List<StoredObject> found() {
    return List.copyOf(found);
  }

  /**
   * The objects whose bytes are not those that were written. Their pages belong to nobody, and are
   * named as those of a server that is gone.
   */
  public List<StoredObject> lost() {
    return List.copyOf(lost);
  }

  /**
   * Keeps an object whose pages have been handed to it, if it is one to keep.
   *
   * @throws IOException when it cannot be made durable; it is not kept then
   */
  public void put(StoredObject object) throws IOException {
    if (log.isEmpty()
        || object.lifetime() != Lifetime.POOL
        || object.pages().stream().anyMatch(page -> tier(page).isEmpty())) {
      return;
    }
    for (PageRef page : object.pages()) {
      tier(page).orElseThrow().persist(page.number(), page.length());
    }
    synchronized (this) {
      log.get().add(new KeptChange.Put(object));
      objects.put(object.id(), object);
      rewriteIfWasteful(log.get());
    }
  }

  /** Keeps an object no longer; to be called before its pages are given to others. */
  public synchronized void remove(ObjectId id) {
    if (!objects.containsKey(id)) {
      return;
    }
    try {
      log.orElseThrow().add(new KeptChange.Remove(id));
      objects.remove(id);
      rewriteIfWasteful(log.get());
    } catch (IOException e) {
      // Its pages will have other bytes, so that it is lost after the next start, and not wrong.
      LOG.error("That object {} was deleted is forgotten when the server ends", id, e);
      objects.remove(id);
    }
  }

  private void rewriteIfWasteful(KeptLog list) throws IOException {
    if (list.bytes() > Math.max(LEAST_REWRITTEN, MOST_WASTE * rewrittenBytes)) {
      rewrite(list);
    }
  }

  private void rewrite(KeptLog list) throws IOException {
    list.rewrite(objects.values().stream().map(KeptChange.Put::new).toList());
    rewrittenBytes = list.bytes();
  }

  @Override
  public synchronized void close() throws IOException {
    if (log.isPresent()) {
      log.get().close();
    }
  }
}
