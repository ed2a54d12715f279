// SPDX-License-Identifier: Apache-2.0
package dev.anemone.validation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * Counts what the reports of Beam's ValidatesRunner suite say, after the suite has run. Its own
 * surefire execution runs it: the name keeps it out of the unit tests.
 */
class ValidatesRunnerCount {

  private enum Outcome {
    SKIPPED,
    RUN,
    FAILED
  }

  @TestFactory
  Stream<DynamicTest> theWholeSuiteRanUnderEachPolicyAndNoTestFailed() {
    Path reports = Path.of(System.getProperty("validates-runner.reports"));
    return Pattern.compile(",")
        .splitAsStream(System.getProperty("validates-runner.policies"))
        .map(policy -> dynamicTest(policy, () -> count(policy, reports.resolve(policy))));
  }

  private static void count(String policy, Path reports) throws IOException {
    int expected = Integer.parseInt(System.getProperty("validates-runner.tests"));
    Map<String, Outcome> tests = read(reports);
    List<String> failed =
        tests.entrySet().stream()
            .filter(test -> test.getValue() == Outcome.FAILED)
            .map(Map.Entry::getKey)
            .toList();
    long skipped = tests.values().stream().filter(Outcome.SKIPPED::equals).count();
    long run = tests.size() - skipped;
    System.out.printf(
        "ValidatesRunner, policy %s: %d unique tests run, %d failed, %d skipped%n",
        policy, run, failed.size(), skipped);
    assertThat(failed).as("failed tests of Beam's ValidatesRunner suite").isEmpty();
    assertThat(run)
        .as("tests of Beam's ValidatesRunner suite that ran, see validates-runner.tests in the pom")
        .isGreaterThanOrEqualTo(expected);
  }

  /** Each test once, however often it ran: some suites run their nested classes twice. */
  private static Map<String, Outcome> read(Path reports) throws IOException {
    Map<String, Outcome> tests = new TreeMap<>();
    try (Stream<Path> files = Files.list(reports)) {
      files
          .filter(file -> file.getFileName().toString().endsWith(".xml"))
          .forEach(
              file -> {
                NodeList cases = testCases(file);
                for (int i = 0; i < cases.getLength(); i++) {
                  Element test = (Element) cases.item(i);
                  String name = test.getAttribute("classname") + "." + test.getAttribute("name");
                  tests.merge(name, outcome(test), (a, b) -> a.compareTo(b) > 0 ? a : b);
                }
              });
    }
    return tests;
  }

  private static NodeList testCases(Path file) {
    try {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
      factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
      DocumentBuilder builder = factory.newDocumentBuilder();
      return builder.parse(file.toFile()).getElementsByTagName("testcase");
    } catch (ParserConfigurationException | SAXException e) {
      throw new IllegalStateException(file + " is no test report", e);
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
