// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.directory;

import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;

/**
 * Opens files of HDFS that somebody may be writing now. Whoever opens one asks a data node for its
 * length, one after the other until one answers. A client of HDFS tries ten times, or for a quarter
 * of an hour where nothing answers at all, to connect to a data node that is gone, though the next
 * one knows the length, too; here it tries once. Thread-safe.
 */
final class GrowingFiles {

  /** How long it may take to connect to a data node, in ms. */
  static final String CONNECT_MS = "anemone.growing-files.connect-ms";

  /** How long a data node that is connected may be silent, in ms. */
  static final String REPLY_MS = "anemone.growing-files.reply-ms";

  private static final int DEFAULT_CONNECT_MS = 2_000;
  private static final int DEFAULT_REPLY_MS = 10_000;

  private final URI uri;
  private final Configuration configuration;
  private FileContext files;

  /**
   * The files of a file system.
   *
   * @param configuration which is not changed
   */
  GrowingFiles(URI uri, Configuration configuration) {
    this.uri = uri;
    this.configuration = configuration;
  }

  /** Opens a file at what is its length now. */
  FSDataInputStream open(Path path) throws IOException {
    return files().open(path);
  }

  /** Most of who has a job's directory reads no file that grows. */
  private synchronized FileContext files() throws IOException {
    if (files == null) {
      Configuration impatient = new Configuration(configuration);
      impatient.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_KEY, 0);
      impatient.setInt(
          CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_ON_SOCKET_TIMEOUTS_KEY, 0);
      impatient.setInt(
          CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_TIMEOUT_KEY,
          configuration.getInt(CONNECT_MS, DEFAULT_CONNECT_MS));
      impatient.setInt(
          HdfsClientConfigKeys.DFS_CLIENT_SOCKET_TIMEOUT_KEY,
          configuration.getInt(REPLY_MS, DEFAULT_REPLY_MS));
      files = FileContext.getFileContext(uri, impatient);
    }
    return files;
  }
}
