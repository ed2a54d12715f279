// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cli;

import java.io.IOException;
import java.nio.file.Path;

/** Writes the manual pages of all commands; the build of the distribution runs it. */
public final class ManPages {

  private ManPages() {}

  /**
   * Writes the pages.
   *
   * @param arguments the directory that gets them
   */
  public static void main(String[] arguments) throws IOException {
    String version = new VersionText().getVersion()[0];
    ManPage.writeAll(Anemone.commandLine(Commands.found()), version, Path.of(arguments[0]));
  }
}
