// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.ndp;

/** The URNs of the function specs of these reads, beside that of relational operators. */
public final class NdpUrns {

  /** What all of them begin with. */
  static final String PREFIX = "anemone:ndp:";

  /** Source: a table. The vertex carries an {@link NdpSpec}, each part a {@link FileSplit}. */
  public static final String SOURCE = PREFIX + "source:v1";

  /** Operator: makes elements of batches, a {@link BatchForm}. */
  static final String FORM = PREFIX + "form:v1";

  /** Encoder of batches, which is never asked for: they do not leave their stage. */
  static final String BATCH = PREFIX + "batch:v1";

  private NdpUrns() {}
}
