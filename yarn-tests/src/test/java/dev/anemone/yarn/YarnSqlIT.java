// SPDX-License-Identifier: Apache-2.0
package dev.anemone.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.cli.Anemone;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code anemone sql} asks files in HDFS, in tasks on YARN. */
class YarnSqlIT {

  private static final Duration LIMIT = Duration.ofMinutes(9);

  @TempDir private static Path directory;
  private static TestCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    cluster = TestCluster.shared();
    Path orders = directory.resolve("orders");
    Files.createDirectories(orders);
    Files.writeString(orders.resolve("a.csv"), "id,customer,amount\n1,ann,10\n2,bob,20\n");
    Files.writeString(orders.resolve("b.csv"), "id,customer,amount\n3,ann,5\n4,eve,1\n");
    cluster.copyIn(orders, "/orders");
  }

  @Test
  void filesOfTheClusterAreAskedJoinedAndWritten() throws Exception {
    Answer answer =
        sql(
            """
            SELECT customer, SUM(amount) AS total FROM '%1$s/*.csv' GROUP BY customer
              ORDER BY total DESC, customer;
            CREATE EXTERNAL TABLE totals (name VARCHAR, total BIGINT) TYPE text
              LOCATION '%2$s/' TBLPROPERTIES '{"format": "csv"}';
            INSERT INTO totals SELECT customer, SUM(amount) FROM '%1$s/*.csv' GROUP BY customer;
            SET optimizationPolicy = 'LargeShuffle';
            SELECT o.id, t.total FROM '%1$s/*.csv' o JOIN totals t ON o.customer = t.name
              ORDER BY o.id;
            """
                .formatted(cluster.path("/orders"), cluster.path("/totals")),
            "--tempLocation=" + cluster.path("/tmp/sql"));

    assertThat(answer.exitCode()).as(answer.errors()).isZero();
    assertThat(answer.rows())
        .isEqualTo(
            """
            "customer","total"
            "bob","20"
            "ann","15"
            "eve","1"
            "id","total"
            "1","15"
            "2","20"
            "3","15"
            "4","1"
            """);
  }

  @Test
  void aQueryWhoseRowsWouldBeLostIsRefusedBeforeAnythingStarts() throws Exception {
    Answer answer = sql("SELECT * FROM '" + cluster.path("/orders") + "/*.csv'");

    assertThat(answer.exitCode()).isEqualTo(1);
    assertThat(answer.rows()).isEmpty();
    assertThat(answer.errors()).contains("--deployMode=yarn needs --tempLocation");
  }

  /** What the command has printed. */
  private record Answer(int exitCode, String rows, String errors) {}

  private static Answer sql(String statements, String... more) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(option -> option.startsWith("--add-opens"))
        .forEach(command::add);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Anemone.class.getName()));
    command.addAll(List.of("sql", "--format=csv", "-e", statements));
    cluster.arguments("sql", "Default").stream()
        .map(each -> each.startsWith("--executorMemoryMb=") ? "--executorMemoryMb=800" : each)
        .forEach(command::add);
    // Two engines read splits, and another one joins what was read, in the same task.
    command.add("--columnarMemoryMb=64");
    command.addAll(List.of(more));
    Path rows = Files.createTempFile(directory, "sql", ".out");
    Path errors = Files.createTempFile(directory, "sql", ".err");
    Process shell =
        new ProcessBuilder(command)
            .redirectOutput(rows.toFile())
            .redirectError(errors.toFile())
            .start();
    try {
      assertThat(shell.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).as(text(errors)).isTrue();
    } finally {
      shell.destroyForcibly();
    }
    return new Answer(shell.exitValue(), text(rows), text(errors));
  }

  private static String text(Path file) throws IOException {
    return Files.readString(file, StandardCharsets.UTF_8);
  }
}
