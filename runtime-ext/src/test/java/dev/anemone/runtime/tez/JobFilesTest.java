package dev.anemone.runtime.tez;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.runtime.engine.TaskReport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobFilesTest {

  @TempDir Path directory;

  private JobFiles files() {
    return JobFiles.of(directory.toUri().toString());
  }

  @Test
  void aLaterAttemptReplacesTheReportsOfAnEarlierOne() throws IOException {
    files().writeReports("stage0", 1, List.of(new TaskReport("v", 1, new byte[] {1})));
    files().writeReports("stage0", 1, List.of(new TaskReport("v", 1, new byte[] {2})));
    files().writeReports("stage0", 2, List.of(new TaskReport("v", 2, new byte[] {3})));
    assertThat(files().readReports())
        .usingRecursiveFieldByFieldElementComparator()
        .containsExactly(
            new TaskReport("v", 1, new byte[] {2}), new TaskReport("v", 2, new byte[] {3}));
  }

  @Test
  void theFailureOfTheLastAttemptIsTheOneThatCounts() throws IOException {
    assertThat(files().readLastFailure(getClass().getClassLoader())).isEmpty();
    files().writeFailure("stage9", 0, 1, new IllegalStateException("last"));
    files().writeFailure("stage1", 0, 0, new IllegalStateException("first"));
    assertThat(files().readLastFailure(getClass().getClassLoader()))
        .get()
        .extracting(Throwable::getMessage)
        .isEqualTo("last");
  }

  @Test
  void anExceptionThatCannotTravelIsDescribed() throws IOException {
    files().writeFailure("stage0", 0, 0, new Unserializable("why", new IOException("root")));
    Throwable read = files().readLastFailure(getClass().getClassLoader()).orElseThrow();
    assertThat(read).hasMessageContaining("Unserializable: why");
    assertThat(read.getCause()).hasMessageContaining("java.io.IOException: root");
    assertThat(read.getStackTrace()[0].getMethodName())
        .isEqualTo("anExceptionThatCannotTravelIsDescribed");
  }

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
                JobFiles.deleteTreesNamed(directory, "attempt_1_1_");
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    JobFiles.deleteTreesNamed(directory, "attempt_1_1_");
    other.get(30, TimeUnit.SECONDS);
    try (Stream<Path> left = Files.list(directory.resolve("output"))) {
      assertThat(left).containsExactly(keep);
    }
    JobFiles.deleteTree(directory.resolve("never-there"));
  }

  private static final class Unserializable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings({"unused", "serial", "UnusedVariable"}) // what makes it unserializable
    private final Object field = new Object();

    Unserializable(String message, Throwable cause) {
      super(message, cause);
    }
  }
}
