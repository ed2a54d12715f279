// SPDX-License-Identifier: Apache-2.0
/**
 * Whole queries: trees of relational operators over named inputs, of which a {@link
 * dev.anemone.ir.relational.RelationalPlan} is the straight part that a storage node takes.
 */
package dev.anemone.ir.relational.query;
