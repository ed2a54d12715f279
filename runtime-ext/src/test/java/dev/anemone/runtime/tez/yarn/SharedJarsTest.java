// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.yarn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.LocalResource;
import org.apache.hadoop.yarn.api.records.LocalResourceType;
import org.apache.hadoop.yarn.api.records.LocalResourceVisibility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SharedJarsTest {

  private static final Duration DEADLINE = Duration.ofSeconds(30);
  private static final Duration MONTH = Duration.ofDays(30);

  @TempDir Path directory;
  private Path cluster;
  private Path local;
  private Path temporary;

  @BeforeEach
  void makeDirectories() throws IOException {
    cluster = directory.resolve("cluster");
    local = Files.createDirectory(directory.resolve("local"));
    temporary = Files.createDirectory(directory.resolve("tmp"));
  }

  private SharedJars jars() {
    Configuration configuration = new Configuration(false);
    configuration.addResource("core-default.xml");
    return SharedJars.at(
        configuration, new org.apache.hadoop.fs.Path(cluster.toUri()), 3, temporary);
  }

  private ShippedClassPath ship(Path... classPath) throws IOException {
    return jars().ship(List.of(classPath), DEADLINE);
  }

  private Path file(String name, String content) throws IOException {
    Path file = local.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, content);
  }

  private static Path path(LocalResource resource) {
    return Path.of(resource.getResource().getFile());
  }

  /** What a container would find at an entry of its class path. */
  private static byte[] content(ShippedClassPath shipped, String entry) throws IOException {
    int slash = entry.indexOf('/');
    if (slash < 0) {
      return Files.readAllBytes(path(shipped.resources().get(entry)));
    }
    LocalResource archive = shipped.resources().get(entry.substring(0, slash));
    assertThat(archive.getType()).isEqualTo(LocalResourceType.ARCHIVE);
    try (ZipFile zip = new ZipFile(path(archive).toFile())) {
      ZipEntry member = zip.getEntry(entry.substring(slash + 1));
      return zip.getInputStream(member).readAllBytes();
    }
  }

  private static List<String> contents(ShippedClassPath shipped) throws IOException {
    List<String> contents = new ArrayList<>();
    for (String entry : shipped.entries()) {
      contents.add(new String(content(shipped, entry), StandardCharsets.UTF_8));
    }
    return contents;
  }

  @Test
  void containersGetTheClassPathInItsOrder() throws IOException {
    ShippedClassPath shipped =
        ship(
            file("z/app.jar", "app"),
            file("lib-1.0.jar", "lib"),
            file("a/app.jar", "other app"),
            file("b/lib-1.0.jar", "other lib"),
            file("core-2.0-SNAPSHOT.jar", "core"));
    assertThat(contents(shipped)).containsExactly("app", "lib", "other app", "other lib", "core");
    assertThat(shipped.resources().keySet())
        .containsExactly("0000-app.jar", "jars", "0002-app.jar", "0004-core-2.0-SNAPSHOT.jar");
  }

  @Test
  void yarnIsToldWhatLiesThere() throws IOException {
    ShippedClassPath shipped = ship(file("app.jar", "app"), file("lib-1.0.jar", "lib"));
    assertThat(shipped.resources().values())
        .allSatisfy(
            resource -> {
              Path path = path(resource);
              assertThat(resource.getVisibility()).isEqualTo(LocalResourceVisibility.PRIVATE);
              assertThat(resource.getSize()).isEqualTo(Files.size(path));
              assertThat(resource.getTimestamp())
                  .isEqualTo(Files.getLastModifiedTime(path).toMillis());
            });
    assertThat(path(shipped.resources().get("0000-app.jar")))
        .isEqualTo(cluster.resolve("jars/" + sha256("app") + "/app.jar"));
  }

  private static String sha256(String content) {
    return ContentDigest.ofBytes(content.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void whatIsThereIsNotSentAgain() throws IOException {
    Path app = file("app.jar", "app");
    Path lib = file("lib-1.0.jar", "lib");
    ShippedClassPath first = ship(app, lib);
    assertThat(first.reusedBytes()).isZero();
    assertThat(first.uploadedBytes())
        .isEqualTo(first.resources().values().stream().mapToLong(LocalResource::getSize).sum());
    ShippedClassPath second = ship(lib, app);
    assertThat(second.uploadedBytes()).isZero();
    assertThat(second.reusedBytes()).isEqualTo(first.uploadedBytes());
    assertThat(second.resources().get("jars")).isEqualTo(first.resources().get("jars"));
  }

  @Test
  void onlyWhatChangedIsSent() throws IOException {
    Path app = file("app.jar", "app");
    Path lib = file("lib-1.0.jar", "lib");
    ship(app, lib);
    file("app.jar", "new app");
    ShippedClassPath shipped = ship(app, lib);
    assertThat(contents(shipped)).containsExactly("new app", "lib");
    assertThat(shipped.uploadedBytes()).isEqualTo("new app".length());
  }

  @Test
  void theSameJarTwiceIsNeededOnce() throws IOException {
    ShippedClassPath shipped = ship(file("app.jar", "same"), file("copy.jar", "same"));
    assertThat(shipped.entries()).containsExactly("0000-app.jar");
  }

  @Test
  void directoriesBecomeJarsThatAreTheSameForTheSameFiles() throws IOException {
    file("here/classes/com/acme/Job.class", "job");
    file("here/classes/META-INF/services/x", "service");
    file("there/classes/META-INF/services/x", "service");
    Path job = file("there/classes/com/acme/Job.class", "job");
    Files.setLastModifiedTime(job, FileTime.from(Instant.EPOCH));
    ShippedClassPath here = ship(local.resolve("here/classes"));
    ShippedClassPath there = ship(local.resolve("there/classes"));
    assertThat(there.resources()).isEqualTo(here.resources());
    assertThat(there.uploadedBytes()).isZero();
    try (ZipFile jar = new ZipFile(path(here.resources().get("0000-classes.jar")).toFile())) {
      assertThat(jar.stream().map(ZipEntry::getName))
          .containsExactly(
              "META-INF/",
              "META-INF/services/",
              "META-INF/services/x",
              "com/",
              "com/acme/",
              "com/acme/Job.class");
      assertThat(jar.getInputStream(jar.getEntry("com/acme/Job.class")).readAllBytes())
          .asString(StandardCharsets.UTF_8)
          .isEqualTo("job");
    }
    assertThat(temporary).isEmptyDirectory();
  }

  @Test
  void whatIsDamagedIsReplaced() throws IOException {
    Path app = file("app.jar", "app");
    Path lib = file("lib-1.0.jar", "lib");
    for (LocalResource resource : ship(app, lib).resources().values()) {
      Files.deleteIfExists(
          path(resource).resolveSibling("." + path(resource).getFileName() + ".crc"));
      Files.writeString(path(resource), "half");
    }
    ShippedClassPath shipped = ship(app, lib);
    assertThat(contents(shipped)).containsExactly("app", "lib");
    assertThat(shipped.reusedBytes()).isZero();
  }

  @Test
  void manyClientsAtOnceAllEndWell() throws Exception {
    List<Path> classPath = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      classPath.add(file("app" + i + ".jar", "app".repeat(10_000) + i));
      classPath.add(file("lib-1." + i + ".jar", "lib".repeat(10_000) + i));
    }
    ExecutorService clients = Executors.newFixedThreadPool(4);
    try {
      List<Callable<ShippedClassPath>> shipments = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        shipments.add(() -> jars().ship(classPath, DEADLINE));
      }
      for (Future<ShippedClassPath> shipped : clients.invokeAll(shipments)) {
        assertThat(shipped.get().resources())
            .isEqualTo(ship(classPath.toArray(Path[]::new)).resources());
      }
    } finally {
      clients.shutdownNow();
    }
    assertThat(files(cluster.resolve("jars/.uploading"))).isEmpty();
  }

  private static List<Path> files(Path root) throws IOException {
    try (Stream<Path> files = Files.list(root)) {
      return files.toList();
    }
  }

  @Test
  void whatChangesWhileItIsSentIsNeverThere() throws IOException {
    Path app = file("app.jar", "app");
    ContentDigest before = ContentDigest.of(app);
    Files.writeString(app, "other");
    Files.createDirectories(cluster);
    try (org.apache.hadoop.fs.FileSystem fileSystem =
        org.apache.hadoop.fs.FileSystem.newInstanceLocal(new Configuration(false))) {
      JarDirectory target =
          new JarDirectory(fileSystem, new org.apache.hadoop.fs.Path(cluster.toUri()), (short) 1);
      target.create();
      assertThatThrownBy(() -> target.put(new Parcel.Jar(app, "app.jar", before)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("app.jar was changed while it was sent");
    }
    assertThat(files(cluster)).containsExactly(cluster.resolve(".uploading"));
    assertThat(cluster.resolve(".uploading")).isEmptyDirectory();
  }

  @Test
  void whatNobodyHasUsedForLongIsDeleted() throws IOException {
    ShippedClassPath old = ship(file("old.jar", "old"));
    ShippedClassPath kept = ship(file("kept.jar", "kept"));
    Path upload = Files.writeString(cluster.resolve("jars/.uploading/x"), "given up");
    age(upload);
    for (ShippedClassPath each : List.of(old, kept)) {
      age(path(each.resources().values().iterator().next()).getParent());
    }
    ship(local.resolve("kept.jar"));
    assertThat(jars().deleteUnused(MONTH, DEADLINE)).isEqualTo(1);
    assertThat(cluster.resolve("jars/" + sha256("old"))).doesNotExist();
    assertThat(contents(kept)).containsExactly("kept");
    assertThat(upload).doesNotExist();
    assertThat(ship(local.resolve("old.jar")).resources()).isEqualTo(old.resources());
  }

  @Test
  void itIsTriedOnceADay() throws IOException {
    ShippedClassPath old = ship(file("old.jar", "old"));
    assertThat(jars().deleteUnused(MONTH, DEADLINE)).isZero();
    age(path(old.resources().get("0000-old.jar")).getParent());
    assertThat(jars().deleteUnused(MONTH, DEADLINE)).isZero();
    age(cluster.resolve("jars/.swept"));
    assertThat(jars().deleteUnused(MONTH, DEADLINE)).isEqualTo(1);
  }

  private static void age(Path path) throws IOException {
    Files.setLastModifiedTime(path, FileTime.from(Instant.now().minus(MONTH)));
  }

  @Test
  void aClusterThatDoesNotLetUsIsNamed() throws IOException {
    Path app = file("app.jar", "app");
    Files.writeString(cluster, "a file is in the way");
    assertThatThrownBy(() -> ship(app))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll("cannot make the directory", cluster.toString(), "file:///");
  }

  @Test
  void aDeadlineIsKept() throws IOException {
    Path app = file("app.jar", "app");
    assertThatThrownBy(() -> jars().ship(List.of(app), Duration.ZERO))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll(cluster.toString(), "within 0 s");
  }

  @Test
  void namesMeanNothingToAShell() throws IOException {
    ShippedClassPath shipped = ship(file("my $(app):x.jar", "app"), file("blob", "blob"));
    assertThat(shipped.entries()).containsExactly("0000-my___app__x.jar", "0001-blob.jar");
    assertThat(contents(shipped)).isEqualTo(List.of("app", "blob"));
  }
}
