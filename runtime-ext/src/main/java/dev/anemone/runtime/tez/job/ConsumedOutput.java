// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.job;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the tasks of a stage wrote for a link, and nobody needs any more: all consumers have
 * succeeded.
 *
 * @param vertex number of the stage's Tez vertex
 * @param link position of the link among the stage's outputs
 * @param attempts only of attempts whose number is less, since later ones may be written because
 *     something was lost
 */
public record ConsumedOutput(int vertex, int link, int attempts) {

  /** A name as Tez gives it to an output of an attempt, and the link. */
  private static final Pattern NAME =
      Pattern.compile("attempt_\\d+_\\d+_\\d+_(\\d+)_\\d+_(\\d+)_\\d+-(\\d+)");

  /**
   * The name of a block.
   *
   * @param output the name that Tez gives the output of an attempt, which no other has
   * @param link position of the link among the stage's outputs
   */
  public static String blockName(String output, int link) {
    return output + "-" + link;
  }

  /** Whether a block of the job with this {@linkplain #blockName name} belongs to it. */
  public boolean has(String blockName) {
    Matcher matcher = NAME.matcher(blockName);
    return matcher.matches()
        && Integer.parseInt(matcher.group(1)) == vertex
        && Integer.parseInt(matcher.group(2)) < attempts
        && Integer.parseInt(matcher.group(3)) == link;
  }
}
