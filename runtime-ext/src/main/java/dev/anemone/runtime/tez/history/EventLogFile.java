// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.history;

import dev.anemone.runtime.event.EventLogWriter;
import dev.anemone.runtime.event.JobEvent;
import dev.anemone.runtime.tez.job.JobFiles;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.EnumSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.UnsupportedFileSystemException;

/**
 * The log of a job: {@code <job id>.jsonl} in a directory, which is called {@code <job
 * id>.jsonl.inprogress} until it is whole. Not thread-safe.
 */
public final class EventLogFile implements Closeable {

  private static final String SUFFIX = ".jsonl";
  private static final String UNFINISHED = ".inprogress";

  private final FileContext files;
  private final Path unfinished;
  private final Path path;
  private final FSDataOutputStream out;
  private final EventLogWriter writer;

  private EventLogFile(FileContext files, Path path, Path unfinished, FSDataOutputStream out) {
    this.files = files;
    this.path = path;
    this.unfinished = unfinished;
    this.out = out;
    this.writer = new EventLogWriter(new BufferedOutputStream(out));
  }

  /**
   * Begins the log of a job, or anew where there is an unfinished one.
   *
   * @param directory is made when it is not there
   * @throws IOException when nothing can be written there
   */
  public static EventLogFile create(URI directory, Configuration configuration, String jobId)
      throws IOException {
    try {
      URI place = withAuthority(directory, configuration);
      FileContext files = FileContext.getFileContext(place, configuration);
      Path parent = new Path(place);
      files.mkdir(parent, FileContext.DIR_DEFAULT_PERM, true);
      Path unfinished = new Path(parent, jobId + SUFFIX + UNFINISHED);
      return new EventLogFile(
          files,
          new Path(parent, jobId + SUFFIX),
          unfinished,
          files.create(unfinished, EnumSet.of(CreateFlag.CREATE, CreateFlag.OVERWRITE)));
    } catch (UnsupportedFileSystemException e) {
      throw new IOException("there is no file system for " + directory, e);
    }
  }

  /** What there is of the log of a job that has not ended. */
  static InputStream openUnfinished(URI directory, Configuration configuration, String jobId)
      throws IOException {
    URI place = withAuthority(directory, configuration);
    return FileContext.getFileContext(place, configuration)
        .open(new Path(new Path(place), jobId + SUFFIX + UNFINISHED));
  }

  /** People write {@code hdfs:///logs} and mean the cluster's own file system. */
  private static URI withAuthority(URI directory, Configuration configuration) {
    URI own = FileSystem.getDefaultUri(configuration);
    return directory.getRawAuthority() == null
            && own.getRawAuthority() != null
            && own.getScheme().equals(directory.getScheme())
        ? own.resolve(directory.getRawPath())
        : directory;
  }

  /**
   * Begins what an application master writes of a job, one of {@link JobFiles#historyFiles}.
   *
   * @param attempt of the master
   */
  static EventLogFile ofMaster(URI jobDirectory, Configuration configuration, int attempt)
      throws IOException {
    FileContext files = FileContext.getFileContext(jobDirectory, configuration);
    Path path = new Path(new Path(jobDirectory), JobFiles.historyFile(attempt));
    return new EventLogFile(files, path, path, files.create(path, EnumSet.of(CreateFlag.CREATE)));
  }

  /** Adds events, and has them where a reader can see them. */
  public void write(Iterable<JobEvent> events) throws IOException {
    for (JobEvent event : events) {
      writer.write(event);
    }
    writer.flush();
    out.hflush();
  }

  /** The log is whole. */
  public void finish() throws IOException {
    writer.close();
    if (!unfinished.equals(path)) {
      files.rename(unfinished, path, Options.Rename.OVERWRITE);
    }
  }

  /** Closes the file as it is. */
  @Override
  public void close() throws IOException {
    writer.close();
  }
}
