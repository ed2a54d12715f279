// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.directory;

import dev.anemone.runtime.spi.AgreedFile;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;

/** A job's directory on a file system of Hadoop's. */
public final class HadoopJobDirectory implements JobDirectory {

  static final String UNFINISHED = "tmp-";

  /** More would have a name node answer them, and nobody else. */
  private static final int READERS = 16;

  private final FileContext files;
  private final GrowingFiles growing;
  private final Path path;

  private HadoopJobDirectory(FileContext files, GrowingFiles growing, Path path) {
    this.files = files;
    this.growing = growing;
    this.path = path;
  }

  /** The directory at a URI, whose file system the configuration knows. */
  public static HadoopJobDirectory of(URI uri, Configuration configuration) throws IOException {
    return new HadoopJobDirectory(
        FileContext.getFileContext(uri, configuration),
        new GrowingFiles(uri, configuration),
        new Path(uri));
  }

  @Override
  public boolean exists() throws IOException {
    return files.util().exists(path);
  }

  @Override
  public void create() throws IOException {
    files.mkdir(path, FileContext.DIR_DEFAULT_PERM, true);
  }

  @Override
  public void write(String name, Content content) throws IOException {
    Path unfinished = new Path(path, UNFINISHED + UUID.randomUUID());
    try (FSDataOutputStream out = files.create(unfinished, EnumSet.of(CreateFlag.CREATE))) {
      content.writeTo(out);
    }
    files.rename(unfinished, new Path(path, name), Options.Rename.OVERWRITE);
  }

  @Override
  public void give(String name, java.nio.file.Path file) throws IOException {
    write(name, out -> Files.copy(file, out));
  }

  @Override
  public InputStream open(String name) throws IOException {
    return files.open(new Path(path, name));
  }

  @Override
  public boolean contains(String name) throws IOException {
    return files.util().exists(new Path(path, name));
  }

  @Override
  public List<String> list(String prefix) throws IOException {
    return Stream.of(files.util().listStatus(path))
        .map(FileStatus::getPath)
        .map(Path::getName)
        .filter(name -> name.startsWith(prefix))
        .sorted()
        .toList();
  }

  @Override
  public byte[] read(String name) throws IOException {
    try (FSDataInputStream in = files.open(new Path(path, name))) {
      return in.readAllBytes();
    }
  }

  /** Several at a time, as each takes a way or two over the network. */
  @Override
  public List<byte[]> readAll(List<Tail> tails) throws IOException {
    if (tails.size() <= 1) {
      return JobDirectory.super.readAll(tails);
    }
    ExecutorService readers =
        Executors.newFixedThreadPool(
            Math.min(tails.size(), READERS), new DefaultThreadFactory("anemone-job-files", true));
    try {
      List<Future<byte[]>> reads =
          tails.stream()
              .map(tail -> readers.submit(() -> readFrom(tail.name(), tail.offset())))
              .toList();
      List<byte[]> all = new ArrayList<>();
      for (Future<byte[]> read : reads) {
        all.add(read.get());
      }
      return all;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      InterruptedIOException interrupted =
          new InterruptedIOException("interrupted while files of " + path + " were read");
      interrupted.initCause(e);
      throw interrupted;
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException failure ? failure : new IOException(e.getCause());
    } finally {
      readers.shutdownNow();
    }
  }

  @Override
  public byte[] read(String name, long offset, int length) throws IOException {
    byte[] bytes = new byte[length];
    try (FSDataInputStream in = files.open(new Path(path, name))) {
      in.readFully(offset, bytes);
    }
    return bytes;
  }

  @Override
  public byte[] readFrom(String name, long offset) throws IOException {
    try (FSDataInputStream in = growing.open(new Path(path, name))) {
      in.seek(offset);
      return in.readAllBytes();
    }
  }

  @Override
  public MessageLog log(String prefix) throws IOException {
    return HadoopMessageLog.begin(
        files, new Path(path, prefix + UUID.randomUUID()), JobDirectory.super.log(prefix));
  }

  @Override
  public AgreedFile agreedFile(String name) {
    return new HadoopAgreedFile(files, new Path(path, name));
  }

  @Override
  public void delete() throws IOException {
    try {
      files.delete(path, true);
    } catch (FileNotFoundException e) {
      return; // somebody else has deleted it
    }
  }
}
