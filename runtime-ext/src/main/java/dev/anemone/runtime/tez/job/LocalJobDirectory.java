// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.job;

import dev.anemone.runtime.resource.FileTrees;
import dev.anemone.runtime.spi.AgreedFile;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;

/** A job's directory on this machine. */
public record LocalJobDirectory(Path path) implements JobDirectory {

  static final String UNFINISHED = "tmp-";

  @Override
  public void create() throws IOException {
    Files.createDirectory(path);
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
  public List<String> list(String prefix) throws IOException {
    try (Stream<Path> files = Files.list(path)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.startsWith(prefix))
          .sorted()
          .toList();
    }
  }

  @Override
  public byte[] read(String name) throws IOException {
    return Files.readAllBytes(path.resolve(name));
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
  public AgreedFile agreedFile(String name) {
    return new LocalAgreedFile(path.resolve(name));
  }

  @Override
  public void delete() throws IOException {
    FileTrees.delete(path);
  }
}
