// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.client;

import dev.anemone.rdma.pool.ObjectAttributes;
import dev.anemone.rdma.pool.ObjectId;
import dev.anemone.rdma.pool.PoolFullException;
import dev.anemone.rdma.pool.PoolPath;
import dev.anemone.rdma.pool.ServerStatus;
import dev.anemone.rdma.pool.ServerUnavailableException;
import dev.anemone.rdma.pool.protocol.PageRef;
import dev.anemone.rdma.pool.protocol.RefusedException;
import dev.anemone.rdma.pool.protocol.Reply;
import dev.anemone.rdma.pool.protocol.Request;
import dev.anemone.rdma.pool.protocol.StoredObject;
import dev.anemone.rdma.transport.MemoryRegion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.WritableByteChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Writes one object from its first byte to its last. Nobody sees it before {@link #commit}; after
 * that all is there, on every server. Closing a writer that has not committed leaves nothing
 * behind.
 *
 * <p>What is small ({@link PoolClientOptions#smallBytes}) goes to the pool with its name, by one
 * message, when it is committed.
 *
 * <p>Bytes are written while later ones are still being put into buffers; a failure may so be told
 * by a later call, by {@code commit} at the latest. After a failure other than a {@link
 * PoolFullException} the writer can only be closed. Not thread-safe.
 */
public final class ObjectWriter implements WritableByteChannel {

  /** Others may replace the same object at the same time. */
  private static final int REPLACEMENTS = 10;

  private final ClientParts parts;
  private final PoolPath path;
  private final ObjectId id;
  private final ObjectSettings settings;
  private final Supplier<List<ServerStatus>> statuses;
  private final Transfer transfer = new Transfer();
  private final List<PageRef> finished = new ArrayList<>();
  private final Map<RemoteServer, List<Request.PageId>> taken = new LinkedHashMap<>();
  private final PageWriter pages;

  /** The same, when it has a page that is begun; else null. */
  private PageWriter current;

  private Placement.Asked asked;
  private long length;
  private boolean open = true;
  private boolean committed;

  ObjectWriter(
      ClientParts parts,
      PoolPath path,
      ObjectId id,
      ObjectSettings settings,
      Supplier<List<ServerStatus>> statuses) {
    this.parts = parts;
    this.path = path;
    this.id = id;
    this.settings = settings;
    this.statuses = statuses;
    this.pages = new PageWriter(parts, transfer, this::take);
  }

  /**
   * Writes all that remains in the buffer; its bytes are copied when it returns.
   *
   * @throws PoolFullException when no server has a free page; what is before the buffer's position
   *     has been taken, and writing can go on there when there is room
   * @throws IOException when a server that holds a part is gone, or no buffer becomes free
   */
  @Override
  public int write(ByteBuffer bytes) throws IOException {
    requireOpen();
    int begin = bytes.position();
    while (bytes.hasRemaining()) {
      PageWriter page = page(bytes.remaining());
      int before = bytes.position();
      page.put(bytes);
      length += bytes.position() - before;
      finishIfFull(page);
    }
    return bytes.position() - begin;
  }

  /**
   * Writes straight from registered memory, which can be used again when it returns.
   *
   * @param from registered with the client's transport
   * @param position of the first byte
   * @throws IOException as {@link #write(ByteBuffer)}
   */
  public void write(MemoryRegion from, int position, int count) throws IOException {
    requireOpen();
    Objects.checkFromIndexSize(position, count, from.memory().capacity());
    if (isSmallWith(count)) {
      write(from.memory().slice(position, count));
      return;
    }
    Transfer direct = new Transfer();
    IOException failure;
    try {
      int done = 0;
      while (done < count) {
        PageWriter page = page(count - done);
        int sent = page.send(from, position + done, count - done, direct);
        done += sent;
        length += sent;
        finishIfFull(page);
      }
    } finally {
      failure = direct.await();
    }
    if (failure != null) {
      throw failure;
    }
  }

  /** Bytes that it has taken; after a {@link PoolFullException} some of the last write's. */
  public long length() {
    return length;
  }

  /** Whether it is small with so many bytes more, and nothing of it has gone to the pool yet. */
  private boolean isSmallWith(long more) {
    return length + more <= parts.small().mostBytes() && taken.isEmpty() && asked == null;
  }

  /** The page that the next bytes go to; asks for it early, if it is certain that it is needed. */
  private PageWriter page(long more) throws IOException {
    if (current != null && current.isFull()) {
      finishPage();
    }
    current = pages;
    if (asked == null && current.isWithoutPage() && !isSmallWith(more)) {
      asked = parts.placement().ask(settings.tier(), parts.connections());
    }
    return current;
  }

  private Placement.NewPage take() throws IOException {
    Placement.Asked first = asked;
    asked = null;
    return own(parts.placement().take(settings.tier(), first, parts.connections(), statuses));
  }

  private Placement.NewPage own(Placement.NewPage page) {
    taken
        .computeIfAbsent(page.server(), ignored -> new ArrayList<>())
        .add(new Request.PageId(page.allocated().number(), page.allocated().generation()));
    return page;
  }

  private void finishIfFull(PageWriter page) throws IOException {
    if (page.isFull() && !isSmallWith(0)) {
      finishPage();
    }
  }

  private void finishPage() throws IOException {
    finished.add(current.finish());
    current = null;
  }

  /**
   * Makes the object visible, on all servers at once, and closes the writer.
   *
   * @throws PoolFullException when no server has a free page for its last bytes; the writer stays
   *     open
   * @throws FileAlreadyExistsException when something else has got the path
   * @throws NoSuchFileException when its directory is not there
   * @throws ServerUnavailableException when the servers that answer for the name went while they
   *     were asked; whether the object is visible is unknown then
   * @throws IOException when a part was not written, or the writer's lease was over meanwhile
   */
  public ObjectAttributes commit() throws IOException {
    requireOpen();
    try {
      Optional<StoredObject> small = commitSmall();
      StoredObject object = small.isPresent() ? small.get() : commitPages();
      committed = true;
      close();
      return parts.attributes(object);
    } catch (PoolFullException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      try {
        close();
      } catch (IOException suppressed) {
        e.addSuppressed(suppressed);
      }
      throw e;
    }
  }

  private StoredObject object() {
    return new StoredObject(
        id,
        path.value(),
        length,
        System.currentTimeMillis(),
        0,
        settings.lifetime(),
        List.copyOf(finished));
  }

  /** All of it by one message; empty, and nothing is done, where that cannot be. */
  private Optional<StoredObject> commitSmall() throws IOException {
    return length == 0 || !isSmallWith(0)
        ? Optional.empty()
        : publish(() -> parts.small().tryWrite(object(), settings, current.buffered()));
  }

  private StoredObject commitPages() throws IOException {
    if (current != null) {
      finishPage();
    }
    IOException failure = transfer.await();
    if (failure != null) {
      throw failure;
    }
    flush();
    StoredObject object = object();
    return publish(
        () -> {
          parts.names().commit(object, settings.keep());
          return object;
        });
  }

  /** Makes the object visible, in some way. */
  @FunctionalInterface
  private interface Publication<T> {
    T make() throws IOException;
  }

  private <T> T publish(Publication<T> publication) throws IOException {
    for (int left = REPLACEMENTS; ; left--) {
      try {
        return publication.make();
      } catch (FileAlreadyExistsException e) {
        if (!settings.replaces() || left == 0) {
          throw e;
        }
        deleteFormer();
      }
    }
  }

  private void deleteFormer() throws IOException {
    try {
      parts.delete(path);
    } catch (NoSuchFileException e) {
      // Somebody else was faster, or its time is over: the name is free either way.
    }
  }

  /** Waits until every server sees what was written to it. */
  private void flush() throws IOException {
    Map<RemoteServer, Transfer> flushes = new HashMap<>();
    for (RemoteServer server : taken.keySet()) {
      Transfer flush = new Transfer();
      flushes.put(server, flush);
      server.caller().connection().flush(flush.begin());
    }
    for (Map.Entry<RemoteServer, Transfer> flush : flushes.entrySet()) {
      IOException failure = flush.getValue().await();
      if (failure != null) {
        throw new ServerUnavailableException(
            "Pool server "
                + flush.getKey().caller().server()
                + " is gone, and with it a part of "
                + path
                + ".",
            failure);
      }
    }
  }

  /**
   * Hands all that was written to another channel, in order, and gives the object up. That is also
   * possible after a {@link PoolFullException}: then these are the bytes up to the position of the
   * buffer that did not fit.
   *
   * @throws IOException when a server that holds a part is gone, or the channel's own
   */
  public void moveTo(WritableByteChannel target) throws IOException {
    requireOpen();
    try {
      IOException failure = transfer.await();
      if (failure != null) {
        throw failure;
      }
      flush();
      long stored = finished.stream().mapToLong(PageRef::length).sum();
      ObjectReader reader =
          new ObjectReader(
              parts,
              new StoredObject(
                  id, path.value(), stored, 0, 0, settings.lifetime(), List.copyOf(finished)));
      ByteBuffer piece = ByteBuffer.allocateDirect(parts.pageBytes());
      for (long position = 0; position < stored; position += piece.limit()) {
        piece.clear();
        reader.read(position, piece);
        target.write(piece.flip());
      }
      if (current != null) {
        current.copyBuffered(target);
      }
    } finally {
      close();
    }
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  /**
   * Ends the writing. An object that was not committed is given up, and its pages are free when
   * this returns. Does nothing the second time.
   */
  @Override
  public void close() throws IOException {
    if (!open) {
      return;
    }
    open = false;
    if (current != null) {
      current.abandon();
      current = null;
    }
    // Pages must not be somebody else's while bytes are still on their way into them.
    transfer.awaitEnd();
    if (!committed) {
      settle();
      release();
    }
  }

  /** Waits for a page that was asked for and is not needed any longer. */
  private void settle() throws IOException {
    if (asked == null) {
      return;
    }
    try {
      RemoteServer server = asked.server();
      own(
          new Placement.NewPage(
              server, server.caller().await(asked.answer(), Reply.Allocated.class)));
    } catch (ServerUnavailableException | RefusedException e) {
      // There is none, or it went with the connection.
      asked = null;
    }
  }

  private void release() throws IOException {
    for (Map.Entry<RemoteServer, List<Request.PageId>> entry : taken.entrySet()) {
      RemoteServer server = entry.getKey();
      try {
        Request.Release release = new Request.Release(List.copyOf(entry.getValue()));
        server.caller().call(release, Reply.Done.class);
      } catch (ServerUnavailableException | RefusedException e) {
        // With the connection its pages are free; refused are those that a commit, which was not
        // answered, has made the object's.
      }
    }
  }

  private void requireOpen() throws IOException {
    if (!open) {
      throw new ClosedChannelException();
    }
  }
}
