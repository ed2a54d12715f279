// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.terasort;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What <i>valsort</i> tells about records in a sequence.
 *
 * @param records how many there are
 * @param checksum sum of the CRC-32 of each, modulo 2<sup>64</sup>; it does not depend on the order
 * @param duplicateKeys how many have the key of the record before
 * @param misplaced how many have a key below that of the record before; 0 in a sorted sequence
 * @param firstMisplaced says where the first of these is
 */
public record TeraSummary(
    long records,
    long checksum,
    long duplicateKeys,
    long misplaced,
    Optional<String> firstMisplaced) {

  /**
   * What is wrong with these records as the result of a sort.
   *
   * @param input what was sorted, if it is known
   * @return sentences; none if nothing is wrong
   */
  public List<String> faults(Optional<TeraSummary> input) {
    List<String> faults = new ArrayList<>();
    firstMisplaced.ifPresent(
        first -> faults.add(first + " Out of order are " + misplaced + " records in all."));
    input.ifPresent(sorted -> addDifferences(sorted, faults));
    return faults;
  }

  private void addDifferences(TeraSummary input, List<String> faults) {
    if (records != input.records) {
      faults.add(
          "The input has "
              + input.records
              + " records and the output has "
              + records
              + ": records were "
              + (records < input.records ? "lost." : "doubled or added."));
    }
    if (checksum != input.checksum) {
      faults.add(
          "The checksum of the input is "
              + input.checksumText()
              + " and that of the output is "
              + checksumText()
              + ": the output does not have the records of the input.");
    }
  }

  /** The checksum in hexadecimal, as valsort prints it. */
  public String checksumText() {
    return Long.toHexString(checksum);
  }
}
