// SPDX-License-Identifier: Apache-2.0
package dev.anemone.shell;

import dev.anemone.beam.options.NemoPipelineOptions;
import dev.anemone.beam.sql.AnemoneQueryPlanner;
import dev.anemone.cli.BeamArguments;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.beam.sdk.extensions.sql.impl.BeamSqlPipelineOptions;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsFactory;

/**
 * The options of pipelines.
 *
 * @param arguments as on the command line, {@code --name=value} each
 */
record Settings(List<String> arguments) {
  private static final Pattern SET =
      Pattern.compile("(?is)SET\\s+(\\w+)\\s*=\\s*('(?:[^']|'')*'|[^\\s']+)\\s*");
  private static final Pattern UNKNOWN =
      Pattern.compile("(?s)Class .* missing a property named '([^']*)'\\.\\s*(Did you mean .*)?");

  Settings {
    arguments = List.copyOf(arguments);
  }

  /**
   * These with one option more, or another value of it.
   *
   * @param statement such as {@code SET optimizationPolicy = 'DataSkew'}
   * @throws StatementException if it has another form, or there is no such option or value
   */
  Settings with(String statement) {
    Matcher set = SET.matcher(statement);
    if (!set.matches()) {
      throw new StatementException(
          "SET has another form. Write SET option = 'value', such as"
              + " SET optimizationPolicy = 'DataSkew'.",
          null);
    }
    String name = set.group(1);
    List<String> changed = new ArrayList<>(arguments);
    changed.removeIf(argument -> argument.startsWith("--" + name + "="));
    changed.add("--" + name + "=" + unquoted(set.group(2)));
    Settings settings = new Settings(changed);
    try {
      settings.options();
    } catch (IllegalArgumentException refused) {
      throw new StatementException(reason(name, refused), refused);
    }
    return settings;
  }

  /**
   * Options for one pipeline.
   *
   * @throws IllegalArgumentException if an argument is unknown or wrong
   */
  PipelineOptions options() {
    PipelineOptions options =
        PipelineOptionsFactory.fromArgs(BeamArguments.withRunner(arguments)).create();
    // The shell waits itself, so that the query can be cancelled.
    options.as(NemoPipelineOptions.class).setBlockOnRun(false);
    if (!BeamArguments.has(arguments, "--plannerName=")) {
      options.as(BeamSqlPipelineOptions.class).setPlannerName(AnemoneQueryPlanner.class.getName());
    }
    return options;
  }

  private static String unquoted(String value) {
    return value.startsWith("'")
        ? value.substring(1, value.length() - 1).replace("''", "'")
        : value;
  }

  private static String reason(String name, IllegalArgumentException refused) {
    String message = String.valueOf(refused.getMessage());
    Matcher unknown = UNKNOWN.matcher(message);
    if (!unknown.matches()) {
      return "SET " + name + ": " + message;
    }
    String nearest =
        Optional.ofNullable(unknown.group(2))
            .map(String::strip)
            .orElse("docs/options.md lists them.");
    return "There is no option " + name + ". " + nearest;
  }
}
