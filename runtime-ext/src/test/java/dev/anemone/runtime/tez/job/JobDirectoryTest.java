// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JobDirectoryTest {

  private static final int FILES = 20;

  @TempDir Path root;

  private JobDirectory directory(String kind) throws IOException {
    Path path = root.resolve("job");
    JobDirectory directory =
        kind.equals("local")
            ? new LocalJobDirectory(path)
            : HadoopJobDirectory.of(path.toUri(), new Configuration());
    directory.create();
    for (int i = 0; i < FILES; i++) {
      directory.write("file-" + i, content(i).getBytes(StandardCharsets.UTF_8));
    }
    return directory;
  }

  /** The first files are the longest, so that they come last where several are read at a time. */
  private static String content(int file) {
    return "x".repeat(10_000 * (FILES - file)) + file;
  }

  @ParameterizedTest
  @ValueSource(strings = {"local", "hadoop"})
  void filesAreReadInTheirOrder(String kind) throws IOException {
    JobDirectory directory = directory(kind);
    List<Integer> order = new ArrayList<>(IntStream.range(0, FILES).boxed().toList());
    Collections.rotate(order, FILES / 2);

    List<byte[]> read = directory.readAll(order.stream().map(i -> "file-" + i).toList());

    assertThat(read)
        .extracting(bytes -> new String(bytes, StandardCharsets.UTF_8))
        .containsExactlyElementsOf(order.stream().map(JobDirectoryTest::content).toList());
    assertThat(directory.readAll(List.of())).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"local", "hadoop"})
  void filesOfTheFrontEndAreReadAndOutliveTheJob(String kind) throws IOException {
    JobDirectory directory = directory(kind);
    Path file = Files.writeString(root.resolve("given"), "content");
    JobFiles files = new JobFiles(directory);

    files.give(Map.of("name", file));

    try (InputStream read = files.openGiven("name")) {
      assertThat(read).hasContent("content");
    }
    assertThatThrownBy(() -> files.openGiven("other"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("other");
    directory.delete();
    assertThat(root.resolve("job")).doesNotExist();
    assertThat(file).hasContent("content");
  }

  @ParameterizedTest
  @ValueSource(strings = {"local", "hadoop"})
  void oneThatIsNotThereIsTold(String kind) throws IOException {
    JobDirectory directory = directory(kind);

    assertThatThrownBy(() -> directory.readAll(List.of("file-1", "file-none", "file-2")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("file-none");
  }
}
