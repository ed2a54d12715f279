// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine.feed;

import dev.anemone.ndp.engine.split.SplitBytes;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends a range of a file through a named pipe while somebody reads it there, in a thread of its
 * own. A reader cannot tell bytes that broke off from bytes that ended: who has read to the end
 * asks for the {@link #failure}, which is known before the pipe ends. Thread-safe.
 */
public final class PipeFeed implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(PipeFeed.class);
  private static final int BUFFER_BYTES = 1 << 18;

  /** Between two tries to end a thread that was about to wait. */
  private static final long END_INTERVAL_MS = 20;

  private final Path pipe;
  private final SplitBytes source;
  private final long from;
  private final long length;
  private final Runnable watch;
  private final Thread thread = new Thread(this::run, "plan-feed");
  private volatile boolean unwanted;
  private volatile Exception failure;

  private PipeFeed(Path pipe, SplitBytes source, long from, long length, Runnable watch) {
    this.pipe = pipe;
    this.source = source;
    this.from = from;
    this.length = length;
    this.watch = watch;
  }

  /**
   * Starts one, which waits until the pipe is opened for reading.
   *
   * @param source used by nobody else until the feed is closed; left open
   * @param from first byte of the range
   * @param length of the range in bytes; up to {@link SplitBytes#UNKNOWN_SIZE} for all that is
   *     there
   * @param watch called between reads by the feed's thread; what it throws ends the feed
   */
  public static PipeFeed start(
      Path pipe, SplitBytes source, long from, long length, Runnable watch) {
    PipeFeed feed = new PipeFeed(pipe, source, from, length, watch);
    feed.thread.setDaemon(true);
    feed.thread.start();
    return feed;
  }

  /** Why not all of the range has been sent, though the reader read on. */
  public Optional<Exception> failure() {
    return Optional.ofNullable(failure);
  }

  private void run() {
    // Opened before anything else: until then the reader waits in the system, out of reach.
    try (FileChannel target = FileChannel.open(pipe, StandardOpenOption.WRITE)) {
      PipeSize.widen(pipe);
      send(target);
    } catch (IOException e) {
      failure = e;
    }
  }

  /** Sends the range, and keeps what goes wrong before the pipe ends. */
  private void send(FileChannel target) {
    if (unwanted) {
      return;
    }
    try (InputStream range = source.open(from, length)) {
      byte[] buffer = new byte[BUFFER_BYTES];
      long left = length;
      while (left > 0) {
        watch.run();
        int read = range.read(buffer, 0, (int) Math.min(buffer.length, left));
        if (read < 0 && SplitBytes.isToUnknownEnd(from, length)) {
          return;
        }
        if (read < 0) {
          throw new IOException(
              source.name()
                  + " became shorter than "
                  + (from + length)
                  + " bytes while it was read");
        }
        if (!write(target, ByteBuffer.wrap(buffer, 0, read))) {
          return;
        }
        left -= read;
      }
    } catch (IOException | RuntimeException e) {
      failure = e;
    } catch (Error e) {
      failure = new IOException("reading " + source.name() + " has ended: " + e, e);
      throw e;
    }
  }

  /** Returns false when the reader has closed the pipe, which it may at any time. */
  private static boolean write(FileChannel target, ByteBuffer bytes)
      throws ClosedByInterruptException {
    try {
      while (bytes.hasRemaining()) {
        target.write(bytes);
      }
      return true;
    } catch (ClosedByInterruptException e) {
      throw e;
    } catch (IOException e) {
      LOG.debug("A pipe is not read to its end", e);
      return false;
    }
  }

  /**
   * Ends the feed, and lets go who waits for it at the pipe, which must still be there. Waits as
   * long as a read of the source may take that heeds no interrupt.
   */
  @Override
  public void close() {
    unwanted = true;
    boolean interrupted = false;
    while (thread.isAlive()) {
      thread.interrupt();
      wake();
      try {
        thread.join(END_INTERVAL_MS);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Lets go who waits for the other end of the pipe: opens both ends, which never waits, and closes
   * them.
   */
  public void wake() {
    try {
      FileChannel.open(pipe, StandardOpenOption.READ, StandardOpenOption.WRITE).close();
    } catch (IOException e) {
      LOG.debug("A pipe cannot be opened", e);
    }
  }
}
