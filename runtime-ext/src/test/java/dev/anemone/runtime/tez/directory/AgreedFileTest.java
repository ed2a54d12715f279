// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.runtime.spi.AgreedFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AgreedFileTest {

  @TempDir Path root;
  private Path path;

  @BeforeEach
  void create() throws IOException {
    path = root.resolve("job");
    new LocalJobDirectory(path).create();
  }

  private JobDirectory directory(String kind) throws IOException {
    return kind.equals("local")
        ? new LocalJobDirectory(path)
        : HadoopJobDirectory.of(path.toUri(), new Configuration());
  }

  private static Optional<String> contents(AgreedFile file) throws IOException {
    Optional<InputStream> in = file.open();
    if (in.isEmpty()) {
      return Optional.empty();
    }
    try (InputStream opened = in.get()) {
      return Optional.of(new String(opened.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  private static void write(AgreedFile.Draft draft, String text) throws IOException {
    draft.out().write(text.getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @ValueSource(strings = {"local", "hadoop"})
  void theDraftThatIsPublishedFirstStays(String kind) throws IOException {
    JobDirectory directory = directory(kind);
    AgreedFile file = directory.agreedFile("agreed");
    try (AgreedFile.Draft first = file.begin();
        AgreedFile.Draft second = file.begin()) {
      write(first, "first");
      write(second, "second");
      assertThat(contents(file)).isEmpty();
      second.publish();
      assertThat(contents(file)).contains("second");
      first.publish();
    }

    assertThat(contents(file)).contains("second");
    assertThat(directory.list("")).containsExactly("agreed");
  }

  @ParameterizedTest
  @ValueSource(strings = {"local", "hadoop"})
  void aDraftThatIsNotPublishedIsDropped(String kind) throws IOException {
    JobDirectory directory = directory(kind);
    AgreedFile file = directory.agreedFile("agreed");
    try (AgreedFile.Draft draft = file.begin()) {
      write(draft, "half");
    }

    assertThat(contents(file)).isEmpty();
    assertThat(directory.list("")).isEmpty();
  }

  @Test
  void attemptsThatPublishAtOnceReadTheSame() throws Exception {
    ExecutorService attempts = Executors.newFixedThreadPool(8);
    List<Callable<Optional<String>>> tasks =
        IntStream.range(0, 8).<Callable<Optional<String>>>mapToObj(i -> () -> attempt(i)).toList();
    Set<Optional<String>> agreed = new HashSet<>();
    try {
      for (Future<Optional<String>> task : attempts.invokeAll(tasks, 10, TimeUnit.SECONDS)) {
        agreed.add(task.get());
      }
    } finally {
      attempts.shutdownNow();
    }

    assertThat(agreed).hasSize(1).allMatch(Optional::isPresent);
  }

  private Optional<String> attempt(int number) throws IOException {
    AgreedFile file = new LocalJobDirectory(path).agreedFile("agreed");
    try (AgreedFile.Draft draft = file.begin()) {
      write(draft, "attempt " + number);
      draft.publish();
    }
    return contents(file);
  }
}
