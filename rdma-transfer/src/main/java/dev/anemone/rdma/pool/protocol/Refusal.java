// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.protocol;

import dev.anemone.rdma.pool.AccessRefusedException;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** Why a request was refused. */
public enum Refusal {
  /** The token is wrong or missing, or the two sides know different pools. */
  ACCESS,
  /** The path, or the directory that it lies in, is not there. */
  NO_SUCH_PATH,
  /** Something has the path already. */
  EXISTS,
  /** It is not a directory. */
  NOT_A_DIRECTORY,
  /** The directory holds something. */
  NOT_EMPTY,
  /** All pages of this server are taken. */
  FULL,
  /** Another server answers for this path, or this one does not yet: try again. */
  NOT_RESPONSIBLE,
  /** The client with whose lease an object goes is not connected, perhaps not yet: try again. */
  NO_LEASE,
  /** Anything else; the message says what. */
  FAILED;

  /** The exception that says the same to who asked. */
  public static IOException exception(Reply.Refused refused, String server) {
    String subject = refused.subject();
    String message = refused.message();
    return switch (refused.reason()) {
      case ACCESS -> new AccessRefusedException("Pool server " + server + ": " + message);
      case NO_SUCH_PATH -> new NoSuchFileException(subject, null, message);
      case EXISTS -> new FileAlreadyExistsException(subject, null, message);
      case NOT_A_DIRECTORY -> new NotDirectoryException(subject);
      case NOT_EMPTY -> new DirectoryNotEmptyException(subject);
      case FULL, NOT_RESPONSIBLE, NO_LEASE, FAILED ->
          new RefusedException(refused.reason(), "Pool server " + server + ": " + message);
    };
  }

  /** What a server answers to a request that failed. */
  public static Reply.Refused reply(IOException failure) {
    String message = failure.getMessage() == null ? failure.toString() : failure.getMessage();
    if (failure instanceof RefusedException refused) {
      return new Reply.Refused(refused.reason(), "", message);
    } else if (failure instanceof NoSuchFileException missing) {
      return new Reply.Refused(NO_SUCH_PATH, missing.getFile(), reason(missing.getReason()));
    } else if (failure instanceof FileAlreadyExistsException there) {
      return new Reply.Refused(EXISTS, there.getFile(), reason(there.getReason()));
    } else if (failure instanceof NotDirectoryException other) {
      return new Reply.Refused(NOT_A_DIRECTORY, other.getFile(), "");
    } else if (failure instanceof DirectoryNotEmptyException full) {
      return new Reply.Refused(NOT_EMPTY, full.getFile(), "");
    } else if (failure instanceof AccessRefusedException) {
      return new Reply.Refused(ACCESS, "", message);
    }
    return new Reply.Refused(FAILED, "", message);
  }

  private static String reason(String text) {
    return text == null ? "" : text;
  }
}
