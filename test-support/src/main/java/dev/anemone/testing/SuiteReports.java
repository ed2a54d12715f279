// SPDX-License-Identifier: Apache-2.0
package dev.anemone.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * What Surefire's reports say of a suite that has run: each test once, however often it ran, since
 * some suites run their nested classes twice.
 *
 * @param run how many tests ran, with those that failed
 * @param skipped how many were skipped
 * @param failed the names of those that failed, sorted
 */
public record SuiteReports(int run, int skipped, List<String> failed) {

  private enum Outcome {
    SKIPPED,
    RUN,
    FAILED
  }

  /** Copies the list. */
  public SuiteReports {
    failed = List.copyOf(failed);
  }

  /**
   * Reads the reports.
   *
   * @param directory where Surefire has left them as XML
   * @throws IOException when the directory or a report cannot be read, such as when nothing ran
   * @throws IllegalStateException when a file is no report
   */
  public static SuiteReports read(Path directory) throws IOException {
    Map<String, Outcome> tests = new TreeMap<>();
    try (Stream<Path> files = Files.list(directory)) {
      files
          .filter(file -> file.getFileName().toString().endsWith(".xml"))
          .forEach(file -> collect(file, tests));
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    List<String> failed =
        tests.entrySet().stream()
            .filter(test -> test.getValue() == Outcome.FAILED)
            .map(Map.Entry::getKey)
            .toList();
    int skipped = (int) tests.values().stream().filter(Outcome.SKIPPED::equals).count();
    return new SuiteReports(tests.size() - skipped, skipped, failed);
  }

  /** The numbers, in words. */
  public String summary() {
    return "%d unique tests run, %d failed, %d skipped".formatted(run, failed.size(), skipped);
  }

  private static void collect(Path report, Map<String, Outcome> tests) {
    NodeList cases = testCases(report);
    for (int i = 0; i < cases.getLength(); i++) {
      Element test = (Element) cases.item(i);
      String name = test.getAttribute("classname") + "." + test.getAttribute("name");
      tests.merge(name, outcome(test), (a, b) -> a.compareTo(b) > 0 ? a : b);
    }
  }

  private static NodeList testCases(Path report) {
    try {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
      factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
      DocumentBuilder builder = factory.newDocumentBuilder();
      return builder.parse(report.toFile()).getElementsByTagName("testcase");
    } catch (ParserConfigurationException | SAXException e) {
      throw new IllegalStateException(report + " is no test report", e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Outcome outcome(Element test) {
    if (has(test, "failure") || has(test, "error")) {
      return Outcome.FAILED;
    }
    return has(test, "skipped") ? Outcome.SKIPPED : Outcome.RUN;
  }

  private static boolean has(Element test, String child) {
    return test.getElementsByTagName(child).getLength() > 0;
  }
}
