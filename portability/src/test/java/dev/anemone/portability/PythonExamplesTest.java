// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.portability.server.JobServer;
import dev.anemone.portability.server.JobServerSettings;
import dev.anemone.testing.PythonWithBeam;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the programs of {@code python/examples}, each in a process of its own. */
@Tag("slow")
class PythonExamplesTest {

  private static final Path EXAMPLES =
      Path.of("..", "python", "examples").toAbsolutePath().normalize();

  @TempDir static Path directory;

  private static PythonWithBeam python;
  private static JobServer server;

  @BeforeEach
  void start() throws Exception {
    python = PythonWithBeam.find();
    if (server == null) {
      server = JobServer.start(new JobServerSettings(0, 0, 0, directory.resolve("artifacts")));
    }
  }

  @AfterAll
  static void stop() throws Exception {
    if (server != null) {
      server.close();
    }
  }

  /** The sorted lines of what an example has written. */
  private static List<String> run(String example, String... options) throws Exception {
    Path output = Files.createDirectory(directory.resolve(example));
    List<String> arguments = new ArrayList<>();
    arguments.add(EXAMPLES.resolve(example + ".py").toString());
    arguments.add("--output=" + output.resolve("part"));
    arguments.addAll(List.of(options));
    arguments.add("--runner=PortableRunner");
    arguments.add("--job_endpoint=" + server.jobEndpoint());
    arguments.add("--environment_type=LOOPBACK");

    PythonWithBeam.Output ran = python.run(directory, arguments);

    assertThat(ran.exitCode()).as(ran.text()).isZero();
    return sortedLines(output);
  }

  private static List<String> sortedLines(Path output) throws IOException {
    List<String> lines = new ArrayList<>();
    try (DirectoryStream<Path> parts = Files.newDirectoryStream(output)) {
      for (Path part : parts) {
        // A sink may leave its directory for temporary files behind.
        if (Files.isRegularFile(part)) {
          lines.addAll(Files.readAllLines(part));
        }
      }
    }
    return lines.stream().sorted().toList();
  }

  @Test
  void wordsAreWeighedByJoins() throws Exception {
    Path texts = Files.createDirectory(directory.resolve("texts"));
    Files.writeString(texts.resolve("a.txt"), "the cat\nthe dog\n");
    Files.writeString(texts.resolve("b.txt"), "the bird\n");

    assertThat(run("tf_idf", "--input=" + texts + "/*.txt"))
        .containsExactly(
            "bird b.txt 0.347",
            "cat a.txt 0.173",
            "dog a.txt 0.173",
            "the a.txt 0.000",
            "the b.txt 0.000");
  }

  @Test
  void dataFramesAreGrouped() throws Exception {
    Path sales = directory.resolve("sales.csv");
    Files.writeString(sales, "region,amount\nnorth,10\nsouth,20\nnorth,5\nnorth,30\n");

    assertThat(run("dataframe", "--input=" + sales))
        .filteredOn(line -> !line.equals("region,amount"))
        .containsExactly("north,40", "south,20");
  }

  @Test
  void aModelPredicts() throws Exception {
    assertThat(run("inference", "--model=" + directory.resolve("line.pickle")))
        .containsExactly("20 41.0", "30 61.0", "40 81.0");
  }

  @Test
  void parquetIsWrittenAndRead() throws Exception {
    assertThat(run("parquet", "--file=" + directory.resolve("numbers")))
        .containsExactly("even 249500", "odd 250000");
  }
}
