// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.spi;

/**
 * An operator whose main input is a shuffle that is grouped by key. Groups arrive in the order of
 * their key bytes, compared as unsigned.
 */
public non-sealed interface GroupOperator extends Operator {

  /** Processes all values of one key. The group must not be used after the call. */
  void acceptGroup(KeyGroup group) throws Exception;
}
