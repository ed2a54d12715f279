// SPDX-License-Identifier: Apache-2.0
package dev.anemone.buildreport;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.summingDouble;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Says at the end of a build which tests ran, how long, and which were skipped and why: {@code
 * BuildReport <root of the build> <when it began, as 2026-01-31T12:00:00Z>}. Reports that are older
 * do not count.
 */
public final class BuildReport {

  private static final int SLOWEST = 20;

  private final Map<String, List<TestClass>> modules;

  /**
   * A report.
   *
   * @param modules the classes of each module in the order of the build; none where none has run
   */
  BuildReport(Map<String, List<TestClass>> modules) {
    this.modules = modules;
  }

  /**
   * Prints the report.
   *
   * @throws IOException when the pom or a report cannot be read
   */
  public static void main(String[] args) throws IOException {
    Path root = Path.of(args[0]);
    System.out.println(new BuildReport(TestReports.of(root, Instant.parse(args[1]))).text());
  }

  /** The report, in lines. */
  String text() {
    StringBuilder text = new StringBuilder();
    List<TestClass> classes = modules.values().stream().flatMap(List::stream).toList();
    text.append(
        "%nTests of this build: %,d, %,d of them skipped, in %s%n"
            .formatted(tests(classes), skipped(classes), duration(seconds(classes))));
    modules.forEach(
        (module, own) -> {
          if (!own.isEmpty()) {
            text.append(
                "  %-16s %,6d tests %,5d skipped %8s%n"
                    .formatted(module, tests(own), skipped(own), duration(seconds(own))));
          }
        });
    String without =
        modules.entrySet().stream()
            .filter(module -> module.getValue().isEmpty())
            .map(Map.Entry::getKey)
            .collect(joining(", "));
    if (!without.isEmpty()) {
      text.append("  no tests ran in: ").append(without).append(System.lineSeparator());
    }
    text.append("%nThe slowest test classes:%n".formatted());
    slowest(classes)
        .forEach((name, seconds) -> text.append("  %8s  %s%n".formatted(duration(seconds), name)));
    text.append(skippedTests(classes));
    return text.toString();
  }

  private static Map<String, Double> slowest(List<TestClass> classes) {
    Map<String, Double> seconds =
        classes.stream().collect(groupingBy(TestClass::name, summingDouble(TestClass::seconds)));
    Map<String, Double> slowest = new LinkedHashMap<>();
    seconds.entrySet().stream()
        .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
        .limit(SLOWEST)
        .forEach(entry -> slowest.put(entry.getKey(), entry.getValue()));
    return slowest;
  }

  private static String skippedTests(List<TestClass> classes) {
    Map<String, List<String>> byReason = new TreeMap<>();
    for (TestClass one : classes) {
      for (TestClass.Skipped skipped : one.skipped()) {
        byReason
            .computeIfAbsent(skipped.reason(), reason -> new ArrayList<>())
            .add(one.simpleName() + (skipped.test().isEmpty() ? "" : "." + skipped.test()));
      }
    }
    if (byReason.isEmpty()) {
      return "%nNo test was skipped.%n".formatted();
    }
    StringBuilder text = new StringBuilder("%nSkipped:%n".formatted());
    byReason.forEach(
        (reason, tests) ->
            text.append(
                "  %s%n      %s%n"
                    .formatted(reason, tests.stream().distinct().collect(joining(", ")))));
    return text.toString();
  }

  private static int tests(List<TestClass> classes) {
    return classes.stream().mapToInt(TestClass::tests).sum();
  }

  private static int skipped(List<TestClass> classes) {
    return classes.stream().mapToInt(one -> one.skipped().size()).sum();
  }

  private static double seconds(List<TestClass> classes) {
    return classes.stream().mapToDouble(TestClass::seconds).sum();
  }

  private static String duration(double seconds) {
    return seconds < 60
        ? String.format(Locale.ROOT, "%.1f s", seconds)
        : String.format(Locale.ROOT, "%.1f min", seconds / 60);
  }
}
