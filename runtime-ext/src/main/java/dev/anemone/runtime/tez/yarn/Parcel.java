// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.yarn;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;

/** A file that the cluster is to have. */
sealed interface Parcel permits Parcel.Jar, JarArchive {

  /** Name of the file on the cluster. */
  String name();

  /** Names the content, in hexadecimal; what has the same key has the same bytes. */
  String key();

  /** The file's length. */
  long bytes();

  /**
   * Writes the file; the stream stays open.
   *
   * @throws IOException also when the content is not that of the key any more
   */
  void writeTo(OutputStream out) throws IOException;

  /**
   * One jar.
   *
   * @param local where it lies on this machine
   * @param name of the file on the cluster
   * @param digest of its content
   */
  record Jar(Path local, String name, ContentDigest digest) implements Parcel {

    @Override
    public String key() {
      return digest.sha256();
    }

    @Override
    public long bytes() {
      return digest.bytes();
    }

    @Override
    public void writeTo(OutputStream out) throws IOException {
      if (!ContentDigest.copy(local, out).equals(digest)) {
        throw new IOException(
            local + " was changed while it was sent to the cluster; start the job again");
      }
    }
  }
}
