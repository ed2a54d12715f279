// SPDX-License-Identifier: Apache-2.0
package dev.anemone.shell;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.anemone.beam.options.ColumnarUse;
import dev.anemone.beam.options.DeployMode;
import dev.anemone.beam.options.ExplainFormat;
import dev.anemone.passes.policy.Policy;
import dev.anemone.passes.policy.PolicyRegistry;
import java.beans.Introspector;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.beam.sdk.options.Hidden;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.jline.reader.Candidate;

/**
 * Completes {@code SET option = 'value'}: the options of all types that are registered, and values
 * of those that have a few.
 */
final class KnownOptions {
  private static final Pattern NAMED = Pattern.compile("(?i)SET\\s+(\\w+)(\\s*=)?");
  private static final Pattern NAMED_IN_WORD = Pattern.compile("(\\w+)='?");
  private static final String POLICY = "optimizationPolicy";

  /** Of options whose values are texts, of which they take these. */
  private static final Map<String, List<String>> CHOICES =
      Map.of(
          "columnar", names(ColumnarUse.class),
          "deployMode", names(DeployMode.class),
          "explain", names(ExplainFormat.class),
          "compression", List.of("none", "lz4", "zstd"),
          "progress", List.of("auto", "off"),
          "ui", List.of("auto", "off"));

  /** Values by option; empty where any may be. */
  private Map<String, List<String>> values = Map.of();

  /**
   * Adds what may stand at the end of a statement.
   *
   * @param statement what is before the word
   */
  void complete(String statement, Word word, List<Candidate> candidates) {
    Matcher before = NAMED.matcher(statement);
    Matcher inWord = NAMED_IN_WORD.matcher(word.head());
    if (inWord.matches()) {
      addValues(inWord.group(1), word, candidates);
    } else if (!before.matches()) {
      values().keySet().forEach(name -> word.add(candidates, name, "options"));
    } else if (before.group(2) != null || word.head().startsWith("=")) {
      addValues(before.group(1), word, candidates);
    } else {
      word.add(candidates, "=", "options");
    }
  }

  private void addValues(String option, Word word, List<Candidate> candidates) {
    boolean open = word.head().endsWith("'");
    for (String value : values().getOrDefault(option, List.of())) {
      word.add(candidates, (open ? "" : "'") + value + "'", "values");
    }
  }

  private Map<String, List<String>> values() {
    if (values.isEmpty()) {
      Map<String, List<String>> found = new TreeMap<>();
      for (Class<? extends PipelineOptions> type : PipelineOptionsFactory.getRegisteredOptions()) {
        for (Method method : type.getMethods()) {
          String name = name(method);
          if (!name.isEmpty()) {
            found.putIfAbsent(name, of(name, method.getReturnType()));
          }
        }
      }
      values = found;
    }
    return values;
  }

  /** The option that a method gets; empty for other methods, and for what nobody sets. */
  private static String name(Method method) {
    String name = method.getName();
    int prefix = name.startsWith("get") ? 3 : name.startsWith("is") ? 2 : name.length();
    boolean gets =
        method.getParameterCount() == 0
            && prefix < name.length()
            && Character.isUpperCase(name.charAt(prefix))
            && !method.isAnnotationPresent(JsonIgnore.class)
            && !method.isAnnotationPresent(Hidden.class);
    return gets ? Introspector.decapitalize(name.substring(prefix)) : "";
  }

  private static List<String> of(String option, Class<?> type) {
    if (option.equals(POLICY)) {
      return PolicyRegistry.ofContext().policies().stream().map(Policy::name).toList();
    }
    if (CHOICES.containsKey(option)) {
      return CHOICES.get(option);
    }
    if (type == boolean.class || type == Boolean.class) {
      return List.of("true", "false");
    }
    return type.isEnum()
        ? Arrays.stream(type.getEnumConstants()).map(Object::toString).toList()
        : List.of();
  }

  private static List<String> names(Class<? extends Enum<?>> type) {
    return Arrays.stream(type.getEnumConstants())
        .map(constant -> constant.name().toLowerCase(Locale.ROOT))
        .toList();
  }
}
