// SPDX-License-Identifier: Apache-2.0
/**
 * Prints graphs, and what changed between two of them, as text, JSON and DOT. Payloads of functions
 * are never printed, only a short hash that tells two of them apart.
 */
package dev.anemone.ir.print;
