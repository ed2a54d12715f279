// SPDX-License-Identifier: Apache-2.0
package dev.anemone.yarn.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.examples.wordcount.WordCount;
import dev.anemone.ndp.client.ProxyException;
import dev.anemone.ndp.client.RemoteFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs on a cluster that wants Kerberos. */
class YarnSecurityIT {

  private static final int ROWS = 60_000;
  private static final org.apache.hadoop.fs.Path HOME =
      new org.apache.hadoop.fs.Path("/user/" + SecureCluster.USER);
  private static final org.apache.hadoop.fs.Path TABLE =
      new org.apache.hadoop.fs.Path(HOME, "table.csv");

  /** In a directory that everybody may list. */
  private static final org.apache.hadoop.fs.Path SECRET =
      new org.apache.hadoop.fs.Path(HOME, "secret.csv");

  @TempDir private static Path directory;
  private static SecureCluster cluster;
  private static StorageProxies proxies;

  @BeforeAll
  static void start() throws Exception {
    cluster = SecureCluster.start(directory);
    put(TABLE, StorageProxies.table(ROWS));
    put(SECRET, StorageProxies.table(ROWS));
    cluster.files().setPermission(SECRET, new FsPermission("600"));
    proxies = new StorageProxies(cluster.dataNodes(), cluster.configurationDirectory(), directory);
  }

  @AfterAll
  static void stop() throws IOException {
    try (StorageProxies closed = proxies) {
      cluster.close();
    }
  }

  private static void put(org.apache.hadoop.fs.Path file, byte[] content) throws IOException {
    try (FSDataOutputStream out = cluster.files().create(file)) {
      out.write(content);
    }
  }

  @Test
  @Tag("nightly")
  void aUserWithAKeyRunsAJobAndOwnsItsResult() throws Exception {
    org.apache.hadoop.fs.Path input = new org.apache.hadoop.fs.Path(HOME, "in.txt");
    put(input, "a rose is a rose\nis a rose\n".getBytes(StandardCharsets.UTF_8));

    SecureCluster.Ended program =
        run(SecureProgram.class, input, "counts/part", onYarn(), cluster.asTheUser());

    assertThat(program.exitCode()).as(program.said()).isZero();
    assertThat(result("counts")).containsExactlyInAnyOrder("a: 3", "rose: 3", "is: 2");
  }

  /** On YARN with the token that the job was given, in the user's JVM with one of its own. */
  @ParameterizedTest
  @ValueSource(strings = {"local", "yarn"})
  void aQueryIsPushedInTheUsersName(String mode) throws Exception {
    SecureCluster.Ended program =
        run(
            SecureQuery.class,
            TABLE,
            mode + "/sum",
            pushing(mode.equals("yarn") ? onYarn() : List.of("--deployMode=local", "--slots=2")),
            cluster.asTheUser());

    assertThat(program.exitCode()).as(program.said()).isZero();
    assertThat(result(mode)).containsExactly("1000 rows of 499500");
    assertThat(program.said())
        .containsPattern("counter splitsPushed [1-9]")
        .doesNotContain("counter splitsPushedBack")
        .doesNotContain("was not cancelled");
  }

  @Test
  void aTokenIsNotSentWhereOthersCouldReadIt() throws Exception {
    List<String> options = pushing(List.of("--deployMode=local", "--slots=2"));
    options.removeIf(option -> option.startsWith("--ndpProxies="));
    options.add("--ndpProxies=192.0.2.1:9964");

    SecureCluster.Ended program =
        run(SecureQuery.class, TABLE, "open/sum", options, cluster.asTheUser());

    assertThat(program.exitCode()).isNotZero();
    assertThat(program.said())
        .contains("--ndpProxies has 192.0.2.1:9964, and the cluster wants Kerberos")
        .contains("give https:// before each");
  }

  @Test
  @Tag("nightly")
  void theShellAsksAFileOfTheUsersOnYarn() throws Exception {
    org.apache.hadoop.fs.Path towns = new org.apache.hadoop.fs.Path(HOME, "towns.csv");
    put(towns, "town,people\nUlm,3\nBonn,4\nUlm,5\n".getBytes(StandardCharsets.UTF_8));
    String home = cluster.files().getUri() + HOME.toString();
    List<String> arguments = new ArrayList<>(cluster.asTheUser());
    arguments.addAll(
        List.of(
            "sql",
            "--format=csv",
            "-e",
            "SELECT town, SUM(people) AS people FROM '"
                + home
                + "/towns.csv' GROUP BY town"
                + " ORDER BY town",
            "--tempLocation=" + home + "/tmp",
            "--columnarMemoryMb=64"));
    arguments.addAll(usual());
    onYarn().stream()
        .map(each -> each.startsWith("--executorMemoryMb=") ? "--executorMemoryMb=800" : each)
        .forEach(arguments::add);

    SecureCluster.Ended shell = cluster.run(SecureShell.class, arguments, directory);

    assertThat(shell.exitCode()).as(shell.said()).isZero();
    assertThat(shell.said()).contains("\"town\",\"people\"\n\"Bonn\",\"4\"\n\"Ulm\",\"8\"\n");
  }

