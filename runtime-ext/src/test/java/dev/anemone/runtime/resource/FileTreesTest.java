// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.resource;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileTreesTest {

  @TempDir Path directory;

  @Test
  void deletesTreesByNameWhileOthersDeleteToo() throws Exception {
    Path keep = Files.createDirectories(directory.resolve("output/attempt_1_2_x"));
    for (int i = 0; i < 200; i++) {
      Files.writeString(
          Files.createDirectories(directory.resolve("output/attempt_1_1_" + i)).resolve("block"),
          "x");
    }
    CompletableFuture<Void> other =
        CompletableFuture.runAsync(
            () -> {
              try {
                FileTrees.deleteNamed(directory, "attempt_1_1_");
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    FileTrees.deleteNamed(directory, "attempt_1_1_");
    other.get(30, TimeUnit.SECONDS);
    try (Stream<Path> left = Files.list(directory.resolve("output"))) {
      assertThat(left).containsExactly(keep);
    }
  }

  @Test
  void aFileOrNothingIsATreeToo() throws IOException {
    Path file = Files.writeString(directory.resolve("file"), "x");
    FileTrees.delete(file);
    FileTrees.delete(file);
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void linksAreDeletedAndNotFollowed() throws IOException {
    Path kept =
        Files.writeString(Files.createDirectory(directory.resolve("kept")).resolve("f"), "");
    Path tree = Files.createDirectories(directory.resolve("tree/below")).getParent();
    Files.createSymbolicLink(tree.resolve("directory"), kept.getParent());
    Files.createSymbolicLink(tree.resolve("below/file"), kept);
    Files.createSymbolicLink(tree.resolve("nowhere"), directory.resolve("never-there"));

    FileTrees.delete(tree);

    assertThat(tree).doesNotExist();
    assertThat(kept).exists();
  }

  @Test
  void onlyDirectoriesOfThatNameAreDeletedInADirectory() throws IOException {
    Files.createDirectories(directory.resolve("job-1/a/b"));
    Path other = Files.createDirectory(directory.resolve("other"));
    Path file = Files.writeString(directory.resolve("job-2"), "");

    FileTrees.deleteDirectoriesIn(directory, "job-");
    FileTrees.deleteDirectoriesIn(directory.resolve("never-there"), "job-");

    try (Stream<Path> left = Files.list(directory)) {
      assertThat(left).containsExactlyInAnyOrder(other, file);
    }
  }
}
