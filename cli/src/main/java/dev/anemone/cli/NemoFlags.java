// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cli;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The command line of Apache Nemo, {@code -flag value} each, said in the words of this one: {@code
 * -user_main} becomes the main class, {@code -user_args} its first arguments, and the rest options
 * of the runner after them.
 */
final class NemoFlags {
  private static final String MAIN_CLASS = "-user_main";
  private static final String PROGRAM_ARGUMENTS = "-user_args";
  private static final Map<String, String> OPTIONS = options();
  private static final Pattern SPACES = Pattern.compile(" +");

  private NemoFlags() {}

  private static Map<String, String> options() {
    Map<String, String> options = new LinkedHashMap<>();
    options.put("-job_id", "--jobName");
    options.put("-optimization_policy", "--optimizationPolicy");
    options.put("-deploy_mode", "--deployMode");
    options.put("-executor_json", "--executorJson");
    options.put("-max_task_attempt", "--maxTaskAttempts");
    options.put("-dag_dir", "--dagDirectory");
    options.put("-driver_mem_mb", "--masterMemoryMb");
    options.put("-memory_pool_size_mb", "--offHeapMemoryMb");
    return options;
  }

  /**
   * Arguments for {@code anemone run}. Those that begin with two dashes or, as a main class, with
   * none, are its own already, and are left as they are.
   *
   * @throws WrongUsageException if a flag is not known, is given twice, or has no value
   */
  static List<String> translated(List<String> arguments) {
    if (arguments.isEmpty() || !isFlag(arguments.get(0))) {
      return arguments;
    }
    Map<String, String> flags = new LinkedHashMap<>();
    List<String> own = new ArrayList<>();
    for (Iterator<String> left = arguments.iterator(); left.hasNext(); ) {
      String argument = left.next();
      if (argument.startsWith("--")) {
        own.add(argument);
        continue;
      }
      requireKnown(argument);
      if (!left.hasNext()) {
        throw new WrongUsageException("The flag " + argument + " has no value.");
      }
      if (flags.put(argument, left.next()) != null) {
        throw new WrongUsageException("The flag " + argument + " is given twice.");
      }
    }
    List<String> translated = new ArrayList<>();
    translated.add(
        Optional.ofNullable(flags.remove(MAIN_CLASS))
            .orElseThrow(
                () ->
                    new WrongUsageException(
                        "The main class is missing. Give its full name: -user_main"
                            + " com.example.MyPipeline.")));
    SPACES
        .splitAsStream(flags.getOrDefault(PROGRAM_ARGUMENTS, ""))
        .filter(word -> !word.isEmpty())
        .forEach(translated::add);
    flags.remove(PROGRAM_ARGUMENTS);
    flags.forEach((flag, value) -> translated.add(OPTIONS.get(flag) + "=" + value));
    translated.addAll(own);
    return translated;
  }

  private static boolean isFlag(String argument) {
    return argument.startsWith("-") && !argument.startsWith("--");
  }

  private static void requireKnown(String argument) {
    if (argument.equals(MAIN_CLASS)
        || argument.equals(PROGRAM_ARGUMENTS)
        || OPTIONS.containsKey(argument)) {
      return;
    }
    throw new WrongUsageException(
        (isFlag(argument) ? "There is no flag " : "There is no flag before the value ")
            + argument
            + ". Of Apache Nemo's, these are known: "
            + MAIN_CLASS
            + ", "
            + PROGRAM_ARGUMENTS
            + ", "
            + String.join(", ", OPTIONS.keySet())
            + ". Values with spaces need quotes.");
  }
}