  @Test
  void aFileThatTheUserMayNotReadIsNotRead() throws Exception {
    SecureCluster.Ended program =
        run(
            SecureQuery.class,
            SECRET,
            "none/sum",
            pushing(List.of("--deployMode=local", "--slots=2", "--maxTaskAttempts=1")),
            cluster.asTheUser());

    assertThat(program.exitCode()).isNotZero();
    assertThat(program.said()).contains("Permission denied: user=alice");
  }

  @Test
  void proxiesBelieveTokensOnly() throws Exception {
    UserGroupInformation alice = cluster.login(SecureCluster.USER);
    Token<?> token =
        alice.doAs(
            (PrivilegedExceptionAction<Token<?>>)
                () -> {
                  try (FileSystem files = FileSystem.newInstance(cluster.configuration())) {
                    return files.getDelegationToken(SecureCluster.USER);
                  }
                });
    Optional<String> delegation = Optional.of(token.encodeToUrlString());

    assertThat(sum(TABLE, Optional.empty(), delegation)).isEqualTo((long) ROWS * (ROWS - 1) / 2);
    assertRefused("403", "Permission denied", SECRET, Optional.empty(), delegation);
    assertRefused("401", "delegation token", TABLE, Optional.of("alice"), Optional.empty());
    alice.doAs(
        (PrivilegedExceptionAction<Void>)
            () -> {
              token.cancel(cluster.configuration());
              return null;
            });
  }

  private static void assertRefused(
      String status,
      String reason,
      org.apache.hadoop.fs.Path file,
      Optional<String> user,
      Optional<String> delegation) {
    assertThatThrownBy(() -> sum(file, user, delegation))
        .isInstanceOf(ProxyException.class)
        .hasMessageContaining("answers " + status)
        .hasMessageContaining(reason);
  }

  private static Object sum(
      org.apache.hadoop.fs.Path file, Optional<String> user, Optional<String> delegation)
      throws IOException {
    return proxies.sum(
        new RemoteFile(
            file.toString(), cluster.files().getUri().getAuthority(), user, delegation, Map.of()));
  }

  @Test
  void aUserWithoutATicketIsToldSoBeforeAnythingStarts() throws Exception {
    SecureCluster.Ended program = run(WordCount.class, TABLE, "nothing/part", onYarn(), List.of());

    assertThat(program.exitCode()).isNotZero();
    assertThat(program.said()).contains("Client cannot authenticate via:[TOKEN, KERBEROS]");
  }

  /** What the user owns in a directory below the user's home, line by line. */
  private static List<String> result(String name) throws IOException {
    List<String> lines = new ArrayList<>();
    for (FileStatus file : cluster.files().listStatus(new org.apache.hadoop.fs.Path(HOME, name))) {
      assertThat(file.getOwner()).isEqualTo(SecureCluster.USER);
      try (var in = cluster.files().open(file.getPath())) {
        lines.addAll(new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList());
      }
    }
    return lines;
  }

  /**
   * In one executor: with Kerberos, a node serves blocks to other nodes only by Hadoop's native
   * library, which is in no repository of artifacts.
   */
  private static List<String> onYarn() {
    return List.of(
        "--optimizationPolicy=LargeShuffle",
        "--deployMode=yarn",
        "--executors=1",
        "--executorMemoryMb=640",
        "--masterMemoryMb=640");
  }

  private static List<String> pushing(List<String> options) {
    List<String> all = new ArrayList<>(options);
    all.removeIf(option -> option.startsWith("--optimizationPolicy"));
    all.add("--optimizationPolicy=FullPushdown");
    all.add(proxies.option());
    return all;
  }

  /** Runs a program that reads and writes below the user's home. */
  private static SecureCluster.Ended run(
      Class<?> program,
      org.apache.hadoop.fs.Path input,
      String output,
      List<String> options,
      List<String> first)
      throws Exception {
    List<String> arguments = new ArrayList<>(first);
    arguments.add("--input=" + cluster.files().getUri() + input);
    arguments.add("--output=" + cluster.files().getUri() + HOME + "/" + output);
    arguments.addAll(usual());
    arguments.addAll(options);
    return cluster.run(program, arguments, directory);
  }

  private static List<String> usual() {
    return List.of(
        "--runner=NemoRunner",
        "--progress=off",
        "--hadoopConfDir=" + cluster.configurationDirectory(),
        "--parallelism=2",
        "--tempDirectory=" + directory);
  }
}
