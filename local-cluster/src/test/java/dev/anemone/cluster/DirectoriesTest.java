// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectoriesTest {

  @TempDir Path directory;

  @Test
  void aTreeIsDeletedWithItsLinksAndNotWhatTheyLeadTo() throws IOException {
    Path kept =
        Files.writeString(Files.createDirectory(directory.resolve("kept")).resolve("f"), "");
    Path tree = Files.createDirectories(directory.resolve("tree/below")).getParent();
    Files.writeString(tree.resolve("below/file"), "x");
    Files.createSymbolicLink(tree.resolve("directory"), kept.getParent());
    Files.createSymbolicLink(tree.resolve("below/link"), kept);
    Files.createSymbolicLink(tree.resolve("nowhere"), directory.resolve("never-there"));

    Directories.delete(tree);
    Directories.delete(tree);

    assertThat(tree).doesNotExist();
    assertThat(kept).exists();
  }
}
