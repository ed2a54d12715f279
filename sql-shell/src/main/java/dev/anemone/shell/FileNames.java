// SPDX-License-Identifier: Apache-2.0
package dev.anemone.shell;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jline.reader.Candidate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Completes files of this machine that stand in quotes where tables stand. */
final class FileNames {
  private static final Logger LOG = LoggerFactory.getLogger(FileNames.class);

  private static final Set<String> ENDINGS = Set.of("parquet", "csv", "json", "jsonl", "ndjson");

  private FileNames() {}

  /**
   * Adds the files and directories that a path may go on with.
   *
   * @param word the path, with the quote before it
   */
  static void complete(Word word, List<Candidate> candidates) {
    String text = word.head() + word.tail();
    int name = text.lastIndexOf('/') + 1;
    String directory = name == 0 ? "" : text.substring(1, name);
    Word start = new Word(name == 0 ? "'" : text.substring(0, name), "");
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(Path.of(directory.isEmpty() ? "." : directory))) {
      for (Path file : files) {
        String found = file.getFileName().toString();
        if (Files.isDirectory(file)) {
          start.add(candidates, found + "/", "directories", false);
        } else if (ENDINGS.contains(ending(found))) {
          start.add(candidates, found + "'", "files");
        }
      }
    } catch (IOException | DirectoryIteratorException | InvalidPathException e) {
      // There is nothing to offer; the statement itself will say why.
      LOG.debug("The files of {} are not known", directory, e);
    }
  }

  private static String ending(String name) {
    return name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
  }
}
