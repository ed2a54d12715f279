// SPDX-License-Identifier: Apache-2.0
/**
 * What a vertex runs and how an edge is coded, as far as the IR knows it: a URN and bytes, what
 * passes may assume of an operator, and the halves of a combine.
 */
package dev.anemone.ir.function;
