// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.hdfs;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.security.PrivilegedExceptionAction;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.ReflectionUtils;

/**
 * A file of HDFS, of which ranges are read and no more. A data node sends what follows the position
 * of an open stream, up to the end of the block and as fast as it can, so that a reader of a part
 * has as much as fits into the buffers of its connection on the network in vain. Here each piece of
 * a range is a request of its own, which says where it ends. Used by one thread.
 */
public final class HdfsRanges implements Closeable {

  private static final String SCHEME = "hdfs";

  /** Small enough that the reader has something to do soon. */
  private static final int LEAST_PIECE_BYTES = 1 << 20;

  /** Large enough that a fast network does not wait for requests. */
  private static final int MOST_PIECE_BYTES = 8 << 20;

  /** Of a long range a piece is this part. */
  private static final int PIECES = 16;

  private static final AtomicReference<Clients> CLIENTS = new AtomicReference<>();

  private final FSDataInputStream file;

  private HdfsRanges(FSDataInputStream file) {
    this.file = file;
  }

  /**
   * From now on files are opened with this configuration by the current user, as Beam's own file
   * system opens them. There is one for the process, as there is of Beam's file systems.
   */
  static void use(Configuration configuration) {
    UserGroupInformation user;
    try {
      user = UserGroupInformation.getCurrentUser();
    } catch (IOException e) {
      throw new UncheckedIOException("Hadoop cannot say who reads its files", e);
    }
    CLIENTS.updateAndGet(
        now ->
            now != null && now.isOf(configuration, user) ? now : new Clients(configuration, user));
  }

  /**
   * Opens a file.
   *
   * @param file its URI
   * @return empty where it is not of HDFS, or no configuration of HDFS is known; closed by the
   *     caller
   */
  public static Optional<HdfsRanges> open(String file) throws IOException {
    URI uri = URI.create(file);
    Clients clients = CLIENTS.get();
    return clients == null || !SCHEME.equals(uri.getScheme())
        ? Optional.empty()
        : Optional.of(new HdfsRanges(clients.of(uri).open(new Path(uri))));
  }

  /**
   * A stream of a range, which need not be closed.
   *
   * @param position of its first byte
   * @param length of the range; the stream has fewer bytes only where the file ends
   * @param watch is told of each piece
   */
  public InputStream range(long position, long length, ReadWatch watch) {
    return new Range(position, length, watch);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }

  /** Clients of name nodes, which are kept; they hold no connections for long. */
  private static final class Clients {

    private final Configuration configuration;
    private final UserGroupInformation user;
    private final Map<String, FileSystem> byAuthority = new HashMap<>();

    Clients(Configuration configuration, UserGroupInformation user) {
      this.configuration = configuration;
      this.user = user;
    }

    boolean isOf(Configuration other, UserGroupInformation otherUser) {
      return user.equals(otherUser) && entries(configuration).equals(entries(other));
    }

    private static Map<String, String> entries(Configuration configuration) {
      Map<String, String> entries = new HashMap<>();
      configuration.forEach(entry -> entries.put(entry.getKey(), entry.getValue()));
      return entries;
    }

    synchronized FileSystem of(URI uri) throws IOException {
      String authority = Objects.requireNonNullElse(uri.getAuthority(), "");
      FileSystem known = byAuthority.get(authority);
      if (known == null) {
        try {
          known =
              user.doAs(
                  (PrivilegedExceptionAction<FileSystem>) () -> newClient(uri, configuration));
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new IOException("interrupted while " + uri + " was opened", e);
        }
        byAuthority.put(authority, known);
      }
      return known;
    }

    /**
     * A client that Hadoop does not keep: a container closes all those of its user that Hadoop
     * knows, those of {@link FileSystem#newInstance} too, whenever a task of Tez has ended.
     */
    private static FileSystem newClient(URI uri, Configuration configuration) throws IOException {
      FileSystem client =
          ReflectionUtils.newInstance(
              FileSystem.getFileSystemClass(uri.getScheme(), configuration), configuration);
      client.initialize(uri, configuration);
      return client;
    }
  }

  /** Pieces of a range, one after the other. */
  private final class Range extends InputStream {

    private final ReadWatch watch;
    private final long end;
    private final byte[] piece;
    private long next;
    private int from;
    private int to;

    Range(long position, long length, ReadWatch watch) {
      this.watch = watch;
      this.next = position;
      this.end = position + length;
      this.piece =
          new byte
              [(int)
                  Math.min(
                      length,
                      Math.max(LEAST_PIECE_BYTES, Math.min(MOST_PIECE_BYTES, length / PIECES)))];
    }

    @Override
    public int read() throws IOException {
      return fill() ? piece[from++] & 0xff : -1;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      Objects.checkFromIndexSize(offset, length, bytes.length);
      if (length == 0) {
        return 0;
      }
      if (!fill()) {
        return -1;
      }
      int count = Math.min(length, to - from);
      System.arraycopy(piece, from, bytes, offset, count);
      from += count;
      return count;
    }

    /** Whether there is a byte more. */
    private boolean fill() throws IOException {
      if (from < to) {
        return true;
      }
      int wanted = (int) Math.min(piece.length, end - next);
      int size = 0;
      watch.waits();
      try {
        while (size < wanted) {
          int count = file.read(next + size, piece, size, wanted - size);
          if (count < 0) {
            break;
          }
          size += count;
        }
      } finally {
        watch.arrived(size);
      }
      next = size < wanted ? end : next + size;
      from = 0;
      to = size;
      return size > 0;
    }
  }
}
