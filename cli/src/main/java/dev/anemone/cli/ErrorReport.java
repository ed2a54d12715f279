// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cli;

import dev.anemone.beam.FailedPipelineException;
import dev.anemone.beam.sql.rel.UnsupportedSqlException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.beam.sdk.Pipeline.PipelineExecutionException;
import org.apache.beam.sdk.util.UserCodeException;

/**
 * Tells a user what went wrong, in one paragraph: what failed, and what was its first cause. The
 * stack trace comes only when it is asked for.
 */
final class ErrorReport {
  private static final Pattern UNKNOWN_OPTION =
      Pattern.compile("Class .* missing a property named '([^']*)'\\.\\s*(Did you mean .*)?");
  private static final Pattern MISSING_OPTION =
      Pattern.compile("Missing required value for \\[(--\\w+), \"(.*)\"\\]\\.\\s*");
  private static final Pattern WRONG_TYPE =
      Pattern.compile("Cannot deserialize value of type `(.*?)` from String \"(.*?)\".*");
  private static final Pattern UNKNOWN_SCHEME =
      Pattern.compile("No filesystem found for scheme (\\S+)");
  private static final Pattern WHITE_SPACE = Pattern.compile("\\s+");

  private final List<String> arguments;

  /** Reports errors of a command line. */
  ErrorReport(List<String> arguments) {
    this.arguments = List.copyOf(arguments);
  }

  /** Prints an error. */
  void print(Throwable error, boolean stackTrace, PrintWriter err) {
    if (stackTrace) {
      error.printStackTrace(err);
    }
    err.println("anemone: " + paragraph(error));
    err.flush();
  }

  /** The error as one paragraph, which is one line. */
  String paragraph(Throwable error) {
    List<Throwable> chain = meaningful(error);
    Throwable first = chain.get(0);
    String where = where(error);
    if (isUserError(first, chain)) {
      String message = reworded(first.getMessage());
      return oneLine(where.isEmpty() ? message : sentence(message) + " " + where);
    }
    String text = describe(first);
    Throwable last = chain.get(chain.size() - 1);
    if (last != first && !text.contains(describe(last))) {
      text = sentence(text) + " The cause: " + describe(last);
    }
    return oneLine(sentence(text) + " " + where) + " --stacktrace shows where.";
  }

  /** Which task of a pipeline failed, and how to see its log; empty where that is not known. */
  private static String where(Throwable error) {
    Throwable current = error;
    while (current != null && !(current instanceof FailedPipelineException)) {
      current = current.getCause();
    }
    return current instanceof FailedPipelineException failed ? failed.where() : "";
  }

  /** The chain of causes without those that only wrap another one. */
  private static List<Throwable> meaningful(Throwable error) {
    List<Throwable> chain = new ArrayList<>();
    Throwable current = error;
    while (current != null && !chain.contains(current)) {
      if (current.getCause() == null || !isWrapper(current)) {
        chain.add(current);
      }
      current = current.getCause();
    }
    return chain;
  }

  private static boolean isWrapper(Throwable error) {
    return error instanceof PipelineExecutionException
        || error instanceof UserCodeException
        || error instanceof ExecutionException
        || error.getMessage() == null
        || error.getMessage().equals(error.getCause().toString());
  }

  /** Whether the first message was written for the one who typed the command. */
  private static boolean isUserError(Throwable first, List<Throwable> chain) {
    return first.getMessage() != null
        && (first instanceof IllegalArgumentException
            || chain.stream()
                .anyMatch(
                    cause ->
                        cause instanceof UnsupportedSqlException
                            && first.getMessage().contains(cause.getMessage())));
  }

  private static String describe(Throwable error) {
    String name = error.getClass().getSimpleName();
    return error.getMessage() == null ? name : name + ": " + error.getMessage();
  }

  private static String sentence(String text) {
    String stripped = text.strip();
    return stripped.endsWith(".") ? stripped : stripped + ".";
  }

  /** Beam's messages about options, said in the words of a command line. */
  private String reworded(String message) {
    Matcher unknown = UNKNOWN_OPTION.matcher(message);
    if (unknown.matches()) {
      String suggestion =
          unknown.group(2) == null
              ? "Leave it out, or correct its name; anemone COMMAND --help lists the options."
              : unknown.group(2);
      return "There is no option --" + unknown.group(1) + ". " + suggestion;
    }
    Matcher missing = MISSING_OPTION.matcher(message);
    if (missing.matches()) {
      return "The option "
          + missing.group(1)
          + " is missing. Give it as "
          + missing.group(1)
          + "=..., with: "
          + missing.group(2)
          + ".";
    }
    Matcher unknownScheme = UNKNOWN_SCHEME.matcher(message);
    if (unknownScheme.matches()) {
      return "Paths that begin with "
          + unknownScheme.group(1)
          + ": cannot be read or written. For files of a Hadoop cluster, name its configuration:"
          + " --hadoopConfDir=DIRECTORY, or the environment variable HADOOP_CONF_DIR. Other file"
          + " systems need their module of Beam on the class path.";
    }
    Matcher wrongType = WRONG_TYPE.matcher(WHITE_SPACE.matcher(message).replaceAll(" "));
    if (wrongType.matches()) {
      String value = wrongType.group(2);
      String option =
          arguments.stream()
              .filter(argument -> argument.endsWith("=" + value))
              .findFirst()
              .orElse("The value " + value);
      String type = wrongType.group(1);
      return option + " is not of the type that is wanted here: " + simpleName(type) + ".";
    }
    return message;
  }

  private static String simpleName(String className) {
    return className.substring(className.lastIndexOf('.') + 1);
  }

  private static String oneLine(String text) {
    return WHITE_SPACE.matcher(text.strip()).replaceAll(" ");
  }
}
