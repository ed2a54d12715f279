// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.peer;

import dev.anemone.evaluation.lab.EvaluationDirectory;
import dev.anemone.evaluation.lab.process.Arguments;
import dev.anemone.evaluation.lab.process.SystemCommand;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Spark as PyPI has it, with its jars and scripts, in a virtual environment.
 *
 * @param interpreter of Python, with {@code pyspark}
 * @param home what Spark calls {@code SPARK_HOME}
 */
public record PySpark(Path interpreter, Path home) {
  private static final String REQUIREMENT = "pyspark==3.5.6";
  private static final Duration ANSWER_LIMIT = Duration.ofMinutes(1);
  private static final String QUESTION =
      "import importlib.util as u; print(u.find_spec('pyspark').submodule_search_locations[0])";

  /** The one of the experiments; it is downloaded when it is first needed. */
  public static PySpark of(EvaluationDirectory evaluation)
      throws IOException, InterruptedException {
    Path place = evaluation.results("peers").resolve("pyspark");
    Path interpreter = PythonEnvironment.with(REQUIREMENT, place).interpreter();
    String home =
        SystemCommand.run(place, ANSWER_LIMIT, Arguments.of(interpreter, "-c", QUESTION)).strip();
    return new PySpark(interpreter, Path.of(home));
  }

  public Path jars() {
    return home.resolve("jars");
  }

  /** The program that submits applications. */
  public Path submit() {
    return home.resolve("bin/spark-submit");
  }
}
