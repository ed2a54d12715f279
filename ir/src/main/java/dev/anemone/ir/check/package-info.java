// SPDX-License-Identifier: Apache-2.0
/**
 * Verifies that a graph can be run as it stands, one class per rule. {@link
 * dev.anemone.ir.check.IRDagChecker} applies all rules after every pass.
 */
package dev.anemone.ir.check;
