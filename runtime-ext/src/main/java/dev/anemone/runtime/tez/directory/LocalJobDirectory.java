// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.directory;

import dev.anemone.runtime.resource.FileTrees;
import dev.anemone.runtime.spi.AgreedFile;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Stream;

/**
 * The directory of a job whose tasks and client are in this JVM. Messages, which are written at
 * once, are kept in memory: where a job has thousands of small tasks, a file for each would take
 * much of its time. What is written piece by piece lies on the disk.
 */
public record LocalJobDirectory(Path path) implements JobDirectory {

  static final String UNFINISHED = "tmp-";

  /** The messages of each directory, by name. */
  private static final Map<Path, NavigableMap<String, byte[]>> MESSAGES = new ConcurrentHashMap<>();

  @Override
  public void create() throws IOException {
    Files.createDirectory(path);
    MESSAGES.put(path, new ConcurrentSkipListMap<>());
  }

  private NavigableMap<String, byte[]> messages() throws IOException {
    NavigableMap<String, byte[]> messages = MESSAGES.get(path);
    if (messages == null) {
      throw new NoSuchFileException(path.toString(), null, "the job has ended");
    }
    return messages;
  }

  /** {@inheritDoc} Takes the bytes as they are, and so must nobody change them. */
  @Override
  public void write(String name, byte[] bytes) throws IOException {
    messages().put(name, bytes);
  }

  @Override
  public boolean exists() {
    return Files.exists(path);
  }

  @Override
  public void write(String name, Content content) throws IOException {
    Path unfinished = Files.createTempFile(path, UNFINISHED, name);
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(unfinished))) {
      content.writeTo(out);
    }
    Files.move(
        unfinished,
        path.resolve(name),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
  }

  @Override
  public void give(String name, Path file) throws IOException {
    Files.createSymbolicLink(path.resolve(name), file.toAbsolutePath());
  }

  @Override
  public InputStream open(String name) throws IOException {
    return Files.newInputStream(path.resolve(name));
  }

  @Override
  public boolean contains(String name) throws IOException {
    return messages().containsKey(name) || Files.exists(path.resolve(name));
  }

  @Override
  public List<String> list(String prefix) throws IOException {
    NavigableSet<String> names = new TreeSet<>();
    messages().tailMap(prefix).keySet().stream()
        .takeWhile(name -> name.startsWith(prefix))
        .forEach(names::add);
    try (Stream<Path> files = Files.list(path)) {
      files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.startsWith(prefix))
          .forEach(names::add);
    }
    return List.copyOf(names);
  }

  @Override
  public byte[] read(String name) throws IOException {
    byte[] message = messages().get(name);
    return message == null ? Files.readAllBytes(path.resolve(name)) : message.clone();
  }

  @Override
  public byte[] read(String name, long offset, int length) throws IOException {
    byte[] bytes = new byte[length];
    try (RandomAccessFile file = new RandomAccessFile(path.resolve(name).toFile(), "r")) {
      file.seek(offset);
      file.readFully(bytes);
    }
    return bytes;
  }

  @Override
  public byte[] readFrom(String name, long offset) throws IOException {
    byte[] all = read(name);
    return Arrays.copyOfRange(all, (int) offset, all.length);
  }

  @Override
  public AgreedFile agreedFile(String name) {
    return new LocalAgreedFile(path.resolve(name));
  }

  @Override
  public void delete() throws IOException {
    MESSAGES.remove(path);
    FileTrees.delete(path);
  }
}
