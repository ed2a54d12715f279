// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cli;

import dev.anemone.runtime.resource.FileTrees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Runs what {@link CommandProvider#training} names, once. The launcher starts it with {@code
 * -XX:ArchiveClassesAtExit}, so that the classes that were loaded here are mapped into later JVMs
 * instead of being read and verified again.
 */
final class StartUpTraining {
  private StartUpTraining() {}

  /**
   * Runs the programs; exits with the code of the first that fails.
   *
   * @throws IOException if the temporary directory cannot be used
   */
  public static void main(String[] args) throws IOException {
    Path directory = Files.createTempDirectory("anemone-training-");
    int code;
    try {
      code = train(directory);
    } finally {
      FileTrees.delete(directory);
    }
    System.exit(code);
  }

  private static int train(Path directory) throws IOException {
    for (List<String> command : Commands.found().training(directory)) {
      int code = Anemone.run(command.toArray(new String[0]));
      if (code != 0) {
        return code;
      }
    }
    return 0;
  }
}
