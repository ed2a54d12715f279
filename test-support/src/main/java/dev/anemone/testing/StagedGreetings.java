// SPDX-License-Identifier: Apache-2.0
package dev.anemone.testing;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * What the pipeline {@code staged} of tests needs: a package that no Python has, and a file.
 *
 * @param wheel the package
 * @param suffix the file
 * @param requirements a file that asks for the package
 */
public record StagedGreetings(Path wheel, Path suffix, Path requirements) {

  private static final Map<String, String> PACKAGE =
      Map.of(
          "greetings.py",
          "def greet(word):\n  return 'hello ' + word\n",
          "greetings-1.0.dist-info/METADATA",
          "Metadata-Version: 2.1\nName: greetings\nVersion: 1.0\n",
          "greetings-1.0.dist-info/WHEEL",
          "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
          "greetings-1.0.dist-info/RECORD",
          """
          greetings.py,,
          greetings-1.0.dist-info/METADATA,,
          greetings-1.0.dist-info/WHEEL,,
          greetings-1.0.dist-info/RECORD,,
          """);

  /** Writes them into a directory. */
  public static StagedGreetings write(Path directory) throws IOException {
    Path wheel = directory.resolve("greetings-1.0-py3-none-any.whl");
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(wheel))) {
      for (Map.Entry<String, String> file : PACKAGE.entrySet()) {
        zip.putNextEntry(new ZipEntry(file.getKey()));
        zip.write(file.getValue().getBytes(StandardCharsets.UTF_8));
      }
    }
    return new StagedGreetings(
        wheel,
        Files.writeString(directory.resolve("suffix"), "!"),
        Files.writeString(directory.resolve("greetings.txt"), "greetings==1.0\n"));
  }

  /** Options that stage the package as such. */
  public List<String> asPackage() {
    return List.of("--extra_package=" + wheel, "--files_to_stage=" + suffix);
  }

  /** Options that stage requirements, and the package where these are looked for. */
  public List<String> asRequirements() {
    return List.of(
        "--requirements_file=" + requirements,
        "--requirements_cache=skip",
        "--files_to_stage=" + wheel,
        "--files_to_stage=" + suffix);
  }
}
