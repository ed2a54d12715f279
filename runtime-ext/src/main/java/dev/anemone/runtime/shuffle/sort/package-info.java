// SPDX-License-Identifier: Apache-2.0
/** Sorts records in pages off the heap by words that stand for them, and never moves a record. */
package dev.anemone.runtime.shuffle.sort;
