// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.ndp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.Row;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What queries keep on disk while they run is below {@code --tempDirectory}. */
class FilesOfQueriesTest {

  private static final String FILTER = "SELECT id, flag FROM t WHERE id < 30000 AND good";

  private static final Queue<String> SEEN = new ConcurrentLinkedQueue<>();

  @TempDir private Path directory;

  @AfterEach
  void forget() {
    SEEN.clear();
  }

  @Test
  void ofOneTaskAreInTheTempDirectory() throws Exception {
    assertThat(seen(FILTER, "--columnar=auto"))
        .anyMatch(path -> path.matches("anemone-engine-.*/plan-.*"));
  }

  @Test
  void ofTasksThatExchangeBatchesAreInTheTempDirectory() throws Exception {
    assertThat(
            seen(
                "SELECT flag, COUNT(*) AS n FROM t GROUP BY flag",
                "--columnar=distributed",
                "--passOptions=keepExchanges=true"))
        .anyMatch(path -> path.matches("anemone-engine-.*/engine-.*"));
  }

  @Test
  void ofSplitsAreInTheTempDirectory() throws Exception {
    assertThat(seen(FILTER, "--columnar=off"))
        .anyMatch(path -> path.matches("anemone-engine-.*/plan-.*"));
  }

  /** Paths below the directory while rows of a query arrive, and checks that all go afterwards. */
  private List<String> seen(String query, String... options) throws Exception {
    Path temporary = directory.resolve("temporary");
    try (NdpFiles files = new NdpFiles(Files.createDirectory(directory.resolve("tables")))) {
      NdpRuns runs = new NdpRuns(files.ddl("parquet"), options);
      Pipeline pipeline = runs.pipeline("--tempDirectory=" + temporary, "--slots=2");
      runs.apply(pipeline, "Query", query).apply("See", ParDo.of(new SeeFn(temporary.toString())));
      pipeline.run().waitUntilFinish();
    }
    assertThat(paths(temporary)).noneMatch(path -> path.matches(".*/(plan|plans|engine)-.*"));
    return List.copyOf(SEEN);
  }

  private static List<String> paths(Path temporary) throws IOException {
    try (Stream<Path> children = Files.walk(temporary, 2)) {
      return children.map(child -> temporary.relativize(child).toString()).toList();
    }
  }

  private static final class SeeFn extends DoFn<Row, Void> {
    private static final long serialVersionUID = 1L;

    private final String directory;
    private transient boolean seen;

    SeeFn(String directory) {
      this.directory = directory;
    }

    @ProcessElement
    public void process() throws IOException {
      if (!seen) {
        seen = true;
        SEEN.addAll(paths(Path.of(directory)));
      }
    }
  }
}
