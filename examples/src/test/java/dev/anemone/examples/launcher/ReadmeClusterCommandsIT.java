// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.launcher;

import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Every command of the documents that show some for a cluster. */
@Tag("nightly")
class ReadmeClusterCommandsIT {

  @TempDir private static Path directory;
  @TempDir private static Path scratch;

  private static ShownCommands commands;

  @BeforeAll
  static void prepare() throws IOException {
    commands = new ShownCommands(directory, scratch);
  }

  @AfterAll
  static void close() throws IOException {
    commands.close();
  }

  @TestFactory
  Stream<DynamicTest> everyBlockOfCommandsWorksOnACluster() throws IOException {
    return commands.tests(true);
  }
}
