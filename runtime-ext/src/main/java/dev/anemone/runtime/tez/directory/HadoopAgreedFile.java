// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.directory;

import dev.anemone.runtime.spi.AgreedFile;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.EnumSet;
import java.util.Optional;
import java.util.UUID;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.Path;

/**
 * A file on a file system of Hadoop's that attempts on any machine agree on: the file system lets
 * one rename of several to a new name succeed. Thread-safe.
 */
record HadoopAgreedFile(FileContext files, Path path) implements AgreedFile {

  @Override
  public Optional<InputStream> open() throws IOException {
    try {
      return Optional.of(files.open(path));
    } catch (FileNotFoundException e) {
      return Optional.empty();
    }
  }

  @Override
  public Draft begin() throws IOException {
    Path unfinished = new Path(path.getParent(), HadoopJobDirectory.UNFINISHED + UUID.randomUUID());
    return new HadoopDraft(
        files, path, unfinished, files.create(unfinished, EnumSet.of(CreateFlag.CREATE)));
  }

  private record HadoopDraft(FileContext files, Path path, Path unfinished, OutputStream out)
      implements Draft {

    @Override
    public void publish() throws IOException {
      out.close();
      try {
        files.rename(unfinished, path);
      } catch (FileAlreadyExistsException e) {
        return; // another attempt was faster, and close deletes the draft
      }
    }

    @Override
    public void close() throws IOException {
      out.close();
      files.delete(unfinished, false);
    }
  }
}
