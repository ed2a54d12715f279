// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.yarn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClientClassPathTest {

  @TempDir Path directory;

  /** A jar with one member, or none; the class path goes into its manifest. */
  private Path jar(String name, String member, String... classPath) throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    if (classPath.length > 0) {
      manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, String.join(" ", classPath));
    }
    Path jar = directory.resolve(name);
    Files.createDirectories(jar.getParent());
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest)) {
      if (!member.isEmpty()) {
        out.putNextEntry(new JarEntry(member));
        out.write(1);
        out.closeEntry();
      }
    }
    return jar;
  }

  private static List<Path> classPath(ClassLoader parent, Path... entries) throws IOException {
    List<URL> urls = new ArrayList<>();
    for (Path entry : entries) {
      urls.add(entry.toUri().toURL());
    }
    try (URLClassLoader loader = new URLClassLoader(urls.toArray(URL[]::new), parent)) {
      return ClientClassPath.of(loader);
    }
  }

  @Test
  void whatThisTestRunsWithIsFoundInOrder() {
    List<Path> found = ClientClassPath.of(getClass().getClassLoader());
    assertThat(found).doesNotHaveDuplicates().allMatch(Files::exists);
    for (Class<?> type : List.of(getClass(), ClientClassPath.class, Test.class)) {
      Path source = Path.of(type.getProtectionDomain().getCodeSource().getLocation().getPath());
      assertThat(found).contains(source);
    }
  }

  @Test
  void parentsComeBeforeTheirChildren() throws IOException {
    Path first = jar("z-first.jar", "a");
    Path second = jar("a-second.jar", "a");
    try (URLClassLoader parent = new URLClassLoader(new URL[] {first.toUri().toURL()}, null)) {
      assertThat(classPath(parent, second)).containsExactly(first, second);
    }
  }

  @Test
  void whatAManifestNamesComesRightAfterTheJar() throws IOException {
    Path deep = jar("lib/deep lib.jar", "a");
    Path named = jar("lib/named.jar", "a", "deep%20lib.jar", "../first.jar");
    Path first = jar("first.jar", "a", "lib/named.jar", "lib/absent.jar", "http://x/y.jar");
    Path last = jar("last.jar", "a");
    assertThat(classPath(null, first, last)).containsExactly(first, named, deep, last);
  }

  @Test
  void aJarOfOnlyAManifestStandsForWhatItNames() throws IOException {
    Path classes = Files.createDirectories(directory.resolve("target/classes"));
    Path library = jar("lib/library.jar", "a");
    Path booter = jar("booter.jar", "", classes.toUri().toString(), library.toUri().toString());
    assertThat(classPath(null, booter)).containsExactly(classes, library);
  }

  @Test
  void eachFileIsThereOnceWhateverItsPath() throws IOException {
    Path jar = jar("lib/one.jar", "a");
    Path link = Files.createSymbolicLink(directory.resolve("link.jar"), jar);
    assertThat(classPath(null, jar, link, directory.resolve("lib/../lib/one.jar")))
        .containsExactly(jar);
    assertThat(classPath(null, link, jar)).containsExactly(link);
  }

  @Test
  void whatHasNoClassesIsLeftOut() throws IOException {
    Path text = Files.writeString(directory.resolve("notes.txt"), "no archive");
    Path jar = jar("one.jar", "a");
    assertThat(classPath(null, text, directory.resolve("absent.jar"), jar)).containsExactly(jar);
  }

  @Test
  void classesFromElsewhereThanFilesAreRefused() throws IOException {
    try (URLClassLoader loader =
        new URLClassLoader(new URL[] {new URL("jar:file:/app.jar!/lib/inner.jar!/")}, null)) {
      assertThatThrownBy(() -> ClientClassPath.of(loader))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContainingAll("inner.jar", "side by side");
    }
  }

  /** Prints the class path that it finds; runs in a JVM of its own. */
  static final class Printer {

    private Printer() {}

    public static void main(String[] args) {
      ClientClassPath.of(Printer.class.getClassLoader()).forEach(System.out::println);
    }
  }

  @Test
  void aJvmFindsWhatItsCommandLineNames() throws Exception {
    Path booter =
        jar(
            "booter.jar",
            "",
            codeSource(ClientClassPath.class).toUri().toString(),
            codeSource(getClass()).toUri().toString());
    Path wild = jar("wild/w.jar", "a");
    Path other = jar("other.jar", "a");
    String classPath =
        String.join(
            File.pathSeparator,
            booter.toString(),
            "",
            wild.getParent() + File.separator + "*",
            other.toString());
    Process process =
        new ProcessBuilder(
                System.getProperty("java.home") + "/bin/java",
                "-cp",
                classPath,
                Printer.class.getName())
            .redirectErrorStream(true)
            .start();
    String output;
    try {
      output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    assertThat(output.lines())
        .containsExactly(
            codeSource(ClientClassPath.class).toString(),
            codeSource(getClass()).toString(),
            wild.toString(),
            other.toString());
  }

  private static Path codeSource(Class<?> type) throws Exception {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
  }
}
