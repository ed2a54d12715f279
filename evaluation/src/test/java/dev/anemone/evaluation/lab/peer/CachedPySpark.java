// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.peer;

import dev.anemone.testing.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The Spark that an experiment has downloaded on this machine, for tests, which download none. */
public final class CachedPySpark {
  private CachedPySpark() {}

  /** Gives it to an experiment of a project; skips the test, and says so, if there is none. */
  public static void linkInto(Path project) throws IOException {
    Path spark = Path.of("target", "peers", "pyspark").toAbsolutePath();
    Requirement.SPARK.check(
        Files.exists(spark.resolve("complete")),
        spark + " is not there; evaluation/run cluster-tpch --scale=0.01 downloads it");
    Path evaluation = Files.createDirectories(project.resolve("evaluation"));
    Files.createSymbolicLink(
        Files.createDirectories(evaluation.resolve("target/peers")).resolve("pyspark"), spark);
    Files.createSymbolicLink(evaluation.resolve("peers"), Path.of("peers").toAbsolutePath());
  }
}
