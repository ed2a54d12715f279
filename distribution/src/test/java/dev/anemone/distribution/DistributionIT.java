// SPDX-License-Identifier: Apache-2.0
package dev.anemone.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.examples.tpch.TpchTable;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.beam.sdk.schemas.Schema.Field;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The distribution as one who has downloaded it uses it: unpacked into an empty directory, on a
 * machine with a JDK and without Maven.
 */
class DistributionIT {
  private static final Path ARCHIVE = Path.of(System.getProperty("anemone.distribution"));

  @TempDir private static Path unpacked;
  private static Installation installation;

  @TempDir private Path directory;

  @BeforeAll
  static void unpack() throws Exception {
    installation = Installation.unpack(ARCHIVE, unpacked);
  }

  @Test
  void itHasWhatADistributionHas() throws IOException {
    try (Stream<Path> files = Files.list(installation.root())) {
      assertThat(files.map(Installation::fileName).filter(name -> !name.equals("cache")))
          .containsExactlyInAnyOrder(
              "bin", "conf", "lib", "python", "share", "LICENSE", "NOTICE", "README.md");
    }
    assertThat(installation.root().resolve("python/anemone_beam/nemo_runner.py")).exists();
    assertThat(installation.root().resolve("share/man/man1/anemone-sql.1"))
        .content()
        .contains("Runs statements of Beam SQL");
    assertThat(installation.root().resolve("LICENSE")).content().contains("Apache License");
  }

  @Test
  void everyJarIsThereOnceAndOnAClassPath() throws IOException {
    Set<String> named = new TreeSet<>();
    for (String module : List.of("cli", "examples", "local-cluster")) {
      named.addAll(Files.readAllLines(installation.root().resolve("lib/" + module + ".classpath")));
    }

    try (Stream<Path> files = Files.list(installation.root().resolve("lib"))) {
      assertThat(files.map(Installation::fileName).filter(name -> name.endsWith(".jar")))
          .containsExactlyInAnyOrderElementsOf(named);
    }
  }

  @Test
  void serversStartWithoutTheExamples() throws IOException {
    assertThat(installation.root().resolve("lib/cli.classpath"))
        .content()
        .startsWith("anemone-cli-")
        .doesNotContain("anemone-examples", "tpch", "extensions-sql");
  }

  @Test
  void theVersionSaysWhatItIsMadeOf() throws Exception {
    assertThat(installation.run("--version").succeeds().out())
        .matches(
            "anemone \\S+, commit ([0-9a-f]{7,}|unknown)\\n"
                + "Beam \\S+, Tez \\S+, Hadoop \\S+, Java \\S+\\n");
  }

  @Test
  void wordsAreCountedAndTheNextStartIsFast() throws Exception {
    Path text = Files.writeString(directory.resolve("text"), "to be or not to be\n");

    Installation.Run run =
        installation
            .run("wordcount", "--input=" + text, "--output=" + directory.resolve("counts"))
            .succeeds();

    List<String> lines = new ArrayList<>();
    for (String file : run.out().lines().toList()) {
      lines.addAll(Files.readAllLines(Path.of(file)));
    }
    assertThat(lines).containsExactlyInAnyOrder("to: 2", "be: 2", "or: 1", "not: 1");
    try (Stream<Path> archives = Files.list(installation.root().resolve("cache"))) {
      assertThat(archives.filter(file -> file.toString().endsWith(".jsa")))
          .singleElement()
          .satisfies(archive -> assertThat(Files.size(archive)).isPositive());
    }
    installation.run("--version").succeeds().saysNothingElse();
  }

  @Test
  @Tag("nightly")
  void aDistributionThatCannotBeWrittenToKeepsItsCacheInTheUsersHome() throws Exception {
    Installation shared = installation.another(directory);
    Files.createFile(shared.root().resolve("cache"));

    shared.run("--version").succeeds();

    try (Stream<Path> archives = Files.list(shared.user().resolve(".anemone/cache"))) {
      assertThat(archives.filter(file -> file.toString().endsWith(".jsa"))).hasSize(1);
    }
    shared.run("--version").succeeds().saysNothingElse();
  }

