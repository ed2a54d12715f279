// SPDX-License-Identifier: Apache-2.0
package dev.anemone.buildreport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** The reports that Surefire and Failsafe leave in the modules of a build. */
final class TestReports {

  /** {@code target/surefire-reports/TEST-X.xml}, or one directory further down. */
  private static final int DEPTH = 3;

  /** What stands before a reason that was given by an assumption. */
  private static final Pattern EXCEPTION =
      Pattern.compile("^(org\\.opentest4j\\.TestAbortedException: )?(Assumption failed: )?");

  private TestReports() {}

  /**
   * Reads them.
   *
   * @param root where the pom is that names the modules
   * @param since older reports are of other builds
   * @return the test classes of each module, in the order of the pom
   * @throws IOException when the pom or a report cannot be read
   */
  static Map<String, List<TestClass>> of(Path root, Instant since) throws IOException {
    Map<String, List<TestClass>> modules = new LinkedHashMap<>();
    for (Element module : elements(parse(root.resolve("pom.xml")), "module")) {
      String name = module.getTextContent().strip();
      modules.put(name, classes(root.resolve(name).resolve("target"), since));
    }
    return modules;
  }

  private static List<TestClass> classes(Path target, Instant since) throws IOException {
    List<TestClass> classes = new ArrayList<>();
    if (Files.isDirectory(target)) {
      for (Path report : reports(target)) {
        if (!Files.getLastModifiedTime(report).toInstant().isBefore(since)) {
          classes.add(read(report));
        }
      }
    }
    classes.removeIf(one -> one.tests() == 0 && hasNested(one, classes));
    return classes;
  }

  /** A class whose tests are all in nested classes has a report without tests. */
  private static boolean hasNested(TestClass outer, List<TestClass> classes) {
    return classes.stream().anyMatch(one -> one.name().startsWith(outer.name() + "$"));
  }

  private static List<Path> reports(Path target) throws IOException {
    try (Stream<Path> files =
        Files.find(
            target,
            DEPTH,
            (file, attributes) ->
                attributes.isRegularFile()
                    && file.getFileName().toString().matches("TEST-.*\\.xml")
                    && target.relativize(file).getName(0).toString().endsWith("-reports"))) {
      return files.sorted().toList();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private static TestClass read(Path report) throws IOException {
    Element suite = parse(report);
    List<Element> tests = elements(suite, "testcase");
    List<TestClass.Skipped> skipped = new ArrayList<>();
    for (Element test : tests) {
      for (Element skip : elements(test, "skipped")) {
        skipped.add(new TestClass.Skipped(test.getAttribute("name"), reason(skip)));
      }
    }
    if (tests.isEmpty()) {
      skipped.add(new TestClass.Skipped("", "all of the class; its report does not say why"));
    }
    String seconds = suite.getAttribute("time").replace(",", "");
    return new TestClass(
        suite.getAttribute("name"),
        tests.size(),
        seconds.isEmpty() ? 0 : Double.parseDouble(seconds),
        skipped);
  }

  private static String reason(Element skip) {
    String message = skip.getAttribute("message").strip();
    String said = message.isEmpty() ? skip.getTextContent().strip() : message;
    String first = said.lines().findFirst().orElse("without a reason");
    return EXCEPTION.matcher(first).replaceFirst("");
  }

  private static List<Element> elements(Element parent, String name) {
    NodeList found = parent.getElementsByTagName(name);
    return IntStream.range(0, found.getLength())
        .mapToObj(found::item)
        .map(Element.class::cast)
        .toList();
  }

  private static Element parse(Path file) throws IOException {
    try {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
      factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
      return factory.newDocumentBuilder().parse(file.toFile()).getDocumentElement();
    } catch (ParserConfigurationException | SAXException e) {
      throw new IOException(file + " cannot be read", e);
    }
  }
}
