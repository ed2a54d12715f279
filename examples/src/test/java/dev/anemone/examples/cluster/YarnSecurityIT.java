package dev.anemone.examples.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.examples.wordcount.WordCount;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs on a cluster that wants Kerberos. */
class YarnSecurityIT {

  private static final long PROGRAM_MINUTES = 5;

  @TempDir private static Path directory;
  private static SecureCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    cluster = SecureCluster.start(directory);
  }

  @AfterAll
  static void stop() throws IOException {
    cluster.close();
  }

  @Test
  void aUserWithAKeyRunsAJobAndOwnsItsResult() throws Exception {
    putInput();

    Ended program =
        run(
            SecureProgram.class,
            cluster.configurationDirectory().resolve("core-site.xml").toString(),
            cluster.userPrincipal(),
            cluster.userKey().getPath());

    assertThat(program.exitCode()).as(program.said()).isZero();
    List<String> lines = new ArrayList<>();
    for (FileStatus file :
        cluster.files().listStatus(new org.apache.hadoop.fs.Path("/user/alice/counts"))) {
      assertThat(file.getOwner()).isEqualTo(SecureCluster.USER);
      try (var in = cluster.files().open(file.getPath())) {
        lines.addAll(new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList());
      }
    }
    assertThat(lines).containsExactlyInAnyOrder("a: 3", "rose: 3", "is: 2");
  }

  @Test
  void aUserWithoutATicketIsToldSoBeforeAnythingStarts() throws Exception {
    Ended program = run(WordCount.class);

    assertThat(program.exitCode()).isNotZero();
    assertThat(program.said()).contains("Client cannot authenticate via:[TOKEN, KERBEROS]");
  }

  /** A program that has ended, and what it said. */
  private record Ended(int exitCode, String said) {}

  private static void putInput() throws IOException {
    try (FSDataOutputStream out =
        cluster.files().create(new org.apache.hadoop.fs.Path("/user/alice/in.txt"))) {
      out.write("a rose is a rose\nis a rose\n".getBytes(StandardCharsets.UTF_8));
    }
  }

  /** Runs a program that reads and writes below the user's home. */
  private static Ended run(Class<?> program, String... first) throws Exception {
    File log = directory.resolve(program.getSimpleName() + ".log").toFile();
    String home = cluster.files().getUri() + "/user/alice";
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(option -> option.startsWith("--add-opens"))
        .forEach(command::add);
    command.add(cluster.kerberosOption());
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
    command.addAll(List.of(first));
    command.addAll(
        List.of(
            "--input=" + home + "/in.txt",
            "--output=" + home + "/counts/part",
            "--runner=NemoRunner",
            "--optimizationPolicy=LargeShuffle",
            "--progress=off",
            "--deployMode=yarn",
            "--hadoopConfDir=" + cluster.configurationDirectory(),
            "--executors=2",
            "--executorMemoryMb=640",
            "--masterMemoryMb=640",
            "--parallelism=2",
            "--tempDirectory=" + directory));
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log).start();
    try {
      assertThat(process.waitFor(PROGRAM_MINUTES, TimeUnit.MINUTES)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    return new Ended(process.exitValue(), Files.readString(log.toPath()));
  }
}
