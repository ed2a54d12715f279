// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.launcher;

import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Every command of the README and of the documents that need no cluster. */
class ReadmeCommandsIT {

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
  Stream<DynamicTest> everyBlockOfCommandsWorks() throws IOException {
    return commands.tests(false);
  }
}
