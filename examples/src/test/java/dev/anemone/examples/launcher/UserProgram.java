// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Makes jars of programs that are a user's. */
final class UserProgram {
  private UserProgram() {}

  /** Compiles all sources of a directory, with the class path of the launcher. */
  static void compile(Path sources, Path classes) throws IOException {
    Files.createDirectories(classes);
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter messages = new StringWriter();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
        Stream<Path> walk = Files.walk(sources)) {
      List<Path> all = walk.filter(file -> file.toString().endsWith(".java")).toList();
      List<String> options = List.of("-d", classes.toString(), "-cp", Launcher.classPath());
      boolean compiled =
          compiler
              .getTask(messages, files, null, options, null, files.getJavaFileObjectsFromPaths(all))
              .call();
      assertThat(compiled).as("%s", messages).isTrue();
    }
  }

  /** Writes all files of a directory into a jar. */
  static void jar(Path classes, Path jar) throws IOException {
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file);
        Stream<Path> walk = Files.walk(classes)) {
      for (Path each : walk.filter(Files::isRegularFile).sorted().toList()) {
        out.putNextEntry(new JarEntry(classes.relativize(each).toString()));
        Files.copy(each, out);
        out.closeEntry();
      }
    }
  }
}
