// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.resource;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessDirectoriesTest {

  @TempDir Path parent;

  private Process other;
  private Instant start;

  @BeforeEach
  void startProcess() throws IOException {
    other = new ProcessBuilder("sleep", "600").start();
    start = other.info().startInstant().orElseThrow();
  }

  @AfterEach
  void killProcess() throws InterruptedException {
    assertThat(other.destroyForcibly().waitFor(10, TimeUnit.SECONDS)).isTrue();
  }

  private Path leave(String name) throws IOException {
    Path directory = Files.createDirectory(parent.resolve(name));
    Files.writeString(Files.createDirectory(directory.resolve("blocks")).resolve("file"), "bytes");
    return directory;
  }

  private Path leave(String prefix, Instant processStart) throws IOException {
    return leave(prefix + ProcessDirectories.owner(other.pid(), processStart) + "1");
  }

  private void makeOne() throws IOException {
    assertThat(ProcessDirectories.create(parent, "anemone-")).isDirectory();
  }

  @Test
  void whatADeadProcessHasLeftIsDeleted() throws Exception {
    Path left = leave("anemone-", start);
    Path leftByProxy = leave("anemone-ndp-", start);
    makeOne();
    assertThat(left).exists();
    assertThat(leftByProxy).exists();
    killProcess();
    makeOne();
    assertThat(left).doesNotExist();
    assertThat(leftByProxy).doesNotExist();
  }

  @Test
  void aProcessWithTheIdOfADeadOneIsNotTakenForIt() throws Exception {
    Path left = leave("anemone-", start.minus(Duration.ofMinutes(1)));
    makeOne();
    assertThat(left).doesNotExist();
  }

  @Test
  void whoseADirectoryIsThatCannotBeToldIsLeftAlone() throws Exception {
    killProcess();
    Path elsewhere = leave("anemone-at0-" + other.pid() + "-" + start.toEpochMilli() + "-1");
    Path former = leave("anemone-11492731561886021521");
    Path another = leave("another", start);
    makeOne();
    assertThat(elsewhere).exists();
    assertThat(former).exists();
    assertThat(another).exists();
  }

  @Test
  void aProcessKeepsAllThatItHas() throws Exception {
    Path first = ProcessDirectories.create(parent, "anemone-");
    Path second = ProcessDirectories.create(parent, "anemone-");
    assertThat(first).exists().isNotEqualTo(second);
  }
}
