// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beamsql;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * What the README tells somebody who adds Anemone to a program.
 *
 * @param text all of it
 */
record Readme(String text) {
  private static final Pattern DEPENDENCY =
      Pattern.compile("<dependency>.*?</dependency>", Pattern.DOTALL);
  private static final Pattern OPEN = Pattern.compile("--add-opens=\\S+");

  static Readme read() throws IOException {
    return new Readme(Files.readString(Path.of("..", "README.md")));
  }

  /** The dependency that it shows. */
  String dependency() {
    return DEPENDENCY.matcher(text).results().map(MatchResult::group).findFirst().orElseThrow();
  }

  /** The options of the JVM that it shows. */
  List<String> jvmOptions() {
    return OPEN.matcher(text).results().map(MatchResult::group).toList();
  }
}
