// SPDX-License-Identifier: Apache-2.0
/**
 * A query on data with a few hot keys, with policies that draw the consumers' ranges and without.
 */
package dev.anemone.evaluation.compare.skewq10;
