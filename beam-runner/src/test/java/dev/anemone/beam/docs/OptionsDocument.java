// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.docs;

import dev.anemone.beam.NemoRunnerRegistrar;
import dev.anemone.beam.options.ClusterOptions;
import dev.anemone.beam.options.ColumnarOptions;
import dev.anemone.beam.options.NdpOptions;
import dev.anemone.beam.options.NemoPipelineOptions;
import dev.anemone.beam.options.SqlPlannerOptions;
import dev.anemone.beam.options.ViewOptions;
import dev.anemone.beam.options.WaitOptions;
import dev.anemone.passes.PassOption;
import dev.anemone.passes.policy.AdHocPolicy;
import dev.anemone.passes.policy.Optimizer;
import dev.anemone.passes.policy.Policy;
import dev.anemone.passes.policy.PolicyRegistry;
import java.beans.Introspector;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.beam.sdk.options.Default;
import org.apache.beam.sdk.options.Description;
import org.apache.beam.sdk.options.PipelineOptions;

/**
 * The text of {@code docs/options.md}: every option of the runner and of its passes, as their
 * classes describe them.
 */
final class OptionsDocument {

  private static final int WIDTH = 100;
  private static final String INDENT = "  ";

  /** A description that says the default by itself says it behind this. */
  private static final String OWN_DEFAULT = "default:";

  /** The headings of the classes, in the order of the document. */
  private static final Map<Class<? extends PipelineOptions>, String> HEADINGS = headings();

  private static final String PREFACE =
      """
      <!-- Written by OptionsDocumentTest from the option classes; change these, not this file. -->

      # Options

      Options are given as `--name=value`, to a program that runs with `--runner=NemoRunner` and to
      the commands of `bin/anemone` that run a pipeline. Beam's own options, such as
      `--tempLocation`, are in [its documentation](https://beam.apache.org/documentation/). A value
      that cannot be right is refused before anything runs; the error says what would be right.

      The options of a single command are in `bin/anemone COMMAND --help`.

      """;

  private static final String PASS_OPTIONS =
      """
      ## Settings of passes

      Given as `--passOptions=name=value,name=value`. Bytes are written as `4096`, `512KB`, `64MB` or
      `1GB` (powers of 1024).

      """;

  private final StringBuilder text = new StringBuilder();

  private OptionsDocument() {}

  /**
   * The text of the document.
   *
   * @throws IllegalStateException when an option has no description, or a default that neither an
   *     annotation nor the description says, or its class has no heading here
   */
  static String render() {
    OptionsDocument document = new OptionsDocument();
    document.text.append(PREFACE);
    Set<Class<?>> missing = document.classes();
    missing.removeAll(HEADINGS.keySet());
    if (!missing.isEmpty()) {
      throw new IllegalStateException("no heading for the options of " + missing);
    }
    HEADINGS.forEach(document::options);
    document.passOptions();
    return document.text.toString();
  }

  private static Map<Class<? extends PipelineOptions>, String> headings() {
    Map<Class<? extends PipelineOptions>, String> headings = new LinkedHashMap<>();
    headings.put(NemoPipelineOptions.class, "How a pipeline runs");
    headings.put(ClusterOptions.class, "Where it runs");
    headings.put(WaitOptions.class, "How long its tasks wait for each other");
    headings.put(ViewOptions.class, "How it is shown");
    headings.put(SqlPlannerOptions.class, "SQL");
    headings.put(ColumnarOptions.class, "Columns");
    headings.put(NdpOptions.class, "Near-data processing");
    return headings;
  }

  /** The registered classes of options, and those of ours that they extend. */
  private Set<Class<?>> classes() {
    Set<Class<?>> classes = new HashSet<>();
    for (Class<?> registered : new NemoRunnerRegistrar.Options().getPipelineOptions()) {
      collect(registered, classes);
    }
    return classes;
  }

  private static void collect(Class<?> type, Set<Class<?>> classes) {
    if (type.getName().startsWith("dev.anemone.") && classes.add(type)) {
      Arrays.stream(type.getInterfaces()).forEach(parent -> collect(parent, classes));
    }
  }

  private void options(Class<? extends PipelineOptions> type, String heading) {
    text.append("## ").append(heading).append("\n\n");
    Arrays.stream(type.getDeclaredMethods())
        .filter(method -> method.getName().matches("(get|is)[A-Z].*"))
        .filter(method -> method.getParameterCount() == 0)
        .sorted(Comparator.comparing(OptionsDocument::name))
        .forEach(this::option);
    text.append('\n');
  }

