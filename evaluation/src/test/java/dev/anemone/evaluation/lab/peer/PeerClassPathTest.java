// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.evaluation.lab.ExperimentFailure;
import dev.anemone.evaluation.lab.peer.PeerClassPath.Peer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Maven itself is asked for nothing that it would have to download. */
class PeerClassPathTest {
  private static final FileTime LONG_AGO = FileTime.fromMillis(1_000_000);

  @TempDir private Path directory;
  private Path pom;
  private Path jar;
  private Path resolved;

  @BeforeEach
  void placeAPomThatMavenRefuses() throws IOException {
    pom = directory.resolve("peers/direct/pom.xml");
    Files.createDirectories(pom.getParent());
    Files.writeString(pom, "<project/>");
    Files.setLastModifiedTime(pom, LONG_AGO);
    jar = Files.createFile(directory.resolve("direct.jar"));
    resolved = directory.resolve("resolved/direct-2.70.0.classpath");
    Files.createDirectories(resolved.getParent());
    Files.writeString(resolved, jar + "\n");
  }

  @Test
  void isResolvedOnce() throws Exception {
    assertThat(classPath("2.70.0")).isEqualTo(jar.toString());
  }

  @Test
  void isResolvedAgainForAnotherVersion() {
    assertAsksMaven("2.71.0");
  }

  @Test
  void isResolvedAgainWhenThePomHasChanged() throws Exception {
    Files.setLastModifiedTime(resolved, FileTime.fromMillis(LONG_AGO.toMillis() - 1));
    assertAsksMaven("2.70.0");
  }

  @Test
  void isResolvedAgainWhenAJarIsGone() throws Exception {
    Files.delete(jar);
    assertAsksMaven("2.70.0");
  }

  private void assertAsksMaven(String beamVersion) {
    assertThatThrownBy(() -> classPath(beamVersion))
        .isInstanceOf(ExperimentFailure.class)
        .hasMessageStartingWith(
            "Maven could not find the jars of the peer direct of Beam " + beamVersion)
        .hasMessageContaining(pom.toString())
        .hasMessageContaining("'modelVersion' is missing")
        .hasMessageEndingWith("Give --peers without direct to compare without it.");
  }

  private String classPath(String beamVersion) throws Exception {
    return new PeerClassPath(directory.resolve("peers"), resolved.getParent(), beamVersion)
        .of(Peer.DIRECT.folder());
  }
}