  @Test
  @Tag("nightly")
  void theLogIsConfiguredInConf() throws Exception {
    Installation changed = installation.another(directory);
    Files.writeString(
        changed.root().resolve("conf/log4j.properties"),
        """
        log4j.rootLogger=DEBUG, stderr
        log4j.appender.stderr=org.apache.log4j.ConsoleAppender
        log4j.appender.stderr.target=System.err
        log4j.appender.stderr.layout=org.apache.log4j.PatternLayout
        log4j.appender.stderr.layout.ConversionPattern=said: %m%n
        """);

    assertThat(changed.run("pool", "status", "--servers=127.0.0.1:" + freePort()).err())
        .contains("said: ");
  }

  @Test
  @Tag("nightly")
  void tpchReadsTextAndParquet() throws Exception {
    Path text = directory.resolve("text");
    String revenue = "     revenue\n------------\n1193053.2253\n";
    assertThat(installation.run(query6(text)).succeeds().out()).isEqualTo(revenue);

    Path parquet = Files.createDirectory(directory.resolve("parquet"));
    writeParquet(text, parquet);

    assertThat(installation.run(query6(parquet)).succeeds().out()).isEqualTo(revenue);
  }

  @Test
  void aPoolIsStartedAskedAndStopped() throws Exception {
    String address = "127.0.0.1:" + freePort();
    Process server =
        installation
            .command("pool", "start", "--capacity=64m", "--transport=tcp", "--listen=" + address)
            .redirectErrorStream(true)
            .start();
    try (BufferedReader says = server.inputReader(StandardCharsets.UTF_8)) {
      assertThat(says.readLine())
          .isEqualTo("anemone: pool server " + address + " lends 67108864 bytes over tcp");

      assertThat(
              installation
                  .run("pool", "status", "--transport=tcp", "--servers=" + address)
                  .succeeds()
                  .out())
          .contains(address + " DRAM: 0 of 67,108,864 bytes used");
      installation.run("pool", "stop", "--transport=tcp", "--servers=" + address).succeeds();

      assertThat(server.waitFor(Installation.DEADLINE_SECONDS, TimeUnit.SECONDS)).isTrue();
      assertThat(server.exitValue()).isZero();
    } finally {
      server.destroyForcibly();
    }
  }

  @Test
  @Tag("nightly")
  void aClusterIsStartedUsedAndStopped() throws Exception {
    try {
      String export =
          installation.run("cluster", "start", "--nodes=1", "--memoryMb=512").succeeds().out();
      assertThat(export).startsWith("export HADOOP_CONF_DIR=");
      Installation chosen =
          installation.withCluster(export.strip().substring("export HADOOP_CONF_DIR=".length()));
      assertThat(installation.run("cluster", "status").succeeds().err()).contains("1 of 1 serve");

      String notice = installation.root().resolve("NOTICE").toString();
      chosen.run("fs", "-put", notice, "/tmp/").succeeds();
      assertThat(chosen.run("fs", "-cat", "/tmp/NOTICE").succeeds().out())
          .isEqualTo(Files.readString(Path.of(notice)));
      assertThat(chosen.run("yarn", "node", "-list").succeeds().out()).contains("Total Nodes:1");
    } finally {
      installation.run("cluster", "stop").succeeds();
    }
  }

  private static String[] query6(Path data) {
    return new String[] {"tpch", "--query=6", "--scale=0.01", "--data=" + data};
  }

  private static void writeParquet(Path text, Path parquet) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement()) {
      for (TpchTable table : TpchTable.values()) {
        // After the last column there is a separator, too.
        String names =
            Stream.concat(
                    table.schema().getFields().stream().map(Field::getName), Stream.of("line_end"))
                .collect(Collectors.joining("', '", "'", "'"));
        statement.execute(
            ("COPY (SELECT * EXCLUDE (line_end) FROM read_csv('%1$s/%3$s.tbl', delim = '|',"
                    + " header = false, names = [%4$s]))"
                    + " TO '%2$s/%3$s.parquet' (FORMAT parquet)")
                .formatted(text, parquet, table.tableName(), names));
      }
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
