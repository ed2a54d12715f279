// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.yarn;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.StringTokenizer;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.ZipException;

/**
 * Finds the jars and directories that the classes of a running program come from, so that they can
 * be taken to other machines. Follows what the JVM does: class loaders ask their parents first, and
 * what a jar's manifest names in its {@code Class-Path} comes right after the jar.
 */
public final class ClientClassPath {

  private static final String WILDCARD = "*";

  private final Set<Path> entries = new LinkedHashSet<>();
  private final Set<Path> seen = new LinkedHashSet<>();

  private ClientClassPath() {}

  /**
   * The class path of a class loader and its parents, in the order in which classes are searched
   * there, each file once and with its absolute path. Left out are entries that do not exist, files
   * that are no archives, jars with nothing but a manifest (with which build tools shorten command
   * lines: what they name is there), and entries of {@code java.class.path} that are empty. Class
   * loaders that are neither the system's nor {@link URLClassLoader}s cannot be asked.
   *
   * @throws IllegalArgumentException when a class loader reads classes from elsewhere than files,
   *     such as from jars within jars
   * @throws UncheckedIOException when a jar cannot be read
   */
  public static List<Path> of(ClassLoader classLoader) {
    Deque<ClassLoader> fromTheRoot = new ArrayDeque<>();
    for (ClassLoader loader = classLoader; loader != null; loader = loader.getParent()) {
      fromTheRoot.push(loader);
    }
    ClientClassPath found = new ClientClassPath();
    try {
      for (ClassLoader loader : fromTheRoot) {
        if (loader == ClassLoader.getSystemClassLoader()) {
          found.addClassPath(System.getProperty("java.class.path"));
        } else if (loader instanceof URLClassLoader urls) {
          for (URL url : urls.getURLs()) {
            found.add(pathOf(url));
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the class path of this program", e);
    }
    return List.copyOf(found.entries);
  }

  private void addClassPath(String classPath) throws IOException {
    StringTokenizer tokens = new StringTokenizer(classPath, File.pathSeparator);
    while (tokens.hasMoreTokens()) {
      String entry = tokens.nextToken();
      if (entry.equals(WILDCARD) || entry.endsWith(File.separator + WILDCARD)) {
        addAllJars(Path.of(entry.substring(0, entry.length() - 1)));
      } else {
        add(Path.of(entry));
      }
    }
  }

  private void addAllJars(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      return;
    }
    List<Path> jars;
    try (Stream<Path> files = Files.list(directory)) {
      jars =
          files
              .filter(file -> file.toString().toLowerCase(Locale.ROOT).endsWith(".jar"))
              .sorted()
              .toList();
    }
    for (Path jar : jars) {
      add(jar);
    }
  }

  private void add(Path entry) throws IOException {
    if (!Files.exists(entry)) {
      return;
    }
    Path real = entry.toRealPath();
    if (!seen.add(real)) {
      return;
    }
    Path absolute = entry.toAbsolutePath();
    if (Files.isDirectory(real)) {
      entries.add(absolute);
    } else {
      addJar(absolute, real);
    }
  }

  private void addJar(Path entry, Path real) throws IOException {
    List<Path> named;
    try (JarFile jar = new JarFile(real.toFile(), false)) {
      if (jar.stream().anyMatch(member -> !isOfManifest(member.getName()))) {
        entries.add(entry);
      }
      named = namedIn(jar.getManifest(), real);
    } catch (ZipException e) {
      // Not an archive: the JVM finds no classes there either.
      return;
    }
    for (Path path : named) {
      add(path);
    }
  }

  private static boolean isOfManifest(String member) {
    return member.equalsIgnoreCase("META-INF/") || member.equalsIgnoreCase(JarFile.MANIFEST_NAME);
  }

  private static List<Path> namedIn(Manifest manifest, Path jar) {
    String value =
        manifest == null ? null : manifest.getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
    if (value == null) {
      return List.of();
    }
    return Stream.of(value.strip().split("\\s+"))
        .map(name -> jar.toUri().resolve(name))
        .filter(ClientClassPath::isFile)
        .map(Path::of)
        .toList();
  }

  private static boolean isFile(URI uri) {
    return "file".equals(uri.getScheme()) && uri.getAuthority() == null;
  }

  private static Path pathOf(URL url) {
    try {
      URI uri = url.toURI();
      if (isFile(uri)) {
        return Path.of(uri);
      }
    } catch (URISyntaxException e) {
      throw notAFile(url, e);
    }
    throw notAFile(url, null);
  }

  private static IllegalArgumentException notAFile(URL url, Exception cause) {
    return new IllegalArgumentException(
        "classes of this program are read from "
            + url
            + ", which cannot be shipped to a cluster; only jars and directories of the local file"
            + " system can. Start the program with its jars side by side on the class path, not"
            + " within another jar",
        cause);
  }
}
