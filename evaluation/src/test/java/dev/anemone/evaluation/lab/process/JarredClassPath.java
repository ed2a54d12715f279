// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.process;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/** Class paths whose directories are packed, since classes are archived out of jars only. */
public final class JarredClassPath {
  private JarredClassPath() {}

  /**
   * The same class path with a jar in place of each directory, without empty entries: those name
   * the working directory, which has no classes and may be large.
   *
   * @param target where the jars are written
   */
  public static String of(Path target, String classPath) throws IOException {
    List<String> entries = new ArrayList<>();
    for (String entry : classPath.split(File.pathSeparator, -1)) {
      if (entry.isEmpty()) {
        continue;
      }
      Path path = Path.of(entry);
      if (Files.isDirectory(path)) {
        path = pack(path, target.resolve(entries.size() + ".jar"));
      }
      entries.add(path.toString());
    }
    return String.join(File.pathSeparator, entries);
  }

  private static Path pack(Path directory, Path jar) throws IOException {
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
        Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        out.putNextEntry(new ZipEntry(directory.relativize(file).toString()));
        Files.copy(file, out);
        out.closeEntry();
      }
    }
    return jar;
  }
}
