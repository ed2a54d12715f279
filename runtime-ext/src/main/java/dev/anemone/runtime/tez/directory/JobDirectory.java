// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.directory;

import dev.anemone.runtime.spi.AgreedFile;
import dev.anemone.runtime.tez.container.ContainerEnvironment;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** A directory of small files that all processes of a job reach. Thread-safe. */
public interface JobDirectory {

  /** The end of the name of a file that is one message, and grows no more. */
  String ONE_MESSAGE = "-message";

  /** The directory at a URI, as a task or an application master reaches it. */
  static JobDirectory of(URI uri) throws IOException {
    return uri.getScheme().equals("file")
        ? new LocalJobDirectory(Path.of(uri))
        : HadoopJobDirectory.of(uri, ContainerEnvironment.required().configuration());
  }

  /** Makes the directory. */
  void create() throws IOException;

  /** Writes a file, which appears at once and whole, in the place of one with this name. */
  default void write(String name, byte[] bytes) throws IOException {
    write(name, out -> out.write(bytes));
  }

  /** Writes a file piece by piece; it appears as with {@link #write(String, byte[])}. */
  void write(String name, Content content) throws IOException;

  /**
   * Makes a file of this machine one of the directory. The directory of a job of this JVM has it by
   * a link, so it must stay.
   */
  void give(String name, Path file) throws IOException;

  /** Opens a file for reading; it belongs to the caller. */
  InputStream open(String name) throws IOException;

  /** What is written into a file. */
  @FunctionalInterface
  interface Content {

    /**
     * Writes it.
     *
     * @param out belongs to the caller
     */
    void writeTo(OutputStream out) throws IOException;
  }

  /** Whether the directory is there. */
  boolean exists() throws IOException;

  /** Whether there is a file of this name. */
  boolean contains(String name) throws IOException;

  /** Names of the files that begin so, sorted. */
  List<String> list(String prefix) throws IOException;

  /** What is in a file. */
  byte[] read(String name) throws IOException;

  /**
   * A file from an offset on.
   *
   * @param offset in bytes
   */
  record Tail(String name, long offset) {

    /** All of a file. */
    public static Tail all(String name) {
      return new Tail(name, 0);
    }
  }

  /** What {@link #readFrom} reads of several files, in their order. */
  default List<byte[]> readAll(List<Tail> files) throws IOException {
    List<byte[]> all = new ArrayList<>();
    for (Tail file : files) {
      all.add(readFrom(file.name(), file.offset()));
    }
    return all;
  }

  /**
   * Bytes of a file.
   *
   * @throws EOFException when it has fewer
   */
  byte[] read(String name, long offset, int length) throws IOException;

  /**
   * What a file that may be written now has from an offset on, which must not be behind its end.
   */
  byte[] readFrom(String name, long offset) throws IOException;

  /**
   * Begins a log, whose messages a {@link MessageReader} finds among those of all logs with its
   * prefix.
   */
  default MessageLog log(String prefix) throws IOException {
    return new MessageFiles(this, prefix + UUID.randomUUID());
  }

  /** A file of this name that is written at most once. */
  AgreedFile agreedFile(String name);

  /** Deletes the directory with all that is in it; does nothing when there is none. */
  void delete() throws IOException;
}
