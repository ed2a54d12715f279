// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.columnar;

import java.io.Serializable;
import java.util.Locale;
import java.util.UUID;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.io.fs.ResolveOptions.StandardResolveOptions;
import org.apache.beam.sdk.io.fs.ResourceId;

/**
 * Where the files of a table go, as Beam names them.
 *
 * @param directory in any of Beam's file systems
 * @param prefix of their names
 * @param ofNothing whether there is one of no rows, too
 */
public record FileTarget(String directory, String prefix, boolean ofNothing)
    implements Serializable {

  /** Files in a directory, of a result that has rows. */
  public static FileTarget inDirectory(String directory) {
    return new FileTarget(directory, "output", false);
  }

  /** Files of a prefix with its directory, one at least. */
  public static FileTarget ofPrefix(String location) {
    if (location.endsWith("/")) {
      return new FileTarget(location, "", true);
    }
    ResourceId file = FileSystems.matchNewResource(location, false);
    return new FileTarget(file.getCurrentDirectory().toString(), file.getFilename(), true);
  }

  /** A new directory beside the files, which readers of the table pass over. */
  String hiddenDirectory() {
    return FileSystems.matchNewResource(directory, true)
        .resolve(".anemone-" + UUID.randomUUID(), StandardResolveOptions.RESOLVE_DIRECTORY)
        .toString();
  }

  /**
   * A file.
   *
   * @param number from 0
   * @param count of all files
   */
  ResourceId file(int number, int count) {
    return FileSystems.matchNewResource(directory, true)
        .resolve(
            String.format(Locale.ROOT, "%s-%05d-of-%05d", prefix, number, count),
            StandardResolveOptions.RESOLVE_FILE);
  }
}