  private static String name(Method getter) {
    return Introspector.decapitalize(getter.getName().replaceFirst("get|is", ""));
  }

  private void option(Method getter) {
    String name = name(getter);
    Description description = getter.getAnnotation(Description.class);
    if (description == null) {
      throw new IllegalStateException("--" + name + " has no @Description");
    }
    String said = description.value();
    item("--" + name + "=" + placeholder(getter.getReturnType()), said, annotatedDefault(getter));
  }

  private static String placeholder(Class<?> type) {
    if (type == boolean.class || type == Boolean.class) {
      return "true|false";
    } else if (List.class.isAssignableFrom(type)) {
      return "A,B,...";
    }
    return type == String.class ? "TEXT" : "NUMBER";
  }

  private static Optional<String> annotatedDefault(Method getter) {
    for (Annotation annotation : getter.getAnnotations()) {
      Class<?> type = annotation.annotationType();
      if (type.getEnclosingClass() == Default.class && type != Default.InstanceFactory.class) {
        try {
          return Optional.of(String.valueOf(type.getMethod("value").invoke(annotation)));
        } catch (ReflectiveOperationException e) {
          throw new IllegalStateException(e);
        }
      }
    }
    return Optional.empty();
  }

  private void passOptions() {
    text.append(PASS_OPTIONS);
    PolicyRegistry registry = PolicyRegistry.of(PassOption.class.getClassLoader());
    Map<String, List<String>> readers = new LinkedHashMap<>();
    for (Policy policy : registry.policies()) {
      for (String option : Optimizer.options(policy).keySet()) {
        readers.computeIfAbsent(option, ignored -> new ArrayList<>()).add(policy.name());
      }
    }
    Map<String, PassOption<?>> options = Optimizer.options(AdHocPolicy.of(registry.passes()));
    text.append("Every policy reads these:\n\n");
    int all = registry.policies().size();
    options.values().stream()
        .filter(option -> readers(readers, option).size() == all)
        .forEach(option -> passOption(option, List.of()));
    text.append("\nSome policies read these:\n\n");
    options.values().stream()
        .filter(option -> readers(readers, option).size() < all)
        .forEach(option -> passOption(option, readers(readers, option)));
  }

  private static List<String> readers(Map<String, List<String>> readers, PassOption<?> option) {
    return readers.getOrDefault(option.name(), List.of());
  }

  private void passOption(PassOption<?> option, List<String> readers) {
    String said = sentence(option.description()) + " Expects " + option.expects() + ".";
    String read = readers.isEmpty() ? "" : " Read by " + String.join(", ", readers) + ".";
    item(option.name(), said + read, Optional.of(value(option.defaultValue())));
  }

  private static String sentence(String description) {
    return Character.toUpperCase(description.charAt(0)) + description.substring(1) + ".";
  }

  private static String value(Object value) {
    if (value instanceof Long bytes) {
      String[] units = {"", "KB", "MB", "GB"};
      long number = bytes;
      int unit = 0;
      while (unit < units.length - 1 && number % 1024 == 0) {
        number /= 1024;
        unit++;
      }
      return number + units[unit];
    }
    return value instanceof Enum<?> constant
        ? constant.name().toLowerCase(Locale.ROOT)
        : value.toString();
  }

  private void item(String name, String description, Optional<String> value) {
    boolean says = description.toLowerCase(Locale.ROOT).contains(OWN_DEFAULT);
    if (!says && value.isEmpty()) {
      throw new IllegalStateException(name + ": nothing says what its default is");
    }
    String end = says ? "" : " Default: " + value.orElseThrow() + ".";
    int column = 0;
    List<String> words =
        Stream.of("- **`" + name + "`**", description + end)
            .flatMap(part -> Arrays.stream(part.split(" ")))
            .toList();
    for (String word : words) {
      if (column > 0 && column + 1 + word.length() > WIDTH) {
        text.append('\n').append(INDENT).append(word);
        column = INDENT.length() + word.length();
      } else {
        text.append(column == 0 ? "" : " ").append(word);
        column += (column == 0 ? 0 : 1) + word.length();
      }
    }
    text.append('\n');
  }
}
