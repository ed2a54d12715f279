// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.options;

import java.util.Arrays;

/** What {@link ColumnarOptions#getColumnar} can be. */
public enum ColumnarUse {
  /** Wherever a part of a query can be run in columns, and is not worse for it. */
  AUTO,
  /** The same, in fragments that exchange rows, also where one task could run all of a part. */
  DISTRIBUTED,
  /** Nowhere. */
  OFF;

  static final String AUTO_NAME = "auto";

  /**
   * The use that the options ask for.
   *
   * @throws InvalidPipelineException when there is no such use
   */
  public static ColumnarUse of(ColumnarOptions options) {
    String name = options.getColumnar();
    return Arrays.stream(values())
        .filter(use -> use.name().equalsIgnoreCase(name))
        .findFirst()
        .orElseThrow(
            () ->
                new InvalidPipelineException(
                    "--columnar=" + name + " is not known. Use auto, distributed or off."));
  }
}
