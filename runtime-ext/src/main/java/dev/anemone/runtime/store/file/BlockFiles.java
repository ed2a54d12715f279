// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The files of one block, by the names that YARN's shuffle handler for Tez looks for. */
record BlockFiles(Path directory) {

  Path data() {
    return directory.resolve("file.out");
  }

  Path index() {
    return directory.resolve("file.out.index");
  }

  Path unfinishedIndex() {
    return directory.resolve("file.out.index.unfinished");
  }

  /** Deletes the files that are there; the index first, so that nobody finds half a block. */
  void delete() throws IOException {
    Files.deleteIfExists(index());
    Files.deleteIfExists(unfinishedIndex());
    Files.deleteIfExists(data());
  }
}
