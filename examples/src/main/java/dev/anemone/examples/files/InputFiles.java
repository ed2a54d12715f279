// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.files;

import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.io.fs.MatchResult;

/** Checks that the input of a pipeline exists. */
public final class InputFiles {
  private InputFiles() {}

  /**
   * Checks that a file name or pattern matches at least one file. The file systems of Beam must
   * know their options already, see {@code FileSystems.setDefaultPipelineOptions}.
   *
   * @param option the command line option that gave the pattern, for the message
   * @throws IllegalArgumentException if nothing matches; the message names the option and the
   *     pattern
   * @throws IOException if the file system cannot be asked
   */
  public static void require(String option, String pattern) throws IOException {
    MatchResult match;
    try {
      match = FileSystems.match(pattern);
      // Of a file system that cannot be asked, the metadata is its failure.
      if (match.status() != MatchResult.Status.NOT_FOUND && !match.metadata().isEmpty()) {
        requireFiles(option, pattern, match);
        return;
      }
    } catch (FileNotFoundException noSuchFile) {
      throw missing(option, pattern, noSuchFile);
    }
    throw missing(option, pattern, null);
  }

  private static void requireFiles(String option, String pattern, MatchResult match)
      throws IOException {
    for (MatchResult.Metadata metadata : match.metadata()) {
      if (metadata.resourceId().isDirectory()) {
        throw new IllegalArgumentException(
            option
                + "="
                + pattern
                + ": "
                + metadata.resourceId()
                + " is a directory. To read the files in it, give a quoted pattern such as '"
                + metadata.resourceId()
                + "*'.");
      }
    }
  }

  private static IllegalArgumentException missing(
      String option, String pattern, FileNotFoundException cause) {
    return new IllegalArgumentException(
        option
            + "="
            + pattern
            + ": no such file, and no file matches it as a pattern. Give the path of an existing"
            + " file, or a quoted pattern such as '/data/*.txt'.",
        cause);
  }
}
