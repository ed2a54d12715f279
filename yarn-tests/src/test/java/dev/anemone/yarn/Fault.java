// SPDX-License-Identifier: Apache-2.0
package dev.anemone.yarn;

import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.regex.Pattern;

/**
 * Something bad that happens in the containers of a job.
 *
 * @param kind what happens
 * @param point where in a task: a phase, or the name of a {@link FaultPointFn}
 * @param stages which stages, by their names
 * @param times how often at most
 */
public record Fault(Kind kind, String point, Pattern stages, int times) {

  public enum Kind {
    /** The container's JVM is killed. */
    KILL,
    /** The task waits until the test lets it go on. */
    HOLD,
    /** The task throws an exception. */
    FAIL
  }

  /** One that happens once, in any stage. */
  public static Fault once(Kind kind, String point) {
    return new Fault(kind, point, Pattern.compile(".*"), 1);
  }

  /** The same fault, that often. */
  Fault times(int number) {
    return new Fault(kind, point, stages, number);
  }

  /** The same fault, only in stages whose name has a part that matches. */
  Fault inStages(String regex) {
    return new Fault(kind, point, Pattern.compile(regex), times);
  }

  boolean isAt(String reached, String stage) {
    return point.equals(reached) && stages.matcher(stage).find();
  }

  void write(Path file) throws IOException {
    Properties properties = new Properties();
    properties.setProperty("kind", kind.name());
    properties.setProperty("point", point);
    properties.setProperty("stages", stages.pattern());
    properties.setProperty("times", Integer.toString(times));
    try (Writer out = Files.newBufferedWriter(file)) {
      properties.store(out, null);
    }
  }

  static Fault read(Path file) throws IOException {
    Properties properties = new Properties();
    try (Reader in = Files.newBufferedReader(file)) {
      properties.load(in);
    }
    return new Fault(
        Kind.valueOf(properties.getProperty("kind")),
        properties.getProperty("point"),
        Pattern.compile(properties.getProperty("stages")),
        Integer.parseInt(properties.getProperty("times")));
  }
}
