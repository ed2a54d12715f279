// SPDX-License-Identifier: Apache-2.0
/**
 * Queries cut into fragments, each of which runs in tasks of its own, and which rows go between
 * them: what Graefe's Volcano (1990) calls exchanges.
 */
package dev.anemone.ir.relational.exchange;
