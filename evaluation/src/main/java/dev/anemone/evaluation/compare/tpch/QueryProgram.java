// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.tpch;

import dev.anemone.evaluation.lab.process.LineProcess;
import dev.anemone.examples.tpch.TpchQuery;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A program of a {@link QuerySide} in Java.
 *
 * @param answers where they are written
 */
record QueryProgram(Engine engine, Path answers) {

  /** Answers queries. */
  @FunctionalInterface
  interface Engine {
    /** The rows of an answer, value by value. */
    List<List<Object>> rows(TpchQuery query) throws Exception;
  }

  /** Runs the queries of these numbers, or those that it reads until there are no more. */
  void run(List<String> numbers) throws Exception {
    for (String number : numbers) {
      seconds(TpchQuery.parse(number).get(0));
    }
    if (numbers.isEmpty()) {
      listen();
    }
  }

  private void listen() throws IOException {
    BufferedReader orders = LineProcess.orders();
    say("ready");
    for (String number = orders.readLine(); number != null; number = orders.readLine()) {
      try {
        say("done " + number + " " + seconds(TpchQuery.parse(number).get(0)));
      } catch (Exception failure) {
        failure.printStackTrace();
        say("done failed " + String.valueOf(failure).lines().findFirst().orElseThrow());
      }
    }
  }

  private double seconds(TpchQuery query) throws Exception {
    long start = System.nanoTime();
    List<List<Object>> rows = engine.rows(query);
    double seconds = (System.nanoTime() - start) / 1e9;
    List<String> lines = new ArrayList<>(List.of("rows"));
    rows.forEach(
        row -> lines.add(row.stream().map(String::valueOf).collect(Collectors.joining(","))));
    Files.write(answers.resolve(query.label() + ".csv"), lines);
    return seconds;
  }

  private static void say(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
