// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.directory;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.EnumSet;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A log that is a file which grows: a message is flushed to the data nodes, which takes a way there
 * and back, where a file of its own takes the name node, too, and its replicas have to be reported.
 * After a failure the log goes on in another file, since how much of the last message is in the one
 * before is not known.
 */
final class HadoopMessageLog implements MessageLog {

  private static final Logger LOG = LoggerFactory.getLogger(HadoopMessageLog.class);

  /** What streams can whose readers see what was flushed. */
  private static final String CAN_FLUSH = "hflush";

  private final FileContext files;
  private final Path path;
  private int begun;
  private FSDataOutputStream out;

  private HadoopMessageLog(FileContext files, Path path, FSDataOutputStream out) {
    this.files = files;
    this.path = path;
    this.out = out;
  }

  /**
   * Begins a log.
   *
   * @param path of its first file, which is not there yet; those of the others begin so
   * @param otherwise the log where the file system cannot show what is flushed before a file is
   *     closed
   */
  static MessageLog begin(FileContext files, Path path, MessageLog otherwise) throws IOException {
    FSDataOutputStream out = files.create(path, EnumSet.of(CreateFlag.CREATE));
    if (out.hasCapability(CAN_FLUSH)) {
      return new HadoopMessageLog(files, path, out);
    }
    out.close();
    files.delete(path, false);
    return otherwise;
  }

  @Override
  public synchronized void append(byte[] message) throws IOException {
    byte[] framed = MessageFraming.frame(message);
    try {
      write(framed);
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      try {
        write(framed);
      } catch (IOException again) {
        again.addSuppressed(e);
        throw again;
      }
    }
  }

  private void write(byte[] framed) throws IOException {
    if (out == null) {
      out = files.create(path.suffix("-" + ++begun), EnumSet.of(CreateFlag.CREATE));
    }
    try {
      out.write(framed);
      out.hflush();
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  /** {@inheritDoc} All messages are there before; so it does not matter whether it can be done. */
  @Override
  public synchronized void close() {
    if (out == null) {
      return;
    }
    try {
      out.close();
    } catch (IOException e) {
      // As a rule since the job has ended, and its directory is gone.
      LOG.debug("{} is not closed", path, e);
    } finally {
      out = null;
    }
  }
}
