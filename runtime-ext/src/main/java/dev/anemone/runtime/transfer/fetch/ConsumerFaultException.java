// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer.fetch;

import dev.anemone.runtime.spi.DataPlaneFailure;
import dev.anemone.runtime.store.BlockId;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.BindException;
import java.net.SocketException;
import java.nio.file.FileSystemException;
import java.util.List;

/**
 * What a task wants to read cannot be had for a reason that lies with the node it runs on. No
 * producer is to blame, and running one again does not help: the attempt fails, and the next one
 * may run elsewhere.
 */
public final class ConsumerFaultException extends IOException implements DataPlaneFailure {

  private static final long serialVersionUID = 1L;

  /** What Linux calls the lack of something that a process or a machine needs for itself. */
  private static final List<String> LACKS =
      List.of(
          "Too many open files",
          "Too many open files in system",
          "No space left on device",
          "Disk quota exceeded",
          "No buffer space available",
          "Cannot allocate memory",
          "Cannot assign requested address");

  /** Says what is wrong here. */
  public ConsumerFaultException(String message, IOException cause) {
    super(message, cause);
  }

  /** That a block could not be read, when {@link #isCauseOf} says that this node is to blame. */
  public static ConsumerFaultException reading(BlockId block, IOException cause) {
    return new ConsumerFaultException(
        "block " + block + " cannot be read for a fault of this node: " + cause.getMessage(),
        cause);
  }

  /**
   * Whether a failure comes of what this process or its machine lacks: file descriptors, local
   * ports, memory, room on a disk. What other nodes say of themselves does not count, although it
   * may be in the message.
   */
  public static boolean isCauseOf(IOException failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof ConsumerFaultException
          || cause instanceof BindException
          || isLack(cause)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isLack(Throwable failure) {
    String message = failure.getMessage();
    if (message == null) {
      return false;
    }
    boolean ofSystem =
        failure instanceof SocketException
            || failure instanceof FileSystemException
            || failure instanceof FileNotFoundException;
    return LACKS.stream()
        .anyMatch(lack -> ofSystem ? message.contains(lack) : message.equals(lack));
  }
}
