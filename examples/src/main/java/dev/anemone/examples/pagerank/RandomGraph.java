// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.pagerank;

import java.io.Serializable;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.beam.sdk.values.KV;

/**
 * A random graph. Edges begin at any vertex alike, and end more often at the vertices of low
 * numbers, as a power law has it; several may be equal. Vertices without an edge are none. Each
 * edge follows from its number, so that parts of the graph can be made apart. Immutable and
 * thread-safe.
 *
 * @param vertices how many names there are: 0, 1 and so on
 * @param edges how many edges, equal ones included
 * @param seed another graph for each
 */
record RandomGraph(long vertices, long edges, long seed) implements Serializable {
  private static final Pattern FORM = Pattern.compile("([0-9]{1,12}),([0-9]{1,12})");

  /** With u even in [0, 1), the vertex at u to this power has in-edges by a power law. */
  private static final int SKEW = 3;

  /**
   * A graph of a size.
   *
   * @param size as in {@code 1000,20000}: how many vertices and edges
   * @throws IllegalArgumentException if it has another form, or one of the numbers is 0
   */
  static RandomGraph parse(String size, long seed) {
    Matcher matcher = FORM.matcher(size);
    if (matcher.matches()) {
      long vertices = Long.parseLong(matcher.group(1));
      long edges = Long.parseLong(matcher.group(2));
      if (vertices > 0 && edges > 0) {
        return new RandomGraph(vertices, edges, seed);
      }
    }
    throw new IllegalArgumentException(
        "--generate="
            + size
            + " is not of the form VERTICES,EDGES. Give two numbers of at least 1, such as"
            + " 1000,20000.");
  }

  /**
   * An edge.
   *
   * @param number from 0 to {@link #edges}, exclusive
   */
  KV<String, String> edge(long number) {
    SplittableRandom random = new SplittableRandom(new SplittableRandom(seed).nextLong() + number);
    long from = random.nextLong(vertices);
    long to = (long) (vertices * Math.pow(random.nextDouble(), SKEW));
    return KV.of(Long.toString(from), Long.toString(to));
  }
}
